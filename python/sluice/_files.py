"""Which files a path names, as `spark.read.json` chooses them: patterns, hidden files, folders, and folders that are partition columns.

Spark's rules are in HadoopFSUtils, PartitioningUtils and Hadoop's GlobPattern; the tests compare both on the same folders.
"""

from __future__ import annotations

import datetime
import os
import re
from dataclasses import dataclass
from typing import Iterable, Iterator, Optional, Sequence
from urllib.parse import unquote

import pyarrow

from ._errors import SluiceError

#: What Hive writes for null in the name of a folder.
NULL_VALUE = "__HIVE_DEFAULT_PARTITION__"

#: Names of partition columns, and the texts of their values.
Values = tuple[tuple[str, Optional[str]], ...]


class NoFile(SluiceError):
    """A path names no file, or none that counts."""


@dataclass(frozen=True)
class Found:
    """A file, and what its folders say."""

    path: str
    values: Values = ()


def choose(patterns: Sequence[str], recursive: bool, name_pattern: Optional[str], base: Optional[str]) -> list[Found]:
    """The files of some paths, sorted, each once.

    - `recursive`: all files in sub-folders, too; then no folder is a partition column (Spark's recursiveFileLookup).
    - `name_pattern`: only files with such a name (pathGlobFilter).
    - `base`: the folder at which partition columns begin, if it is not the path itself (basePath).

    Raises `NoFile` if a path has no file, and `SluiceError` if the folders do not have the same partition columns.
    """
    found: set[Found] = set()
    for pattern in patterns:
        files = [file for root in roots(pattern) for file in files_at(root, recursive, base)]
        if name_pattern is not None:
            matcher = re.compile("|".join(component_regex(part) for part in expanded(name_pattern)), re.DOTALL)
            files = [file for file in files if matcher.fullmatch(os.path.basename(file.path))]
        if not files:
            raise NoFile(f"there is no file at {pattern} (names that begin with '_' or '.' are left out)")
        found.update(files)
    check_partitions(found)
    return sorted(found, key=lambda file: file.path)


def is_hidden(name: str) -> bool:
    """Whether Spark leaves a name out: files that are not there yet, and those that are no data."""
    if name.startswith(("_metadata", "_common_metadata")):
        return False
    return name.startswith(".") or name.endswith("._COPYING_") or (name.startswith("_") and "=" not in name)


# Folders


def files_at(root: str, recursive: bool, base: Optional[str]) -> Iterator[Found]:
    """A file, or those in a folder."""
    root = os.path.abspath(root)
    if not os.path.isdir(root):
        if not is_hidden(os.path.basename(root)):
            yield Found(root)
        return
    start = os.path.abspath(base) if base is not None else root
    if not (root + os.sep).startswith(start.rstrip(os.sep) + os.sep):
        raise SluiceError(f"basePath {start} is not a folder above {root}")
    leaves = list(leaf_files(root))
    if recursive:
        yield from (Found(path) for path in leaves)
        return
    valued = [Found(path, partition_values(os.path.dirname(path), start)) for path in leaves]
    if any(file.values for file in valued):
        yield from (file for file in valued if file.values or os.path.dirname(file.path) == root)
    else:
        yield from (file for file in valued if os.path.dirname(file.path) == root)


def leaf_files(folder: str) -> Iterator[str]:
    """All files in a folder and below it that are not hidden."""
    for entry in os.scandir(folder):
        if is_hidden(entry.name):
            continue
        if entry.is_dir():
            yield from leaf_files(entry.path)
        else:
            yield entry.path


def partition_values(folder: str, start: str) -> Values:
    """The columns of the folders from `start` down to `folder`: `day=2026-01-01/hour=7`. They end at the first folder whose name has no `=`."""
    values: list[tuple[str, Optional[str]]] = []
    while folder != start and folder != os.path.dirname(folder):
        name, equals, text = os.path.basename(folder).partition("=")
        if equals and name and text:
            value = unquote(text)
            values.append((unquote(name), None if value == NULL_VALUE else value))
        elif values:
            break
        folder = os.path.dirname(folder)
    return tuple(reversed(values))


def check_partitions(files: Iterable[Found]) -> None:
    """Fails unless all files have the same partition columns. Spark leaves out files beside such folders without a word."""
    examples: dict[tuple[str, ...], str] = {}
    for file in files:
        examples.setdefault(tuple(name for name, _ in file.values), file.path)
    if len(examples) > 1:
        first, second = sorted(examples.items())[:2]
        raise SluiceError(
            f"the folders have different partition columns: {', '.join(first[0]) or 'none'} at {first[1]}, "
            f"{', '.join(second[0]) or 'none'} at {second[1]}; read them one by one, or with recursiveFileLookup = true"
        )


# Partition columns


def partition_types(files: Sequence[Found]) -> dict[str, pyarrow.DataType]:
    """The type of each partition column, as Spark finds it: an integer, a number, a date, or a text."""
    texts: dict[str, list[str]] = {}
    for file in files:
        for name, text in file.values:
            texts.setdefault(name, []).extend([] if text is None else [text])
    return {name: common_type(found) for name, found in texts.items()}


def common_type(texts: Sequence[str]) -> pyarrow.DataType:
    types = {text_type(text) for text in texts}
    if len(types) == 1:
        return types.pop()
    if types and types <= {pyarrow.int32(), pyarrow.int64()}:
        return pyarrow.int64()
    if types and types <= {pyarrow.int32(), pyarrow.int64(), pyarrow.float64()}:
        return pyarrow.float64()
    return pyarrow.string()


def text_type(text: str) -> pyarrow.DataType:
    if re.fullmatch(r"[+-]?[0-9]+", text):
        number = int(text)
        if -(2**31) <= number < 2**31:
            return pyarrow.int32()
        if -(2**63) <= number < 2**63:
            return pyarrow.int64()
        return pyarrow.string()
    if re.fullmatch(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)", text):
        return pyarrow.float64()
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        try:
            datetime.date.fromisoformat(text)
            return pyarrow.date32()
        except ValueError:
            pass
    return pyarrow.string()


def partition_scalar(name: str, text: Optional[str], type: pyarrow.DataType) -> pyarrow.Scalar:
    """The value of a folder's name. Raises `SluiceError` if it is not of the type."""
    try:
        if text is not None and pyarrow.types.is_integer(type):
            return pyarrow.scalar(int(text), type)
        return pyarrow.scalar(text, pyarrow.string()).cast(type)
    except (pyarrow.ArrowException, ValueError, OverflowError) as error:
        raise SluiceError(f"the folder {name}={text} is no value of the type {type}: {error}") from None


# Patterns


def roots(pattern: str) -> list[str]:
    """What a path with Hadoop's patterns names: `*`, `?`, `[a-c]`, `[^a]`, `{a,b}`, and a backslash before a sign that is meant itself."""
    path = local_path(pattern)
    if not re.search(r"[][{}*?\\]", path):
        return [path] if os.path.exists(path) else []
    found: dict[str, None] = {}
    for part in expanded(path):
        found.update(dict.fromkeys(matches(part)))
    # A name may hold the signs of a pattern.
    return list(found) or ([path] if os.path.exists(path) else [])


def local_path(path: str) -> str:
    """The path of a local file, which may be given as `file:/…` or `file:///…`. As in Spark, `#` and `%` are signs of a name."""
    local = re.fullmatch(r"file:(?://)?(/.*)", path, re.DOTALL)
    if local:
        return local[1]
    if "://" in path:
        raise SluiceError(f"the data source sluice reads files that each machine sees under one path, not {path}")
    return path


def expanded(pattern: str) -> list[str]:
    """The patterns without braces that one with braces stands for."""
    depth, start, index = 0, 0, 0
    commas: list[int] = []
    while index < len(pattern):
        sign = pattern[index]
        if sign == "\\":
            index += 1
        elif sign == "{":
            if depth == 0:
                start, commas = index, []
            depth += 1
        elif sign == "," and depth == 1:
            commas.append(index)
        elif sign == "}" and depth > 0:
            depth -= 1
            if depth == 0:
                cuts = [start, *commas, index]
                parts = [pattern[left + 1 : right] for left, right in zip(cuts, cuts[1:])]
                return [pattern[:start] + more for part in parts for more in expanded(part + pattern[index + 1 :])]
        index += 1
    if depth:
        raise SluiceError(f"the pattern {pattern} has a brace that is not closed")
    return [pattern]


def matches(pattern: str) -> list[str]:
    """The paths that fit a pattern without braces, name by name."""
    places = ["/" if pattern.startswith("/") else ""]
    for component in filter(None, pattern.split("/")):
        if re.search(r"[][*?\\]", component):
            regex = re.compile(component_regex(component), re.DOTALL)
            places = [os.path.join(place, name) for place in places for name in names_in(place or ".") if regex.fullmatch(name)]
        else:
            places = [path for path in (os.path.join(place, component) for place in places) if os.path.lexists(path)]
    return sorted(place for place in places if os.path.exists(place))


def names_in(folder: str) -> list[str]:
    return os.listdir(folder) if os.path.isdir(folder) else []


def component_regex(pattern: str) -> str:
    """A pattern for one name as a regular expression."""
    regex, index = "", 0
    while index < len(pattern):
        sign = pattern[index]
        if sign == "*":
            regex += ".*"
        elif sign == "?":
            regex += "."
        elif sign == "\\" and index + 1 < len(pattern):
            index += 1
            regex += re.escape(pattern[index])
        elif sign == "[" and "]" in pattern[index + 2 :]:
            end = pattern.index("]", index + 2)
            inner = pattern[index + 1 : end]
            negated = inner[0] in "^!"
            regex += f"[{'^' if negated else ''}{re.sub(r'([][^])', lambda m: chr(92) + m[0], inner[negated:])}]"
            index = end
        else:
            regex += re.escape(sign)
        index += 1
    return regex
