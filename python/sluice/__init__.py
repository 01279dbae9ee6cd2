"""Feeds of JSON records as Arrow record batches.

    import sluice

    reader = sluice.scan("events.ndjson", {"id": "string", "actor.login": "string"})
    table = reader.read_all()                       # a pyarrow.Table
    wrong = sluice.rejects("events.ndjson", {"id": "string"}).read_all()

`scan` and `rejects` return a `pyarrow.RecordBatchReader`, which pandas, Polars and DuckDB take as it is. The work is done by the shared
library SluiceArrow; README.md says how to build it and where it is looked for. The module `sluice.spark` is a data source for Spark.
"""

from ._errors import SluiceError
from ._feed import Columns, rejects, scan
from ._library import library_version
from ._ranges import ranges

__all__ = ["Columns", "SluiceError", "library_version", "ranges", "rejects", "scan"]
__version__ = "0.1.0"
