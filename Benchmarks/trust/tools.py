"""The tools of `Scripts/net trust`, each as its own documents say to use it for awkward input.

    python tools.py load TOOL FEED STORE [PATH]     loads a file into a store (a folder); records stand at PATH in the document, if given
    python tools.py rows TOOL STORE                 writes what the store holds to STORE/found.ndjson
    python tools.py version TOOL

A load that fails ends with another exit code than 0, or with an exception. What a tool says of damage without failing goes to
STORE/told.txt: warnings, standard error, or the mark that it leaves in the rows.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional

Row = dict[str, Any]

#: Bytes of a record, or of a block, that are enough for every feed.
LARGE = 256 << 20


@dataclass(frozen=True)
class Tool:
    """One column of the table."""

    name: str
    #: The package whose version is shown.
    package: str
    #: The options, for the article.
    options: str
    load: Callable[[Path, Path, Optional[str]], None]
    rows: Callable[[Path], Iterable[Row]]
    #: Whether there is a store that a second run meets. A tool without one writes its output anew.
    has_store: bool = True
    #: The tool of which this is the lenient use.
    lenient: bool = False


def tell(store: Path, text: str) -> None:
    """Keeps what a tool has said."""
    if text.strip():
        with (store / "told.txt").open("a", errors="replace") as file:
            file.write(text.strip() + "\n")


def command(store: Path, script: str) -> None:
    """Runs a script of bash; what it writes to standard error is told, and its exit code is this program's."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", script], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    tell(store, done.stderr.decode(errors="replace"))
    if done.returncode != 0:
        sys.stderr.write(done.stderr.decode(errors="replace")[-2000:])
        sys.exit(done.returncode)


def opened(path: Path) -> str:
    """The start of a pipe that writes a feed, for tools that do not decompress."""
    return f"{'gunzip -c' if path.suffix == '.gz' else 'cat'} {shlex.quote(str(path))}"


def write_rows(store: Path, rows: Iterable[Row]) -> None:
    """The output of a tool that has no store."""
    with (store / "rows.ndjson").open("w") as file:
        file.writelines(json.dumps(row, default=str) + "\n" for row in rows)


def written_rows(store: Path) -> Iterator[Row]:
    path = store / "rows.ndjson"
    if path.exists():
        with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            yield from (json.loads(line) for line in file)


# Sluice


def sluice_load(path: Path, store: Path, at: Optional[str]) -> None:
    where = f"--at {at}" if at else ""
    command(store, f"{os.environ['SLUICE']} ingest {shlex.quote(str(path))} {store}/out.db --rejects rejected {where}")


def sqlite_rows(store: Path) -> Iterator[Row]:
    if not (store / "out.db").exists():
        return
    with sqlite3.connect(store / "out.db") as database:
        database.row_factory = sqlite3.Row
        database.text_factory = lambda bytes: bytes.decode("utf-8", "surrogateescape")
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'records'").fetchone():
            yield from (dict(row) for row in database.execute("SELECT * FROM records"))


# DuckDB


def duckdb_load(path: Path, store: Path, at: Optional[str], more: str = "") -> None:
    import duckdb

    read = f"read_json({quoted(path)}, sample_size = -1, maximum_object_size = {LARGE}{more}"
    if at:
        query = f"SELECT unnest(item) FROM (SELECT unnest({at}) AS item FROM {read}))"
    else:
        query = f"SELECT * FROM {read}, format = 'newline_delimited')"
    with duckdb.connect(str(store / "out.duckdb")) as database:
        database.execute(f"CREATE OR REPLACE TABLE records AS {query}")


def duckdb_lenient(path: Path, store: Path, at: Optional[str]) -> None:
    duckdb_load(path, store, at, ", ignore_errors = true")


def duckdb_rows(store: Path, table: str = "records") -> Iterator[Row]:
    import duckdb

    if not (store / "out.duckdb").exists():
        return
    with duckdb.connect(str(store / "out.duckdb"), read_only=True) as database:
        if not database.execute("SELECT 1 FROM information_schema.tables WHERE table_name = 'records'").fetchone():
            return
        found = database.execute(f"SELECT * FROM {table}")
        # A column whose values are of several types is of type JSON: its values are texts of JSON.
        names = [(column[0], str(column[1]) == "JSON") for column in found.description]
        while rows := found.fetchmany(10_000):
            for row in rows:
                yield {name: json.loads(value) if is_json and value is not None else value for (name, is_json), value in zip(names, row)}


def quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


# Polars


def polars_load(path: Path, store: Path, at: Optional[str], lenient: bool = False) -> None:
    import polars

    if at:
        first, *others = at.split(".")
        items = polars.col(first)
        for name in others:
            items = items.struct.field(name)
        frame = polars.read_json(path, infer_schema_length=None).select(items.explode().alias("item")).unnest("item")
    else:
        frame = polars.read_ndjson(path, infer_schema_length=None, ignore_errors=lenient)
    write_rows(store, frame.iter_rows(named=True))


def polars_lenient(path: Path, store: Path, at: Optional[str]) -> None:
    polars_load(path, store, at, lenient=True)


# pyarrow


def pyarrow_load(path: Path, store: Path, at: Optional[str]) -> None:
    import pyarrow.json

    table = pyarrow.json.read_json(path, read_options=pyarrow.json.ReadOptions(block_size=LARGE))
    rows = table.to_pylist()
    for name in at.split(".") if at else []:
        rows = [row[name] for row in rows]
    write_rows(store, [item for items in rows for item in items] if at else rows)


# sqlite-utils


def sqlite_utils_load(path: Path, store: Path, at: Optional[str]) -> None:
    lines = f"{opened(path)} | jq -c .{at}[]" if at else opened(path)
    program = Path(sys.executable).with_name("sqlite-utils")
    command(store, f"{lines} | {program} insert {store}/out.db records - --nl --alter --pk id --replace --silent")


# jq


def jq_load(path: Path, store: Path, at: Optional[str], options: str = "-c", program: str = ".") -> None:
    command(store, f"{opened(path)} | jq {options} '{f'.{at}[]' if at else program}' > {store}/rows.ndjson")


def jq_lenient(path: Path, store: Path, at: Optional[str]) -> None:
    jq_load(path, store, at, "-c" if at else "-cR", "fromjson?")


# ClickHouse


def clickhouse_load(path: Path, store: Path, at: Optional[str], settings: str = "") -> None:
    from chdb.session import Session

    inference = f"input_format_max_rows_to_read_for_schema_inference = 1000000000, input_format_max_bytes_to_read_for_schema_inference = {LARGE}"
    used = f"SETTINGS {inference}{settings}"
    source = f"file({quoted(path)}, 'JSONEachRow')"
    query = f"SELECT * FROM {source}"
    if at:
        names = ("id", "name", "score", "open")
        query = f"SELECT {', '.join(f'item.{name} AS {name}' for name in names)} FROM (SELECT arrayJoin({at}) AS item FROM {source})"
    session = Session(str(store / "clickhouse"))
    session.query("CREATE DATABASE IF NOT EXISTS trust ENGINE = Atomic")
    session.query(
        "CREATE TABLE IF NOT EXISTS trust.records ENGINE = ReplacingMergeTree ORDER BY id SETTINGS allow_nullable_key = 1 "
        f"EMPTY AS {query} {used}"
    )
    session.query(f"INSERT INTO trust.records {query} {used}")


def clickhouse_lenient(path: Path, store: Path, at: Optional[str]) -> None:
    log = store / "clickhouse-errors"
    clickhouse_load(
        path, store, at,
        f", input_format_allow_errors_num = 1000, input_format_allow_errors_ratio = 0.1, input_format_record_errors_file_path = {quoted(log)}",
    )
    if log.exists():
        tell(store, log.read_text(errors="replace"))


def clickhouse_rows(store: Path) -> Iterator[Row]:
    from chdb.session import Session

    if not (store / "clickhouse").exists():
        return
    session = Session(str(store / "clickhouse"))
    if session.query("SELECT count() FROM system.tables WHERE database = 'trust' AND name = 'records'", "TSV").data().strip() != "1":
        return
    output = store / "clickhouse.ndjson"
    session.query(
        f"SELECT * FROM trust.records FINAL INTO OUTFILE {quoted(output)} TRUNCATE FORMAT JSONEachRow "
        "SETTINGS output_format_json_quote_64bit_integers = 0, output_format_json_quote_denormals = 1"
    )
    with output.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        yield from (json.loads(line) for line in file)


# dlt


def dlt_load(path: Path, store: Path, at: Optional[str]) -> None:
    import dlt
    from dlt.sources.filesystem import filesystem, read_jsonl

    # Each of these is a setting of dlt: it writes no log, and asks no server.
    os.environ.update({"RUNTIME__DLTHUB_TELEMETRY": "false", "RUNTIME__LOG_LEVEL": "CRITICAL"})

    @dlt.transformer
    def read_document(files: Any) -> Iterator[list[Row]]:
        for file in files:
            with file.open() as bytes:
                items = json.load(bytes)
            for name in at.split(".") if at else []:
                items = items[name]
            yield items

    files = filesystem(bucket_url=path.parent.as_uri(), file_glob=path.name, incremental=dlt.sources.incremental("modification_date"))
    records = (files | (read_document() if at else read_jsonl())).with_name("records")
    records.apply_hints(write_disposition="merge", primary_key="id")
    pipeline = dlt.pipeline(
        "trust", destination=dlt.destinations.duckdb(str(store / "out.duckdb")), dataset_name="trust", pipelines_dir=str(store / "pipelines")
    )
    pipeline.run(records)


def dlt_rows(store: Path) -> Iterator[Row]:
    """Values of another type than their column's stand in a column beside it, such as `score__v_text`."""
    for row in duckdb_rows(store, "trust.records"):
        for name in [name for name in row if "__v_" in name]:
            value = row.pop(name)
            if value is not None:
                row[name.split("__v_")[0]] = value
        yield row


# Spark


def spark_session(store: Path) -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    return (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "3g")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "OFF")
        .config("spark.local.dir", str(store / "spark"))
        .getOrCreate()
    )


def spark_load(path: Path, store: Path, at: Optional[str], mode: str = "PERMISSIVE") -> None:
    spark = spark_session(store)
    reader = spark.read.option("mode", mode).option("columnNameOfCorruptRecord", "_corrupt_record")
    if at:
        frame = reader.option("multiLine", True).json(str(path)).selectExpr(f"inline({at})")
    else:
        frame = reader.json(str(path))
    frame.write.mode("overwrite").parquet(str(store / "out.parquet"))
    spark.stop()


def spark_lenient(path: Path, store: Path, at: Optional[str]) -> None:
    spark_load(path, store, at, "DROPMALFORMED")


def spark_rows(store: Path) -> Iterator[Row]:
    if not (store / "out.parquet").exists():
        return
    import pyarrow.parquet

    # Files of attempts that were killed lie in `_temporary`, which readers of Parquet leave out.
    for file in sorted((store / "out.parquet").glob("*.parquet")):
        for batch in pyarrow.parquet.ParquetFile(file).iter_batches():
            for row in with_bytes(batch).to_pylist():
                row = {name: value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value for name, value in row.items()}
                corrupt = row.pop("_corrupt_record", None)
                if corrupt is None:
                    yield row
                else:
                    tell(store, f"_corrupt_record: {corrupt[:100]}")


def with_bytes(batch: Any) -> Any:
    """The same batch with bytes in place of texts, which need not be UTF-8 in Spark."""
    import pyarrow

    columns = [column.cast(pyarrow.binary()) if pyarrow.types.is_string(column.type) else column for column in batch.columns]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


TOOLS = [
    Tool("Sluice", "sluice", "`sluice ingest FEED out.db --rejects rejected`", sluice_load, sqlite_rows),
    Tool(
        "DuckDB", "duckdb", "`read_json(…, format = 'newline_delimited', sample_size = -1, maximum_object_size = …)` into a table of a file",
        duckdb_load, duckdb_rows,
    ),
    Tool("Polars", "polars", "`read_ndjson(…, infer_schema_length=None)`", polars_load, written_rows, has_store=False),
    Tool("pyarrow", "pyarrow", "`json.read_json` with a `block_size` that holds the whole feed", pyarrow_load, written_rows, has_store=False),
    Tool("sqlite-utils", "sqlite-utils", "`insert --nl --alter --pk id --replace`", sqlite_utils_load, sqlite_rows),
    Tool("jq", "jq", "`jq -c .`", jq_load, written_rows, has_store=False),
    Tool(
        "ClickHouse", "chdb", "`file(…, 'JSONEachRow')` into a `ReplacingMergeTree`, columns inferred from all rows", clickhouse_load,
        clickhouse_rows,
    ),
    Tool("dlt", "dlt", "`filesystem` (incremental) and `read_jsonl` into DuckDB, `merge` with a primary key", dlt_load, dlt_rows),
    Tool("Spark", "pyspark", "`spark.read.json`, mode `PERMISSIVE` with `_corrupt_record`, written with `overwrite`", spark_load, spark_rows),
    Tool("DuckDB", "duckdb", "the same with `ignore_errors = true`", duckdb_lenient, duckdb_rows, lenient=True),
    Tool("Polars", "polars", "the same with `ignore_errors=True`", polars_lenient, written_rows, has_store=False, lenient=True),
    Tool("jq", "jq", "`jq -cR 'fromjson?'`", jq_lenient, written_rows, has_store=False, lenient=True),
    Tool(
        "ClickHouse", "chdb", "the same with `input_format_allow_errors_num`, `…_ratio` and `input_format_record_errors_file_path`",
        clickhouse_lenient, clickhouse_rows, lenient=True,
    ),
    Tool("Spark", "pyspark", "mode `DROPMALFORMED`", spark_lenient, spark_rows, lenient=True),
]


def key(tool: Tool) -> str:
    """What names a tool on the command line of this program."""
    return tool.package + ("-lenient" if tool.lenient else "")


def version(tool: Tool) -> str:
    """The version that is installed; an exception if there is none."""
    if tool.package == "sluice":
        return subprocess.run([os.environ["SLUICE"], "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    if tool.package == "jq":
        return subprocess.run(["jq", "--version"], capture_output=True, text=True, check=True).stdout.strip().removeprefix("jq-")
    if tool.package == "pyspark" and shutil.which("java") is None:
        raise RuntimeError("there is no Java")
    return importlib.metadata.version(tool.package)


def main() -> None:
    task, name, *others = sys.argv[1:]
    tool = next(tool for tool in TOOLS if key(tool) == name)
    if task == "version":
        print(version(tool))
    elif task == "load":
        path, store, at = Path(others[0]), Path(others[1]), others[2] if len(others) > 2 else None
        with warnings.catch_warnings(record=True) as said:
            tool.load(path, store, at)
        # What a library says of its own age is no word about the feed.
        tell(store, "\n".join(str(one.message) for one in said if not issubclass(one.category, (DeprecationWarning, FutureWarning, ResourceWarning))))
    else:
        store = Path(others[0])
        with (store / "found.ndjson").open("w") as file:
            file.writelines(json.dumps(row, default=str) + "\n" for row in tool.rows(store))


if __name__ == "__main__":
    main()
