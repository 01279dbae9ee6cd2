"""Nothing is left when streams are dropped half-way, seen by valgrind. See half_dropped.c."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

import records
from sluice import _library


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None or shutil.which("valgrind") is None:
        pytest.skip("valgrind or a C compiler is not installed")
    folder = tmp_path_factory.mktemp("program")
    source = pathlib.Path(__file__).with_name("half_dropped.c")
    # Valgrind cannot read the newest DWARF of the library; the copy has none.
    library = folder / _library.FILE_NAME
    subprocess.run(["strip", "--strip-debug", "-o", library, _library.place()], check=True)
    # Linked, not loaded at run time: valgrind takes what the loader does then for a mistake.
    options = ["-std=c11", "-O1", f"-Wl,-rpath,{folder}", "-Wl,--unresolved-symbols=ignore-in-shared-libs"]
    subprocess.run([compiler, *options, "-o", folder / "half_dropped", source, library], check=True)
    return folder / "half_dropped"


@pytest.mark.parametrize("mode, invalid, workers", [("records", "throw", 0), ("records", "skip", 2), ("rejects", "throw", 0)])
def test_streams_that_are_dropped_leave_nothing(program, tmp_path, mode, invalid, workers):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=61, count=300, wrong=0.02))
    options = {"columns": records.COLUMNS, "batchSize": 40 if mode == "records" else 2, "mode": mode, "invalidRecords": invalid}
    if workers:
        options["workers"] = workers
    valgrind = ["valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=9"]
    valgrind += ["--show-leak-kinds=definite,indirect"]
    finished = subprocess.run(
        [*valgrind, program, path, json.dumps(options)], env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, text=True, capture_output=True
    )
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) > 0
