"""Other ways from Spark to Sluice, `mapInArrow` and `rdd.pipe`, with their traps."""

import json

import pytest

import records
import sluice

pytest.importorskip("pyspark", minversion="4.0")
pytestmark = pytest.mark.spark


@pytest.fixture()
def events(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=51, count=1000, mark=False))
    return path


def read_ranges(batches):
    """Rows of (path, start, end) come in, records go out. A batch may hold several ranges, or none."""
    import sluice

    for batch in batches:
        for part in batch.to_pylist():
            yield from sluice.scan(part["path"], {"id": "int64", "score": "double"}, range=(part["start"], part["end"]))


def test_map_in_arrow_reads_ranges(spark, events):
    parts = [(str(events), start, end) for start, end in sluice.ranges(events, count=8)]
    # Without a number of partitions of its own, Spark may put all ranges into few tasks.
    frame = spark.createDataFrame(spark.sparkContext.parallelize(parts, len(parts)), "path STRING, start BIGINT, end BIGINT")
    assert frame.rdd.getNumPartitions() == 8
    found = [(row["id"], row["score"]) for row in frame.mapInArrow(read_ranges, "id BIGINT, score DOUBLE").collect()]
    assert found == [(row["id"], row["score"]) for row in records.rows(events.read_bytes())]


def test_map_in_arrow_fails_with_its_task(spark, events):
    with events.open("ab") as more:
        more.write(b'\n{"id":"x"}\n')
    frame = spark.createDataFrame([(str(events), 0, 2**62)], "path STRING, start BIGINT, end BIGINT")
    with pytest.raises(Exception, match="id.*expected"):
        frame.mapInArrow(read_ranges, "id BIGINT, score DOUBLE").collect()


def test_pipe_with_check_code_reads_each_record_once(spark, tool, events):
    lines = spark.sparkContext.textFile(str(events), 4)
    piped = lines.pipe(f"{tool} convert --format ndjson -", checkCode=True)
    assert [json.loads(line)["id"] for line in piped.collect()] == list(range(1000))


def test_pipe_without_check_code_hides_a_failure(spark, tool, events):
    """The trap: PySpark leaves `checkCode` off, and a program that fails then only gives fewer lines."""
    with events.open("ab") as more:
        more.write(b'\n{"id":\n')
    lines = spark.sparkContext.textFile(str(events), 4)
    command = f"{tool} convert --format ndjson -"
    assert lines.pipe(command).count() == 1000
    with pytest.raises(Exception, match="exited with status code 2|error code 2"):
        lines.pipe(command, checkCode=True).count()
