"""Where the library is looked for, and that each stream is released."""

import ctypes
import ctypes.util
import gc
import os
import pathlib
import re
import subprocess
import sys

import pytest

import records
import sluice
from sluice import _library


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def in_new_process(script: str, **environment: str) -> str:
    variables = {**os.environ, **environment}
    finished = subprocess.run([sys.executable, "-c", script], env=variables, text=True, capture_output=True)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_the_library_has_a_version():
    assert sluice.library_version()


def test_the_library_is_the_one_that_the_variable_names():
    script = "import sluice\ntry: sluice.library_version()\nexcept sluice.SluiceError as error: print(error)"
    assert "nowhere/libSluiceArrow.so" in in_new_process(script, SLUICE_LIBRARY="/nowhere/libSluiceArrow.so")


def test_another_library_is_refused():
    other = ctypes.util.find_library("c") or ctypes.util.find_library("m")
    script = "import sluice\ntry: sluice.library_version()\nexcept sluice.SluiceError as error: print(error)"
    assert "sluice_open" in in_new_process(script, SLUICE_LIBRARY=other)


def test_a_missing_library_says_how_to_build_it():
    script = (
        "import ctypes.util, sluice, pathlib\nctypes.util.find_library = lambda name: None\npathlib.Path.exists = lambda self: False\n"
        "try: sluice.scan('x')\nexcept sluice.SluiceError as error: print(error)"
    )
    assert "swift build -c release --product SluiceArrow" in in_new_process(script, SLUICE_LIBRARY="")


def test_the_struct_has_the_size_that_the_specification_gives():
    assert ctypes.sizeof(_library.ArrowArrayStream) == 5 * ctypes.sizeof(ctypes.c_void_p)


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="the memory of a process is read from /proc")
def test_streams_that_are_dropped_half_way_are_released(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=21, count=5000))

    def drop(count: int) -> None:
        for index in range(count):
            reader = sluice.scan(path, records.COLUMNS, batch_size=500)
            batches = [next(reader) for _ in range(index % 4)]
            if index % 2:
                reader.close()
            del reader
            # A batch outlives its stream.
            assert all(batch["id"].to_pylist()[-1] % 500 == 499 for batch in batches)

    drop(50)
    gc.collect()
    before, files = resident(), len(os.listdir("/proc/self/fd"))
    drop(400)
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == files
    # Each of these streams holds far more than 100 KB of buffers: a leak of one in ten would show.
    assert resident() - before < 400 * 10_000


def test_streams_are_read_in_several_threads(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=22, count=2000))
    spans = sluice.ranges(path, count=8)
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda span: records.read(sluice.scan(path, records.COLUMNS, range=span)), spans)
        assert [row for part in parts for row in part] == records.rows(path.read_bytes())


def test_errors_belong_to_the_thread_that_made_them(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    def error_of(index: int) -> str:
        with pytest.raises(sluice.SluiceError) as caught:
            sluice.scan(tmp_path / f"missing-{index}", ["id"])
        return str(caught.value)

    with ThreadPoolExecutor(4) as pool:
        for index, text in enumerate(pool.map(error_of, range(200))):
            assert re.search(rf"missing-{index}\b", text), text
