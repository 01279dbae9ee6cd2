"""How far files have grown: offsets of a stream, which Spark keeps in its checkpoint."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from typing import Any, Iterator, Optional

from ._errors import SluiceError

#: The bytes at the beginning of a file by which it is known again.
HEAD = 256

#: The bytes that are read at once while the last line end is looked for.
BLOCK = 1 << 16


@dataclass(frozen=True)
class Growth:
    """A file that is read up to a place, which must be there in every attempt."""

    end: int
    #: A checksum of its first bytes.
    head: int
    #: Whether it may have grown since. Another file is read as a whole.
    lines: bool


def offset_of(path: str, before: Optional[dict[str, Any]], lines: bool) -> dict[str, Any]:
    """The place up to which a file can be read: after its last line end, or the end of a file that is read as a whole.

    Raises `SluiceError` if the file is not the one that was read before, or has less.
    """
    if before is not None:
        check_growth(path, Growth(before["end"], before["head"], before["lines"]))
        if not before["lines"]:
            return before
    end = last_line_end(path, 0 if before is None else before["end"]) if lines else os.stat(path).st_size
    return {"end": end, "head": head(path, end), "lines": lines}


def grown_ranges(start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Ranges that cover the lines between two line starts, none much longer than `size` bytes.

    A range owns the lines that begin after the first line end at or after its start. So one that begins a byte earlier, at the line end
    itself, owns the line after it.
    """
    cuts = [*range(start, end, size), end]
    for left, right in zip(cuts, cuts[1:]):
        yield (left - 1 if left > 0 else 0, right - 1)


def last_line_end(path: str, start: int) -> int:
    """The place after the last line feed of a file, at or after `start`."""
    with open(path, "rb") as file:
        place = file.seek(0, os.SEEK_END)
        while place > start:
            block = min(BLOCK, place - start)
            file.seek(place - block)
            found = file.read(block).rfind(b"\n")
            if found >= 0:
                return place - block + found + 1
            place -= block
    return start


def head(path: str, end: int) -> int:
    with open(path, "rb") as file:
        return zlib.crc32(file.read(min(HEAD, end)))


def check_growth(path: str, growth: Growth) -> None:
    """Fails unless the file still has what was read of it, or is about to be."""
    size = os.stat(path).st_size
    if size < growth.end or (size > growth.end and not growth.lines):
        way = "become shorter" if size < growth.end else "grown, but is not read line by line"
        raise SluiceError(f"{path} has {way}: {size} bytes now, {growth.end} before; move whole files in, and add lines only at the end")
    if head(path, growth.end) != growth.head:
        raise SluiceError(f"{path} is not the file that was read before: its first bytes are different")
