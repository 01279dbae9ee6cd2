"""A data source for Spark 4: feeds of JSON records, parsed by Sluice in each task.

    from sluice.spark import register

    register(spark)
    events = (
        spark.read.format("sluice")
        .option("columns", '{"id": "string", "actor.login": "string"}')
        .load("events/*.ndjson")
    )
    wrong = spark.read.format("sluice").option("mode", "rejects").option("columns", …).load("events/*.ndjson")

A file of lines is split into ranges of bytes; a compressed file, or one of another format, is not split. Small files share a split. What a
task gives out depends on its ranges and on nothing else, so a task that is run again, or twice at once, changes nothing. An invalid record
fails its task, with the place in the file; with `invalidRecords` = `skip` it is left out, and `mode` = `rejects` gives these records as
rows.

Options, beside the path: `columns` (JSON, or paths with commas between them; a path that no record has is an error), `at`, `format` (found
from the first bytes if not given; only lines are split), `compression`, `splitSize` (bytes, 134217728 if not given), `mode` (`records` or
`rejects`), `invalidRecords`, `maximumErrors` (of one range or file), `batchSize` (8192 rows if not given), `sampleSize`, `unknownKeys`
(`ignore` or `reject`: what becomes of a record with a key that no column reads; `reject` if the columns are inferred, `ignore` if they are
named), `sensitive` (paths as in `columns`, without types: no error and no reason shows these values).
"""

from __future__ import annotations

import functools
import gc
import glob
import json
import os
import re
import sys
import zipimport
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence
from urllib.parse import unquote, urlsplit

import pyarrow
from pyspark import TaskContext
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from ._errors import SluiceError
from ._feed import field_path, required_columns, type_option
from ._library import open_stream
from ._ranges import cut

#: What Hadoop takes for a block, and Spark for a split.
SPLIT_SIZE = 128 << 20

#: The bytes that take as long to parse as a file takes to open.
OPEN_COST = 256 << 10

#: The bytes of JSON that stand for one byte of a compressed file, when it is asked how much a task has to do.
EXPANSION = 8

#: Rows of a batch, at the most. Spark takes the rows of one batch while the next one is parsed, and each is in memory twice.
BATCH_SIZE = 8192

#: The options that go to the library as they are, by their names in small letters: Spark's options do not tell letters apart.
_NUMBERS = {"maximumerrors": "maximumErrors", "batchsize": "batchSize", "samplesize": "sampleSize"}
_TEXTS = {
    "at": "at",
    "format": "format",
    "compression": "compression",
    "mode": "mode",
    "invalidrecords": "invalidRecords",
    "unknownkeys": "unknownKeys",
}
#: What those may be that are a choice.
_CHOICES = {
    "mode": ["records", "rejects"],
    "invalidRecords": ["throw", "skip"],
    "unknownKeys": ["ignore", "reject"],
    "format": ["auto", "automatic", "lines", "array", "object", "concatenated", "sequence"],
    "compression": ["auto", "none", "gzip", "zstd"],
}
_OTHERS = {"path", "paths", "columns", "sensitive", "splitsize"}


def register(spark: Any) -> None:
    """Makes `spark.read.format("sluice")` known to a session."""
    spark.dataSource.register(SluiceDataSource)


@dataclass(frozen=True)
class Part:
    """A range of a file, or a whole one."""

    path: str
    #: The bytes whose lines are read; None for the whole of a file that cannot be cut.
    range: Optional[tuple[int, int]]
    #: The file's size and time of change when the splits were planned.
    version: tuple[int, int]
    #: What there is to do, in bytes that are parsed.
    cost: int

    def __str__(self) -> str:
        return self.path if self.range is None else f"{self.path}, bytes {self.range[0]} to {self.range[1]}"


@dataclass(frozen=True)
class Split(InputPartition):
    """What one task reads, part by part."""

    parts: tuple[Part, ...]


class SluiceDataSource(DataSource):
    """`spark.read.format("sluice")`."""

    #: The options that tell the library the type of each column, once it is known. Spark asks for the schema first, and sends this object on.
    columns: Optional[dict[str, Any]] = None

    def __init__(self, options: Mapping[str, str]):
        super().__init__(options)
        forget_archives()
        # Spark makes this object while it loads: what is wrong with the options is said then, not by a task.
        ReadPlan(options)

    @classmethod
    def name(cls) -> str:
        return "sluice"

    def schema(self) -> StructType:
        """The columns' schema; types that are not given are inferred from the first file that has a record."""
        plan = ReadPlan(self.options)
        records = plan.library_schema("records")
        self.columns = plan.column_options(records)
        return from_arrow_schema(with_nulls(plan.library_schema("rejects") if plan.gives_rejects else records))

    def reader(self, schema: StructType) -> DataSourceReader:
        plan = ReadPlan(self.options)
        if self.columns is not None:
            return SluiceReader(plan, self.columns)
        # The user gave the schema.
        wanted = arrow_schema(schema)
        if plan.gives_rejects:
            rejects = plan.library_schema("rejects")
            if wanted.names != rejects.names:
                raise SluiceError(
                    f"with mode = rejects the columns are {', '.join(rejects.names)}, not {', '.join(wanted.names)}: leave out the "
                    "schema, and say which records are wrong with the option columns"
                )
            return SluiceReader(plan, plan.column_options(plan.library_schema("records")))
        # Spark counts on it that a column that is not nullable holds no null.
        return SluiceReader(plan, {"columns": plan.types_of(wanted), "required": required_columns(wanted)})


def with_nulls(schema: pyarrow.Schema, required: Sequence[str] = ()) -> pyarrow.Schema:
    """The same columns, each of which may hold null but for the required ones. Those of rejects never do, but Spark takes all columns of a
    source for such ones unless the user says otherwise."""
    return pyarrow.schema([field.with_nullable(field_path(field) not in required and field.name not in required) for field in schema])


def arrow_schema(schema: StructType) -> pyarrow.Schema:
    """Arrow's schema of Spark's; from Spark 4.2 on, times need the name of a time zone."""
    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        return to_arrow_schema(schema)


class SluiceReader(DataSourceReader):
    """Plans the splits, and reads each."""

    def __init__(self, plan: ReadPlan, columns: dict[str, Any]):
        self.plan = plan
        # Every column has its type, so that nothing depends on what stands in the split.
        self.options = {**plan.options, **columns}

    def partitions(self) -> Sequence[Split]:
        forget_archives()
        return self.plan.splits()

    def read(self, split: Split) -> Iterator[pyarrow.RecordBatch]:
        keep_modules()
        try:
            for part in split.parts:
                yield from self._read(part)
        finally:
            forget_archives()

    def _read(self, part: Part) -> Iterator[pyarrow.RecordBatch]:
        check_version(part)
        options = self.options if part.range is None else {**self.options, "range": list(part.range)}
        try:
            with open_stream(part.path, options) as batches:
                schema = with_nulls(batches.schema, self.options.get("required", []))
                for batch in batches:
                    yield pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema)
        except (pyarrow.ArrowException, OSError, SluiceError) as error:
            raise SluiceError(f"{part}: {error}") from None
        # A line that was added meanwhile may have been read by this attempt, and would not have been by another one.
        check_version(part)


class ReadPlan:
    """What the options of a read say."""

    def __init__(self, options: Mapping[str, str]):
        given = {name.lower(): value for name, value in options.items()}
        for name in given:
            if name not in _NUMBERS and name not in _TEXTS and name not in _OTHERS:
                raise SluiceError(f"the data source sluice has no option '{name}'")
        self.patterns = json.loads(given["paths"]) if "paths" in given else [given["path"]] if "path" in given else []
        self.split_size = number("splitSize", given["splitsize"]) if "splitsize" in given else SPLIT_SIZE
        self.options: dict[str, Any] = {"batchSize": BATCH_SIZE}
        self.options.update({_TEXTS[name]: given[name] for name in _TEXTS if name in given})
        for name, words in _CHOICES.items():
            if self.options.get(name, words[0]) not in words:
                advice = " (invalidRecords = skip leaves out what cannot be read)" if name == "mode" else ""
                raise SluiceError(f"the option {name} is {' or '.join(words)}, not '{self.options[name]}'{advice}")
        for name, known in _NUMBERS.items():
            if name in given:
                self.options[known] = number(known, given[name])
        if "columns" in given:
            self.options["columns"] = path_list("columns", given["columns"])
        if "sensitive" in given:
            self.options["sensitive"] = path_list("sensitive", given["sensitive"])

    @property
    def gives_rejects(self) -> bool:
        return self.options.get("mode") == "rejects"

    def files(self) -> list[str]:
        """The files that the paths name: files themselves, all in a folder, and what fits a pattern; sorted, each once."""
        if not self.patterns:
            raise SluiceError("the data source sluice needs a path: load(path)")
        found: set[str] = set()
        for pattern in map(local_path, self.patterns):
            places = [pattern] if os.path.exists(pattern) else glob.glob(pattern, recursive=True)
            files = [file for place in places for file in files_at(place)]
            if not files:
                raise SluiceError(f"there is no file at {pattern}")
            found.update(files)
        return sorted(found)

    def splits(self) -> list[Split]:
        """What tasks read, in the order of the files and of their bytes."""
        return packed(self._parts(), self.split_size)

    def _parts(self) -> Iterator[Part]:
        for file in self.files():
            version = file_version(file)
            size = version[0]
            if self._is_compressed(file):
                yield Part(file, None, version, OPEN_COST + size * EXPANSION)
            elif not self._is_cut:
                yield Part(file, None, version, OPEN_COST + size)
            else:
                for start, end in cut(size, size=self.split_size):
                    yield Part(file, (start, end), version, OPEN_COST + end - start)

    @property
    def _is_cut(self) -> bool:
        """Whether files are cut into ranges. Records inside documents may stand anywhere; without a path to them, a feed is lines, as it is
        to spark.read.json. The library refuses a range of a file whose first bytes show another format, unless `format` says lines."""
        return self.options.get("format", "auto" if "at" in self.options else "lines") == "lines"

    def library_schema(self, mode: str) -> pyarrow.Schema:
        """The schema that the library gives to records or to rejects."""
        failure = None
        for file in self.files():
            try:
                with open_stream(file, {**self.options, "mode": mode}) as batches:
                    return batches.schema
            except SluiceError as error:
                # The file may be empty: then the next one says which columns there are.
                failure = failure or SluiceError(f"{file}: {error}", error.number)
        raise failure

    def types_of(self, schema: pyarrow.Schema) -> dict[str, Any]:
        """The types of columns: those of the option columns, and for others what the schema says, in which the library marks JSON."""
        named = self.options.get("columns")
        types = dict(named) if isinstance(named, dict) else {}
        for field in schema:
            if field_path(field) not in types:
                types[field_path(field)] = type_option(field)
        return {field_path(field): types[field_path(field)] for field in schema}

    def column_options(self, schema: pyarrow.Schema) -> dict[str, Any]:
        """The options for columns whose types the library chose. If it also found the columns, a record with a key that none of them has is
        rejected in every split, unless the user says otherwise."""
        options: dict[str, Any] = {"columns": self.types_of(schema)}
        if "columns" not in self.options:
            options["unknownKeys"] = self.options.get("unknownKeys", "reject")
        return options

    def _is_compressed(self, file: str) -> bool:
        compression = self.options.get("compression", "auto")
        if compression != "auto":
            return compression != "none"
        with open(file, "rb") as bytes:
            beginning = bytes.read(4)
        # Gzip, zstd, and the frames of zstd that are skipped, which may stand first.
        return re.match(rb"\x1f\x8b|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", beginning) is not None


def packed(parts: Iterable[Part], size: int) -> list[Split]:
    """Splits in the order of the parts. Neighbours share one as long as it costs no more than a part of the full size does.

    A task costs as much as parsing tens of megabytes, whatever it reads; and the whole read waits no longer for a split of many small files
    than it would for one of a large file.
    """
    splits: list[list[Part]] = []
    cost = 0
    for part in parts:
        if not splits or cost + part.cost > size:
            splits.append([])
            cost = 0
        splits[-1].append(part)
        cost += part.cost
    return [Split(tuple(parts)) for parts in splits]


@functools.lru_cache(maxsize=None)
def keep_modules() -> None:
    """Once in a worker of Spark, tells Python's collector that what is loaded by now stays.

    After each task, PySpark's worker collects garbage, and looks at all objects of all modules: 0.02 s of a processor.
    """
    if TaskContext.get() is not None:
        gc.collect()
        gc.freeze()


def forget_archives() -> None:
    """Takes zip files out of Python's cache of importers, where they come back as they are needed.

    Before each task, and twice while a read is planned, PySpark's processes call `importlib.invalidate_caches()`. Up to Python 3.12 that
    reads the directories of pyspark.zip and py4j.zip anew, entry by entry: 0.2 s of a processor, as much as parsing 128 MB.
    """
    for path, importer in list(sys.path_importer_cache.items()):
        if isinstance(importer, zipimport.zipimporter):
            sys.path_importer_cache.pop(path, None)


def file_version(path: str) -> tuple[int, int]:
    """The size of a file, and when it was changed."""
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def check_version(part: Part) -> None:
    """Fails if the file is not the one for which the splits were planned: its ranges might then miss records, or give some twice."""
    if file_version(part.path) != part.version:
        raise SluiceError(f"{part.path} has changed since its splits were planned")


def local_path(path: str) -> str:
    """The path of a local file, which may be given as `file:/…` or `file:///…`."""
    parts = urlsplit(path)
    if parts.scheme == "file":
        return unquote(parts.path)
    if "://" in path:
        raise SluiceError(f"the data source sluice reads files that each machine sees under one path, not {path}")
    return path


def files_at(place: str) -> list[str]:
    """A file, or the files in a folder but for those that Spark leaves out, too: their names begin with `_` or `.`."""
    if not os.path.isdir(place):
        return [os.path.abspath(place)]
    entries = [entry for entry in os.scandir(place) if entry.is_file() and not entry.name.startswith(("_", "."))]
    return [os.path.abspath(entry.path) for entry in entries]


def path_list(name: str, text: str) -> Any:
    """The options columns and sensitive: JSON as in `sluice.scan`, or paths with commas between them."""
    if not text.lstrip().startswith(("[", "{")):
        # A comma inside a quoted key does not separate.
        return [path.strip() for path in re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+', text)]
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SluiceError(f"the option {name} is not JSON: {error}") from None


def number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < (0 if name == "maximumErrors" else 1):
        raise SluiceError(f"the option {name} is a number of 1 or more, not '{text}'")
    return value
