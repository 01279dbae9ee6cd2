"""Feeds as streams of record batches: arguments in Python's terms become the options of the library."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Sequence, Union

import pyarrow

from ._errors import SluiceError
from ._library import open_stream

#: A type of values: "bool", "int64", "int32", "double", "string", "timestamp", "date", "unix", "decimal(12,2)", "json", one of Arrow's,
#: `[type]` for lists, `{key: type}` for objects.
Type = Union[str, pyarrow.DataType, list[Any], Mapping[str, Any]]
#: A JSON Schema: the path of its file, or the schema itself.
Schema = Union[str, "os.PathLike[str]", Mapping[str, Any], bool]
#: Paths of values, in the order of the columns: without or with types.
Columns = Union[Sequence[str], Mapping[str, Type], pyarrow.Schema]

_ARROW_TYPES = {
    "bool": pyarrow.bool_(), "int64": pyarrow.int64(), "int32": pyarrow.int32(), "double": pyarrow.float64(),
    "string": pyarrow.string(), "timestamp": pyarrow.timestamp("us", tz="UTC"), "date": pyarrow.date32(),
}

#: The end of a range that goes on to the end of the file.
END = 2**63 - 1


def scan(
    path: str | os.PathLike[str],
    columns: Optional[Columns] = None,
    *,
    at: Optional[str] = None,
    at_optional: Optional[bool] = None,
    range: Optional[tuple[int, Optional[int]]] = None,
    format: Optional[str] = None,
    compression: Optional[str] = None,
    schema: Optional[Schema] = None,
    formats: Optional[bool] = None,
    limit: Optional[int] = None,
    batch_size: Optional[int] = None,
    sample_size: Optional[int] = None,
    unknown_keys: Optional[str] = None,
    sensitive: Optional[Sequence[str]] = None,
    invalid_records: Optional[str] = None,
    maximum_errors: Optional[int] = None,
    workers: Optional[int] = None,
) -> pyarrow.RecordBatchReader:
    """The records of a feed as a stream of Arrow record batches.

        reader = sluice.scan("events.ndjson.gz", ["id", "actor.login"])
        for batch in reader:
            print(batch.num_rows)

    - `columns`: the paths to read, with or without types: `["id", "actor.login"]`, `{"id": "int64", "actor.login": "string"}`, or a
      `pyarrow.Schema`, such as that of another reader; a record without a value for a column that is not nullable is invalid. The types
      are bool, int64, int32, double, string, timestamp (microseconds, in UTC), date, unix and unix-ms (timestamps from seconds and milliseconds since
      1970), timestamp(pattern) and date(pattern) (such as `date(dd.MM.yyyy)`), decimal(12,2) (up to 18 digits, none of which is
      rounded; also from strings), json (any value, as its text), lists such as `["int64"]`, and objects such as `{"login": "string"}`. `who=actor.login` gives the column of a path another name. Types that are not given, and columns if there are none at all, are
      inferred from the first records.
      Paths are written as everywhere in Sluice: `actor.login`, `tags[0]`, `"k8s.pod.name"` (a key with dots, in quotes), `/actor/login`. A
      path without a type that no record has is an error.
    - `at`: where records are in the documents, such as `data.items` or `pages[*].items`. A document without this path is invalid, and a feed
      in which no document has it fails.
    - `at_optional`: whether documents may lack that path; they have no records then.
    - `range`: the bytes `(start, end)` of the file whose lines are read; `end` may be None. A range owns the lines that begin after the
      first line end at or after `start` (from 0: from the start of the file), up to the first line end at or after `end`. Ranges that
      cover a file give each record exactly once, wherever they are cut. A compressed file has no ranges.
    - `format`: "auto", "lines", "array", "object", "concatenated" or "sequence"; found from the first bytes if not given.
    - `compression`: "auto", "none", "gzip" or "zstd".
    - `schema`: a JSON Schema (draft 2020-12) that each record must fit: the path of its file, or the schema as a mapping. A record that does
      not is invalid; the reason says the keyword, and the place in the schema and in the record. Types that are not given come from the
      schema where it says them, such as `{"type": "string", "format": "date-time"}`.
    - `formats`: whether strings must have the format that `format` of the schema names.
    - `limit`: the number of records to read at the most.
    - `batch_size`: rows of a batch, at the most.
    - `sample_size`: the number of records from which columns and types are inferred.
    - `unknown_keys`: "reject" takes a record with a key that no column reads for an invalid one, "ignore" leaves the key out. Columns that
      are named leave out the others; with columns that are inferred, such a key is rejected if nothing is said.
    - `sensitive`: paths of values that no error and no reason shows. Of a record that is not JSON they then quote nothing at all.
    - `invalid_records`: "throw", the default, or "skip", which leaves them out; `rejects` gives them.
    - `maximum_errors`: with "skip", the number of invalid records beyond which the feed fails all the same.
    - `workers`: threads that parse.

    Raises `SluiceError` if the feed cannot be opened. The reader gives each batch once; it is closed by `close()`, by `with`, or when it is
    collected, at any time.
    """
    # What the parameters are, and nothing else so far.
    return _open(**locals())


def rejects(
    path: str | os.PathLike[str],
    columns: Optional[Columns] = None,
    *,
    at: Optional[str] = None,
    at_optional: Optional[bool] = None,
    range: Optional[tuple[int, Optional[int]]] = None,
    format: Optional[str] = None,
    compression: Optional[str] = None,
    schema: Optional[Schema] = None,
    formats: Optional[bool] = None,
    limit: Optional[int] = None,
    batch_size: Optional[int] = None,
    sample_size: Optional[int] = None,
    unknown_keys: Optional[str] = None,
    sensitive: Optional[Sequence[str]] = None,
    workers: Optional[int] = None,
) -> pyarrow.RecordBatchReader:
    """The records that `scan` with the same arguments rejects, one row each.

    The columns are `file` (string), `start` and `end` (int64: its bytes in the file, or in what a compressed file holds), `line` (int64,
    counted from the start of the range), `path` (string: the value that is wrong) and `reason` (string).
    """
    return _open(**locals(), mode="rejects")


def _open(
    path: str | os.PathLike[str], columns: Optional[Columns], range: Optional[tuple[int, Optional[int]]], **others: Any
) -> pyarrow.RecordBatchReader:
    """Opens a feed with options that are named as parameters are: the library then names them in the same way."""
    options: dict[str, Any] = dict(others)
    sensitive = options.get("sensitive")
    if isinstance(sensitive, str):
        raise SluiceError(f"sensitive is a list, not a text; write [{sensitive!r}]")
    if sensitive is not None:
        options["sensitive"] = list(sensitive)
    schema = options.get("schema")
    if isinstance(schema, os.PathLike):
        options["schema"] = os.fspath(schema)
    elif isinstance(schema, Mapping):
        options["schema"] = dict(schema)
    if columns is not None:
        options["columns"] = column_option(columns)
        if isinstance(columns, pyarrow.Schema):
            options["required"] = required_columns(columns)
    if range is not None:
        start, end = range
        options["range"] = [start, END if end is None else end]
    return open_stream(path, options)


def column_option(columns: Columns) -> Any:
    """Columns in the library's form."""
    if isinstance(columns, str):
        raise SluiceError(f"columns are a list or a mapping, not a text; write [{columns!r}]")
    if isinstance(columns, pyarrow.Schema):
        columns = {column_text(field): field for field in columns}
    if isinstance(columns, Mapping):
        return {path: type_option(type) for path, type in columns.items()}
    return list(columns)


def column_text(field: pyarrow.Field) -> str:
    """A column in the library's form: the path of its values, with its name before it where the path does not say the name."""
    path = (field.metadata or {}).get(b"sluice.path")
    if path is None and "=" not in field.name:
        return str(field.name)
    return f"{json.dumps(field.name, ensure_ascii=False)}={field.name if path is None else path.decode()}"


def required_columns(schema: pyarrow.Schema) -> list[str]:
    """The columns of a schema that are not nullable: a record without a value for one is invalid.

    Raises `SluiceError` for a part of a list or struct that is not nullable: the library gives null for a missing part.
    """
    for field in schema:
        inner = part_without_null(field.type)
        if inner is not None:
            raise SluiceError(f"{inner!r} of the column {field.name!r} is not nullable; only whole columns can be")
    return [field.name for field in schema if not field.nullable]


def part_without_null(type: pyarrow.DataType) -> Optional[str]:
    """The name of a field inside a list or struct that is not nullable; None if there is none."""
    inner = [type.value_field] if pyarrow.types.is_list(type) else list(type) if pyarrow.types.is_struct(type) else []
    for field in inner:
        name = field.name if not field.nullable else part_without_null(field.type)
        if name is not None:
            return name
    return None


def type_option(type: Union[Type, pyarrow.Field]) -> Any:
    """A type, or that of a field, in the library's form: a name, `[type]` for a list, `{key: type}` for an object."""
    if isinstance(type, pyarrow.Field):
        # To Arrow, JSON is a string; the library marks it.
        is_json = (type.metadata or {}).get(b"sluice.type") == b"json"
        return "json" if is_json else type_option(type.type)
    if isinstance(type, pyarrow.DataType):
        for name, known in _ARROW_TYPES.items():
            # Only the very type: another width would not be what comes out.
            if type == known:
                return name
        if pyarrow.types.is_decimal128(type) and 0 <= type.scale <= type.precision <= 18:
            return f"decimal({type.precision},{type.scale})"
        if pyarrow.types.is_list(type):
            return [type_option(type.value_field)]
        if pyarrow.types.is_struct(type):
            return {field.name: type_option(field) for field in type}
        names = ", ".join(_ARROW_TYPES)
        raise SluiceError(
            f"there is no column type for Arrow's {type}; there are {names}, decimal128 with at most 18 digits, lists and structs of them, and json"
        )
    if isinstance(type, Mapping):
        return {key: type_option(member) for key, member in type.items()}
    if isinstance(type, list):
        return [type_option(element) for element in type]
    # The library knows which names there are.
    return type
