"""What the tests share: files of records, the tool `sluice`, and a Spark session."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = str(pathlib.Path(__file__).parent)
ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, HERE)


@pytest.fixture(scope="session")
def tool() -> str:
    """The command-line tool: what SLUICE_TOOL names, or a release build of this clone."""
    places = [os.environ.get("SLUICE_TOOL"), str(ROOT / ".build/release/sluice"), shutil.which("sluice")]
    for place in places:
        if place and os.access(place, os.X_OK):
            return place
    pytest.skip("the tool is not built: swift build -c release --product sluice --traits CommandLine,Compression")


def _spark(master: str):
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    pyspark = pytest.importorskip("pyspark", minversion="4.0")
    from pyspark.sql import SparkSession

    # Workers run in this interpreter's environment, and all of Spark stays on this machine.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [HERE, os.environ.get("PYTHONPATH")]))
    session = (
        SparkSession.builder.master(master)
        .appName(f"sluice-tests-{pyspark.__version__}")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    from sluice.spark import register

    register(session)
    return session


@pytest.fixture(scope="session")
def spark():
    """Two cores; a task is tried four times, as on a cluster. (`local[2]` would try it once.)"""
    session = _spark("local[2,4]")
    yield session
    session.stop()


@pytest.fixture()
def shell(tmp_path, tool):
    """Runs a script of bash in a folder of its own, with `sluice` on the path; gives the finished process."""

    def run(script: str, check: bool = True) -> subprocess.CompletedProcess:
        environment = {**os.environ, "PATH": f"{pathlib.Path(tool).parent}:{os.environ['PATH']}"}
        return subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, text=True, capture_output=True, check=check)

    return run
