"""The shared library SluiceArrow: where it is looked for, and its three functions.

A path and options as JSON text go in; a `pyarrow.RecordBatchReader` comes out, which owns the library's stream.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import json
import os
import pathlib
import sys
from typing import Any, Mapping

import pyarrow

from ._errors import SluiceError

#: Names the library's file. If it is set, nothing else is looked at.
VARIABLE = "SLUICE_LIBRARY"
FILE_NAME = "libSluiceArrow.dylib" if sys.platform == "darwin" else "libSluiceArrow.so"


class ArrowArrayStream(ctypes.Structure):
    """The struct of Arrow's C stream interface. pyarrow reads it; only `release` is looked at here.

    https://arrow.apache.org/docs/format/CStreamInterface.html
    """


ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.c_void_p),
    ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))),
    ("private_data", ctypes.c_void_p),
]


def place() -> str:
    """The library's file: the one that SLUICE_LIBRARY names, the one beside this package, or the one that the system finds."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    beside = pathlib.Path(__file__).with_name(FILE_NAME)
    if beside.exists():
        return str(beside)
    found = ctypes.util.find_library("SluiceArrow")
    if found:
        return found
    raise SluiceError(
        f"the library SluiceArrow is not found: {VARIABLE} is not set, {beside} does not exist, and the system knows none. "
        "Build it with 'swift build -c release --product SluiceArrow --traits Compression'"
    )


@functools.lru_cache(maxsize=None)
def _load(file: str) -> ctypes.CDLL:
    # CDLL lets other threads of Python run while a function of the library does.
    try:
        library = ctypes.CDLL(file)
        library.sluice_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ArrowArrayStream)]
        library.sluice_open.restype = ctypes.c_int
        for function in (library.sluice_last_error, library.sluice_version):
            function.argtypes = []
            function.restype = ctypes.c_char_p
    except (OSError, AttributeError) as error:
        raise SluiceError(f"the library SluiceArrow cannot be loaded: {error}") from None
    return library


def load() -> ctypes.CDLL:
    """The library, loaded once."""
    return _load(place())


def library_version() -> str:
    """The version of the library that is in use."""
    return str(load().sluice_version(), "utf-8")


def open_stream(path: str | os.PathLike[str], options: Mapping[str, Any]) -> pyarrow.RecordBatchReader:
    """Opens a feed.

    Raises `SluiceError` with the library's text. The reader owns the stream: when it is closed or collected, the library releases all.
    """
    file = os.fsencode(path)
    # C would take what stands before it for the path.
    if b"\0" in file:
        raise SluiceError("a path cannot hold a null character")
    library = load()
    stream = ArrowArrayStream()
    number = library.sluice_open(file, json.dumps(options).encode(), ctypes.byref(stream))
    if number != 0:
        raise SluiceError((library.sluice_last_error() or b"unknown error").decode(errors="replace"), number)
    try:
        return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))
    finally:
        # pyarrow has moved the stream away, unless it could not take it.
        if stream.release:
            stream.release(ctypes.byref(stream))
