"""A stream over a folder that grows: each line once, whatever is killed."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sluice
from sluice._growth import grown_ranges, last_line_end, offset_of

pytest.importorskip("pyspark", minversion="4.0")
pytestmark = pytest.mark.spark

HERE = Path(__file__).parent
COLUMNS = '{"id": "int64"}'


def lines(numbers) -> str:
    return "".join('{"id":%d,"text":"%s"}\n' % (number, "x" * (number % 50)) for number in numbers)


def run_once(spark, place, **options):
    """Reads what is there now into a table of Parquet files, and returns all its numbers."""
    stream = spark.readStream.format("sluice").options(columns=COLUMNS, **options).load(str(place / "in"))
    query = (
        stream.writeStream.format("parquet").option("checkpointLocation", str(place / "checkpoint"))
        .trigger(availableNow=True).start(str(place / "out"))
    )
    query.awaitTermination()
    return stored(spark, place)


def stored(spark, place):
    return sorted(row["id"] for row in spark.read.schema("id LONG").parquet(str(place / "out")).collect())


@pytest.fixture()
def place(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path


def test_a_folder_that_grows_is_read_line_by_line_once(spark, place):
    assert run_once(spark, place) == []
    (place / "in/a.ndjson").write_text(lines(range(100)) + '{"id":100')
    assert run_once(spark, place, splitSize=700) == list(range(100))
    assert run_once(spark, place) == list(range(100))
    with (place / "in/a.ndjson").open("a") as file:
        file.write("}\n" + lines(range(101, 200)))
    (place / "in/b.ndjson.gz").write_bytes(gzip.compress(lines(range(200, 250)).encode()))
    (place / "in/_c.ndjson").write_text(lines([7]))
    assert run_once(spark, place, splitSize=700) == list(range(250))
    # A file that is gone is not read again when it comes back.
    os.rename(place / "in/b.ndjson.gz", place / "b")
    (place / "in/d.ndjson").write_text(lines(range(250, 260)))
    assert run_once(spark, place) == list(range(260))
    os.rename(place / "b", place / "in/b.ndjson.gz")
    assert run_once(spark, place) == list(range(260))


def test_a_batch_that_was_not_finished_is_read_again_and_then_the_rest(spark, place):
    path = place / "in/a.ndjson"
    path.write_text(lines(range(10)))
    run_once(spark, place)
    # As if it had been killed before the end of the batch.
    for name in ("0", ".0.crc"):
        (place / "checkpoint/commits" / name).unlink()
    with path.open("a") as file:
        file.write(lines(range(10, 20)))
    found = run_once(spark, place)
    if tuple(int(part) for part in spark.version.split(".")[:2]) < (4, 2):
        # Such a query ends there with the batch that was not finished.
        found = run_once(spark, place)
    assert found == list(range(20))


@pytest.mark.parametrize("change, reason", [
    (lambda path: path.write_text(lines(range(10))), "has become shorter"),
    (lambda path: path.write_text(lines(range(500, 900))), "its first bytes are different"),
])
def test_a_file_that_is_not_the_one_before_fails_the_query(spark, place, change, reason):
    path = place / "in/a.ndjson"
    path.write_text(lines(range(100)))
    run_once(spark, place)
    change(path)
    with pytest.raises(Exception, match=reason):
        run_once(spark, place)
    assert stored(spark, place) == list(range(100))


def test_a_whole_file_that_grows_fails_the_query(spark, place):
    path = place / "in/a.ndjson.gz"
    path.write_bytes(gzip.compress(lines(range(10)).encode()))
    run_once(spark, place)
    path.write_bytes(path.read_bytes() + gzip.compress(lines(range(10, 20)).encode()))
    with pytest.raises(Exception, match="has grown, but is not read line by line"):
        run_once(spark, place)


def test_an_invalid_record_fails_the_query_or_is_a_row_of_the_rejects(spark, place):
    (place / "in/a.ndjson").write_text(lines(range(5)) + '{"id":"x"}\n' + lines(range(5, 9)))
    with pytest.raises(Exception, match="line 6"):
        run_once(spark, place)
    assert run_once(spark, place, invalidRecords="skip") == list(range(9))
    stream = spark.readStream.format("sluice").options(columns=COLUMNS, mode="rejects").load(str(place / "in"))
    query = stream.writeStream.format("memory").queryName("rejected").trigger(availableNow=True).option(
        "checkpointLocation", str(place / "rejects")).start()
    query.awaitTermination()
    assert [row["path"] for row in spark.table("rejected").collect()] == ["id"]


def test_a_stream_needs_types(spark, place):
    (place / "in/a.ndjson").write_text(lines(range(5)))
    for options in ({}, {"columns": "id"}):
        with pytest.raises(Exception, match="a stream needs the types of its columns"):
            stream = spark.readStream.format("sluice").options(**options).load(str(place / "in"))
            stream.writeStream.format("noop").option("checkpointLocation", str(place / "c")).trigger(availableNow=True).start().awaitTermination()


def test_columns_of_folders_are_columns_of_a_stream(spark, place):
    (place / "in/day=1").mkdir()
    (place / "in/day=1/a.ndjson").write_text(lines(range(3)))
    stream = spark.readStream.format("sluice").schema("id LONG, day STRING").load(str(place / "in"))
    query = stream.writeStream.format("memory").queryName("days").option("checkpointLocation", str(place / "c")).trigger(availableNow=True).start()
    query.awaitTermination()
    assert sorted(spark.table("days").collect()) == [(0, "1"), (1, "1"), (2, "1")]


#: A program that reads a folder into another one until it is killed.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[3])
from conftest import _spark
spark = _spark("local[2,4]")
stream = spark.readStream.format("sluice").options(columns='{"id": "int64"}', splitSize=100000).load(sys.argv[1] + "/in")
query = (stream.writeStream.format("parquet").option("checkpointLocation", sys.argv[1] + "/checkpoint")
         .trigger(processingTime="100 milliseconds").start(sys.argv[1] + "/out"))
print("started", flush=True)
query.awaitTermination()
"""


def test_each_line_is_stored_once_though_the_query_is_killed(spark, place):
    def batches() -> int:
        folder = place / "checkpoint/offsets"
        return sum(path.name.isdigit() for path in folder.iterdir()) if folder.exists() else 0

    written = 0
    kills = 0
    for seconds in (0.0, 0.3, 0.7):
        program = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(place), "-", str(HERE)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True,
        )
        try:
            assert program.stdout.readline() == "started\n"
            before, deadline, end = batches(), time.monotonic() + 120, float("inf")
            # Killed in the middle of a batch that has begun.
            while time.monotonic() < end:
                assert time.monotonic() < deadline
                if end == float("inf") and batches() > before:
                    end = time.monotonic() + seconds
                # Files that grow, in pieces that end anywhere, and new ones.
                with (place / f"in/{written // 3000}.ndjson").open("a") as file:
                    text = lines(range(written, written + 50))
                    file.write(text[: len(text) // 2])
                    file.flush()
                    file.write(text[len(text) // 2 :])
                written += 50
                time.sleep(0.05)
            kills += program.poll() is None
        finally:
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
    assert kills == 3 and written > 100 and batches() >= 3
    run_once(spark, place, splitSize=100_000)
    assert run_once(spark, place, splitSize=100_000) == list(range(written))


# Offsets


def test_a_line_counts_once_its_end_is_there(tmp_path):
    path = tmp_path / "a"
    for text, end in [(b"", 0), (b"abc", 0), (b"abc\n", 4), (b"abc\nde", 4), (b"a\n" + b"x" * 200_000, 2), (b"x" * 200_000 + b"\n", 200_001)]:
        path.write_bytes(text)
        assert last_line_end(str(path), 0) == end
        assert offset_of(str(path), None, True)["end"] == end
    path.write_bytes(b"abc\ndef\ng")
    assert last_line_end(str(path), 4) == 8 and last_line_end(str(path), 8) == 8


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_ranges_between_two_line_starts_give_each_line_once(tmp_path, size):
    path = tmp_path / "a.ndjson"
    path.write_text(lines(range(30)))
    text = path.read_bytes()
    starts = [0, *(index + 1 for index, byte in enumerate(text) if byte == 10)]
    for first, last in [(0, 30), (0, 1), (3, 4), (3, 30), (5, 5), (29, 30)]:
        found = []
        for span in grown_ranges(starts[first], starts[last], size):
            found += sluice.scan(path, {"id": "int64"}, range=span, format="lines").read_all()["id"].to_pylist()
        assert found == list(range(first, last))


def test_an_offset_is_json(tmp_path):
    path = tmp_path / "a"
    path.write_text("{}\n")
    assert json.loads(json.dumps(offset_of(str(path), None, True))) == offset_of(str(path), None, True)
