"""Cuts a file into ranges of bytes, for several processes or machines that share the work."""

from __future__ import annotations

import os
from typing import Optional

from ._errors import SluiceError


def ranges(path: str | os.PathLike[str], *, size: Optional[int] = None, count: Optional[int] = None) -> list[tuple[int, int]]:
    """Ranges that cover a file of lines, in its order: `count` of them, or as many as make none longer than `size` bytes.

        for start, end in sluice.ranges("events.ndjson", count=8):
            sluice.scan("events.ndjson", columns, range=(start, end))

    They are cut by length alone, without a look at the file: a range owns the lines that begin in it (see `scan`), so that each record is
    read exactly once. A file without a byte has one range, a file shorter than `count` bytes fewer than `count`.
    """
    return cut(os.stat(path).st_size, size=size, count=count)


def cut(length: int, *, size: Optional[int] = None, count: Optional[int] = None) -> list[tuple[int, int]]:
    """Ranges of nearly one length that cover `length` bytes."""
    if size is not None and count is None:
        if size < 1:
            raise SluiceError(f"a range has at least one byte, not {size}")
        count = -(-length // size)
    elif count is None or size is not None:
        raise SluiceError("ranges need either a size or a count")
    elif count < 1:
        raise SluiceError(f"there is at least one range, not {count}")
    count = max(min(count, length), 1)
    places = [length * index // count for index in range(count + 1)]
    return list(zip(places, places[1:]))
