"""A data source for Spark 4: feeds of JSON records, parsed by Sluice in each task.

    from sluice.spark import register

    register(spark)
    events = (
        spark.read.format("sluice")
        .option("columns", '{"id": "string", "actor.login": "string"}')
        .load("events/*.ndjson")
    )
    wrong = spark.read.format("sluice").option("mode", "rejects").option("columns", …).load("events/*.ndjson")

    stream = spark.readStream.format("sluice").option("columns", …).load("events/")

Files are chosen as `spark.read.json` does it: folders, patterns with `*`, `?`, `[…]` and `{a,b}`, folders such as `day=2026-01-01` as
columns; names that begin with `_` or `.` are left out.

A file of lines is split into ranges of bytes; a compressed file, or one of another format, is not split. Small files share a split. What a
task gives out depends on its ranges and on nothing else, so a task that is run again, or twice at once, changes nothing. An invalid record
fails its task, with the place in the file; with `invalidRecords` = `skip` it is left out, and `mode` = `rejects` gives these records as
rows.

Options, besides the path: `columns` (JSON, or paths with commas between them; a path that no record has is an error), `at`, `format` (found
from the first bytes if not given; only lines are split), `compression`, `splitSize` (bytes, 134217728 if not given), `mode` (`records` or
`rejects`), `invalidRecords`, `maximumErrors` (of one range or file), `batchSize` (8192 rows if not given), `sampleSize`, `unknownKeys`
(`ignore` or `reject`: what becomes of a record with a key that no column reads; `reject` if the columns are inferred, `ignore` if they are
named), `sensitive` (paths as in `columns`, without types: no error and no reason shows these values), and Spark's `recursiveFileLookup`,
`pathGlobFilter` and `basePath`.

A stream reads what a folder grows by: new files, and the lines that are added to files. A line counts once its line end is there; the last
line of a file that never gets one is not read. A compressed file, or one that is not lines, is read once, as it is when it is first seen:
write it elsewhere, and move it in. Spark's checkpoint has the place in each file, so a query that is killed goes on with each line
exactly once. A file that becomes shorter, or begins differently, fails the query.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import re
import sys
import zipimport
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping, MutableMapping, Optional, Sequence, Union

import pyarrow
from pyspark import TaskContext
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

try:
    from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow
except ImportError:
    # Before version 4.2, Spark asks once for the place where such a query ends.
    class SupportsTriggerAvailableNow:  # type: ignore[no-redef]
        pass


from ._errors import SluiceError
from ._feed import column_text, required_columns, type_option
from ._files import Found, NoFile, Values, choose, partition_scalar, partition_types
from ._growth import Growth, check_growth, grown_ranges, offset_of
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
_OTHERS = {"path", "paths", "atoptional", "columns", "sensitive", "splitsize", "recursivefilelookup", "pathglobfilter", "basepath"}


def register(spark: Any) -> None:
    """Makes `spark.read.format("sluice")` known to a session."""
    spark.dataSource.register(SluiceDataSource)


@dataclass(frozen=True)
class Part:
    """A range of a file, or a whole one."""

    path: str
    #: The bytes whose lines are read; None for the whole of a file that cannot be cut.
    range: Optional[tuple[int, int]]
    #: The file as it was when the splits were planned: its size and time of change; or, of a file that may grow, how far it is read.
    version: Union[tuple[int, int], Growth]
    #: What there is to do, in bytes that are parsed.
    cost: int
    #: What the names of its folders say.
    values: Values = ()

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

    def __init__(self, options: MutableMapping[str, str]):
        super().__init__(options)
        forget_archives()
        # Spark makes this object while it loads: what is wrong with the options is said then, not by a task.
        ReadPlan(options)

    @classmethod
    def name(cls) -> str:
        return "sluice"

    def schema(self) -> StructType:
        """The columns' schema; types that are not given are inferred from the first file that has a record. The columns that folders stand
        for come last."""
        plan = ReadPlan(self.options)
        records = plan.library_schema("records")
        self.columns = plan.column_options(records)
        if plan.gives_rejects:
            return from_arrow_schema(with_nulls(plan.library_schema("rejects")))
        return from_arrow_schema(plan.with_partitions(with_nulls(records)))

    def reader(self, schema: StructType) -> DataSourceReader:
        plan = ReadPlan(self.options)
        if self.columns is None:
            return SluiceReader(plan, *self._chosen(plan, schema))
        partitions = {} if plan.gives_rejects else plan.partition_types()
        return SluiceReader(plan, self.columns, partitions)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        plan = ReadPlan(self.options)
        if self.columns is None:
            return SluiceStreamReader(plan, *self._chosen(plan, schema))
        if not isinstance(plan.options.get("columns"), dict):
            # What is found in the files of today need not be what is found when the stream goes on tomorrow.
            raise SluiceError("a stream needs the types of its columns: give a schema, or the option columns as JSON with types")
        partitions = {} if plan.gives_rejects else plan.partition_types()
        return SluiceStreamReader(plan, self.columns, partitions)

    def _chosen(self, plan: ReadPlan, schema: StructType) -> tuple[dict[str, Any], dict[str, pyarrow.DataType], Optional[list[str]]]:
        """The library's options for a schema of the user, the columns that folders stand for, and the order of all."""
        wanted = arrow_schema(schema)
        if plan.gives_rejects:
            rejects = plan.library_schema("rejects")
            if wanted.names != rejects.names:
                raise SluiceError(
                    f"with mode = rejects the columns are {', '.join(rejects.names)}, not {', '.join(wanted.names)}: leave out the "
                    "schema, and say which records are wrong with the option columns"
                )
            return plan.column_options(plan.library_schema("records")), {}, None
        partitions = {name: wanted.field(name).type for name in plan.partition_types() if name in wanted.names}
        read = pyarrow.schema([field for field in wanted if field.name not in partitions])
        # Spark counts on it that a column that is not nullable holds no null.
        return {"columns": plan.types_of(read), "required": required_columns(read)}, partitions, wanted.names


def with_nulls(schema: pyarrow.Schema, required: Sequence[str] = ()) -> pyarrow.Schema:
    """The same columns; all except the required ones may hold null. The columns of rejects never do, but Spark treats all columns of a
    source as nullable unless the user says otherwise."""
    return pyarrow.schema([field.with_nullable(field.name not in required) for field in schema])


def arrow_schema(schema: StructType) -> pyarrow.Schema:
    """Arrow's schema of Spark's; from Spark 4.2 on, times need the name of a time zone."""
    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        return to_arrow_schema(schema)


class Reading:
    """Reads the parts of a split."""

    def __init__(
        self,
        plan: ReadPlan,
        columns: dict[str, Any],
        partitions: Mapping[str, pyarrow.DataType] = {},
        order: Optional[Sequence[str]] = None,
    ):
        self.plan = plan
        # Every column has its type, so that nothing depends on what the split contains.
        self.options = {**plan.options, **columns}
        if "at" in plan.options and len(plan.files_now()) != 1:
            self.options["sharesPath"] = True
        #: The types of the columns that folders stand for.
        self.partition_types = dict(partitions)
        #: The names of all columns, where they are in another order than those of the records and of the folders.
        self.order = order

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, Split)
        keep_modules()
        try:
            for part in partition.parts:
                yield from self._read(part)
        finally:
            forget_archives()

    def _read(self, part: Part) -> Iterator[pyarrow.RecordBatch]:
        check_version(part)
        options = self.options if part.range is None else {**self.options, "range": list(part.range)}
        values = self._values(part)
        try:
            with open_stream(part.path, options) as batches:
                schema = with_nulls(batches.schema, self.options.get("required", []))
                for batch in batches:
                    yield self._with_partitions(batch, schema, values)
        except (pyarrow.ArrowException, OSError, SluiceError) as error:
            raise SluiceError(f"{part}: {error}") from None
        # A line that was added meanwhile may have been read by this attempt, and would not have been by another one.
        check_version(part)

    def _values(self, part: Part) -> dict[str, pyarrow.Scalar]:
        """The values of the columns that folders stand for."""
        for name, _ in part.values:
            if name not in self.partition_types and name in (self.order or ()):
                # It would be looked for in the records, where it is not.
                raise SluiceError(f"{part.path}: the folder of the column {name} has come after the query was planned; start it again")
        return {name: partition_scalar(name, text, self.partition_types[name]) for name, text in part.values if name in self.partition_types}

    def _with_partitions(self, batch: pyarrow.RecordBatch, schema: pyarrow.Schema, values: Mapping[str, pyarrow.Scalar]) -> pyarrow.RecordBatch:
        """The library's batch with Spark's schema, and the columns that folders stand for."""
        if not schema.names and not self.partition_types:
            # Made of no array, a batch would have no row.
            return batch
        fields, columns = list(schema), list(batch.columns)
        for name, type in self.partition_types.items():
            fields.append(pyarrow.field(name, type))
            columns.append(pyarrow.repeat(values.get(name, pyarrow.scalar(None, type)), batch.num_rows))
        names = [field.name for field in fields]
        places = [names.index(name) for name in self.order or names]
        return pyarrow.RecordBatch.from_arrays([columns[place] for place in places], schema=pyarrow.schema([fields[place] for place in places]))


class SluiceReader(Reading, DataSourceReader):
    """Plans the splits, and reads each."""

    def partitions(self) -> Sequence[Split]:
        forget_archives()
        self._require_path()
        return self.plan.splits()

    def _require_path(self) -> None:
        """Fails if the documents of all files lack the path of the records. Where they are skipped, no task can know that."""
        if "sharesPath" not in self.options or self.options.get("invalidRecords") != "skip" or self.plan.gives_rejects:
            return
        failure: Optional[SluiceError] = None
        for found in self.plan.files:
            try:
                with open_stream(found.path, {**self.options, "sharesPath": False, "limit": 1, "workers": 0}) as batches:
                    for _ in batches:
                        pass
                return
            except (pyarrow.ArrowException, OSError, SluiceError) as error:
                failure = failure or SluiceError(f"{found.path}: {error}")
        raise failure or SluiceError("there is no file")


class SluiceStreamReader(Reading, DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans what files have grown by. The offset that Spark keeps in its checkpoint has each file with the place up to which it is read."""

    #: The last offset: before version 4.2, Spark does not tell it when it asks for the next one.
    last: dict[str, Any] = {"files": {}}
    #: Where a query ends that reads what is there when it begins.
    target: Optional[dict[str, Any]] = None

    def prepareForTriggerAvailableNow(self) -> None:
        self.target = self.plan.grown_offset({"files": {}})

    def initialOffset(self) -> dict[str, Any]:
        return {"files": {}}

    def latestOffset(self, start: Optional[dict[str, Any]] = None, limit: Any = None) -> dict[str, Any]:
        start = self.last if start is None else start
        self.last = self.plan.grown_offset(start)
        if self.target is not None:
            self.last = bounded(self.last, start, self.target)
        return self.last

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[Split]:
        forget_archives()
        # After a restart, what the checkpoint says is the first thing to be known.
        self.last = end
        return packed(self.plan.grown_parts(start, end), self.plan.split_size)

    def commit(self, end: dict[str, Any]) -> None:
        """Spark's checkpoint has the offset; there is nothing else to keep."""


def bounded(offset: dict[str, Any], start: dict[str, Any], target: dict[str, Any]) -> dict[str, Any]:
    """An offset that is nowhere after the target, and nowhere before the start."""
    files: dict[str, Any] = {}
    for path, place in offset["files"].items():
        ends = [known["files"][path] for known in (start, target) if path in known["files"]]
        if ends:
            files[path] = min(place, max(ends, key=lambda one: one["end"]), key=lambda one: one["end"])
    return {"files": files}


class ReadPlan:
    """What the options of a read say."""

    def __init__(self, options: Mapping[str, str]):
        given = {name.lower(): value for name, value in options.items()}
        for name in given:
            if name not in _NUMBERS and name not in _TEXTS and name not in _OTHERS:
                raise SluiceError(f"the data source sluice has no option '{name}'")
        self.patterns: list[str] = json.loads(given["paths"]) if "paths" in given else [given["path"]] if "path" in given else []
        self.recursive = truth("recursiveFileLookup", given.get("recursivefilelookup", "false"))
        self.name_pattern = given.get("pathglobfilter")
        self.base = given.get("basepath")
        self.split_size = number("splitSize", given["splitsize"]) if "splitsize" in given else SPLIT_SIZE
        self.options: dict[str, Any] = {"batchSize": BATCH_SIZE}
        self.options.update({_TEXTS[name]: given[name] for name in _TEXTS if name in given})
        for name, words in _CHOICES.items():
            if self.options.get(name, words[0]) not in words:
                advice = " (invalidRecords = skip leaves out what cannot be read)" if name == "mode" else ""
                raise SluiceError(f"the option {name} is {' or '.join(words)}, not '{self.options[name]}'{advice}")
        if "atoptional" in given:
            self.options["atOptional"] = truth("atOptional", given["atoptional"])
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

    @functools.cached_property
    def files(self) -> list[Found]:
        """The files that the paths name, sorted, each once."""
        if not self.patterns:
            raise SluiceError("the data source sluice needs a path: load(path)")
        return choose(self.patterns, self.recursive, self.name_pattern, self.base)

    def partition_types(self) -> dict[str, pyarrow.DataType]:
        """The columns that folders stand for; none as long as there is no file, which is said when the splits are planned."""
        return partition_types(self.files_now())

    def __getstate__(self) -> dict[str, Any]:
        # Tasks need no list of all files.
        return {name: value for name, value in self.__dict__.items() if name != "files"}

    def with_partitions(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The columns of the records, and those of the folders after them."""
        for name, type in self.partition_types().items():
            if name in schema.names:
                raise SluiceError(f"the column {name} stands in the records and in the names of folders: name the columns of the records")
            schema = schema.append(pyarrow.field(name, type))
        return schema

    def splits(self) -> list[Split]:
        """What tasks read, in the order of the files and of their bytes."""
        return packed(self._parts(), self.split_size)

    def _parts(self) -> Iterator[Part]:
        for found in self.files:
            file = found.path
            version = file_version(file)
            size = version[0]
            if not self.cuts(file):
                expansion = EXPANSION if self._is_compressed(file) else 1
                yield Part(file, None, version, OPEN_COST + size * expansion, found.values)
            else:
                for start, end in cut(size, size=self.split_size):
                    yield Part(file, (start, end), version, OPEN_COST + end - start, found.values)

    def cuts(self, file: str) -> bool:
        """Whether a file is cut into ranges."""
        return self._is_cut and not self._is_compressed(file)

    def grown_offset(self, start: dict[str, Any]) -> dict[str, Any]:
        """How far the files of today can be read. A file that is gone keeps its place, should it come back."""
        ends = dict(start["files"])
        for found in self.files_now():
            ends[found.path] = offset_of(found.path, ends.get(found.path), self.cuts(found.path))
        return {"files": ends}

    def grown_parts(self, start: dict[str, Any], end: dict[str, Any]) -> Iterator[Part]:
        """The parts between two offsets: the same in each attempt, even if more has been added since."""
        values = {found.path: found.values for found in self.files_now()}
        for path in sorted(end["files"]):
            before, after = start["files"].get(path), end["files"][path]
            if before is not None and before["end"] == after["end"]:
                continue
            growth = Growth(after["end"], after["head"], after["lines"])
            if not after["lines"]:
                yield Part(path, None, growth, OPEN_COST + after["end"], values.get(path, ()))
            for range in grown_ranges(0 if before is None else before["end"], after["end"], self.split_size) if after["lines"] else ():
                yield Part(path, range, growth, OPEN_COST + range[1] - range[0], values.get(path, ()))

    def files_now(self) -> list[Found]:
        """The files that are there at this moment; none if none has come yet."""
        try:
            return choose(self.patterns, self.recursive, self.name_pattern, self.base)
        except NoFile:
            return []

    @property
    def _is_cut(self) -> bool:
        """Whether files are cut into ranges. Records inside documents may be anywhere; without a path to them, a feed is lines, as it is
        to spark.read.json. The library refuses a range of a file whose first bytes show another format, unless `format` says lines."""
        return bool(self.options.get("format", "auto" if "at" in self.options else "lines") == "lines")

    def library_schema(self, mode: str) -> pyarrow.Schema:
        """The schema that the library gives to records or to rejects."""
        failure: Optional[SluiceError] = None
        # With types, nothing depends on a file, and a stream may begin before there is one.
        is_typed = isinstance(self.options.get("columns"), dict)
        for file in [os.devnull] if is_typed else [found.path for found in self.files]:
            try:
                with open_stream(file, {**self.options, "mode": mode}) as batches:
                    return batches.schema
            except SluiceError as error:
                # The file may be empty: then the next one says which columns there are.
                failure = failure or SluiceError(f"{file}: {error}", error.number)
        raise failure or SluiceError("there is no file")

    def types_of(self, schema: pyarrow.Schema) -> dict[str, Any]:
        """The types of columns: those of the option columns, and for others what the schema says, in which the library marks JSON."""
        named = self.options.get("columns")
        # By the names of the columns: `who=actor.login` is the column who. A path without a type may stand for a key with dots, of which
        # only the library knows.
        given = {column_name(text): (text, type) for text, type in named.items()} if isinstance(named, dict) else {}
        types: dict[str, Any] = {}
        for field in schema:
            text, type = given[field.name] if field.name in given else (column_text(field), type_option(field))
            types[text] = type
        return types

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
            return bool(compression != "none")
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
    if isinstance(part.version, Growth):
        check_growth(part.path, part.version)
    elif file_version(part.path) != part.version:
        raise SluiceError(f"{part.path} has changed since its splits were planned")


def column_name(text: str) -> str:
    """The name of a column that is written as `who=actor.login`, or as a path."""
    quoted = re.match(r'"(?:[^"\\]|\\.)*"(?==)', text)
    if quoted:
        return str(json.loads(quoted[0]))
    return text if text.startswith('"') else text.partition("=")[0] if "=" in text else text


def path_list(name: str, text: str) -> Any:
    """The options columns and sensitive: JSON as in `sluice.scan`, or paths with commas between them."""
    if not text.lstrip().startswith(("[", "{")):
        # A comma inside a quoted key does not separate.
        return [path.strip() for path in re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+', text)]
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SluiceError(f"the option {name} is not JSON: {error}") from None


def truth(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise SluiceError(f"the option {name} is true or false, not '{text}'")
    return text.lower() == "true"


def number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < (0 if name == "maximumErrors" else 1):
        raise SluiceError(f"the option {name} is a number of 1 or more, not '{text}'")
    return value
