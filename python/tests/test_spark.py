"""The data source for Spark: its rows are those of a serial run, whatever the splits, and whatever fails on the way."""

import gzip
import json
import os
import pathlib

import pytest

import records
import sluice

pytest.importorskip("pyspark", minversion="4.0")
pytestmark = pytest.mark.spark

from sluice.spark import ReadPlan, SluiceReader  # noqa: E402

COLUMNS = json.dumps(records.COLUMNS)


@pytest.fixture()
def folder(tmp_path):
    """Four files, some with wrong lines, one of them empty."""
    place = tmp_path / "events"
    place.mkdir()
    for index, count in enumerate([700, 0, 300, 500]):
        (place / f"{index}.ndjson").write_bytes(records.feed(seed=30 + index, count=count, wrong=0.05 if index == 2 else 0))
    (place / "_SUCCESS").write_text("not a feed")
    (place / ".hidden").write_text("not a feed")
    return place


def source(spark, **options):
    reader = spark.read.format("sluice").option("columns", COLUMNS)
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader


def serial(files, **options):
    """The rows of a serial run, without Spark."""
    return [row for file in files for row in sluice.scan(file, records.COLUMNS, format="lines", **options).read_all().to_pylist()]


def collected(frame):
    return [row.asDict() for row in frame.collect()]


def test_eight_partitions_give_what_a_serial_run_gives_in_its_order(spark, folder):
    file = folder / "0.ndjson"
    frame = source(spark, splitSize=-(-file.stat().st_size // 8)).load(str(file))
    assert frame.rdd.getNumPartitions() == 8
    assert collected(frame) == serial([file])


def test_a_folder_is_read_file_by_file(spark, folder):
    frame = source(spark, splitSize=10_000, invalidRecords="skip").load(str(folder))
    assert collected(frame) == serial(sorted(folder.glob("*.ndjson")), invalid_records="skip")


def test_small_files_share_a_task_in_their_order(spark, folder):
    files = sorted(folder.glob("*.ndjson"))
    frame = source(spark, invalidRecords="skip").load(str(folder))
    assert frame.rdd.getNumPartitions() == 1
    assert collected(frame) == serial(files, invalid_records="skip")
    rejects = collected(source(spark, mode="rejects").load(str(folder)))
    assert {row["file"] for row in rejects} == {str(folder / "2.ndjson")}
    assert rejects == sluice.rejects(folder / "2.ndjson", records.COLUMNS, format="lines").read_all().to_pylist()


def test_a_split_of_several_files_costs_no_more_than_one_of_a_large_file(tmp_path):
    sizes = {"a": 600_000, "b": 50_000, "c": 3_000_000, "d": 10, "e": 200_000, "f.gz": 60_000, "g": 1_000_000}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(gzip.compress(os.urandom(size)) if "gz" in name else b"{}\n" * (size // 3) + b" " * (size % 3))
    splits = ReadPlan({"path": str(tmp_path), "splitSize": "1200000"}).splits()
    names = ["".join(os.path.basename(part.path)[0] for part in split.parts) for split in splits]
    # a and b with the cost of opening both; three ranges of c; d and e; the compressed file, which holds several times its size; g.
    assert names == ["ab", "c", "c", "c", "de", "f", "g"]
    ranges = [part.range for split in splits for part in split.parts]
    assert ranges == [(0, 600_000), (0, 50_000), (0, 10**6), (10**6, 2 * 10**6), (2 * 10**6, 3 * 10**6), (0, 10), (0, 200_000), None, (0, 10**6)]


def test_patterns_and_several_paths_are_read(spark, folder):
    expected = serial([folder / "0.ndjson", folder / "3.ndjson"])
    assert collected(source(spark).load(f"{folder}/[03].ndjson")) == expected
    assert collected(source(spark).load([f"{folder}/3.ndjson", f"file://{folder}/0.ndjson"])) == expected


def test_rejects_are_those_of_a_serial_run(spark, folder):
    file = folder / "2.ndjson"
    options = {"mode": "rejects", "splitSize": -(-file.stat().st_size // 8)}
    frame = source(spark, **options).load(str(file))
    assert frame.columns == ["file", "start", "end", "line", "path", "reason"]
    assert frame.rdd.getNumPartitions() == 8

    def places(rows):
        # Lines count from the start of a split.
        return [(row["file"], row["start"], row["end"], row["path"]) for row in rows]

    found = collected(frame)
    assert places(found) == places(sluice.rejects(file, records.COLUMNS, format="lines").read_all().to_pylist())
    assert len(found) > 5
    assert found == collected(source(spark, **options).load(str(file)))


def test_records_and_rejects_make_up_the_feed(spark, folder):
    file = folder / "2.ndjson"
    lines = [line for line in file.read_text("utf-8-sig").split("\n") if line.strip()]
    taken = source(spark, splitSize=5000, invalidRecords="skip").load(str(file)).count()
    assert taken + source(spark, splitSize=5000, mode="rejects").load(str(file)).count() == len(lines)


def test_an_invalid_record_fails_the_job_with_its_place(spark, folder):
    file = folder / "2.ndjson"
    with pytest.raises(Exception, match="2.ndjson, bytes [0-9]+ to [0-9]+") as caught:
        source(spark, splitSize=5000).load(str(file)).collect()
    assert "line " in str(caught.value) and "byte " in str(caught.value)


def test_columns_are_inferred_on_the_driver(spark, tmp_path):
    path = tmp_path / "few.ndjson"
    # In the first records score is a number; a split with nothing but nulls has the same columns.
    path.write_text('{"id":1,"score":0.5,"tags":[1]}\n' * 50 + '{"id":2,"score":null}\n' * 200)
    frame = spark.read.format("sluice").option("splitSize", 500).load(str(path))
    assert dict(frame.dtypes) == {"id": "bigint", "score": "double", "tags": "string"}
    rows = collected(frame)
    assert len(rows) == 250 and rows[0] == {"id": 1, "score": 0.5, "tags": "[1]"}
    named = spark.read.format("sluice").option("columns", "score, tags").option("splitSize", 500).load(str(path))
    assert dict(named.dtypes) == {"score": "double", "tags": "string"}
    assert len(collected(named)) == 250
    rejects = spark.read.format("sluice").option("mode", "rejects").option("splitSize", 500).load(str(path))
    assert collected(rejects) == []


def test_a_key_that_comes_after_the_sample_fails_the_job_where_columns_are_inferred(spark, tmp_path):
    path = tmp_path / "late.ndjson"
    path.write_text('{"id":1}\n' * 100 + '{"id":2,"late":7}\n')

    def read(**options):
        return spark.read.format("sluice").options(splitSize=200, sampleSize=10, **options).load(str(path))

    with pytest.raises(Exception) as caught:
        read().collect()
    assert "late" in str(caught.value) and "unknownKeys" in str(caught.value)
    assert len(collected(read(invalidRecords="skip"))) == 100
    assert len(collected(read(mode="rejects"))) == 1
    assert len(collected(read(unknownKeys="ignore"))) == 101
    assert len(collected(read(columns="id"))) == 101
    assert len(collected(spark.read.format("sluice").schema("id long").load(str(path)))) == 101


def test_the_schema_of_the_user_gives_columns_and_types(spark, folder):
    file = folder / "0.ndjson"
    frame = spark.read.format("sluice").schema("id BIGINT, score DOUBLE").option("splitSize", 5000).load(str(file))
    assert collected(frame) == [{"id": row["id"], "score": row["score"]} for row in serial([file])]
    with pytest.raises(Exception, match="int16"):
        spark.read.format("sluice").schema("id SMALLINT").load(str(file)).collect()


def test_a_column_that_is_not_null_has_a_value_in_each_record(spark, tmp_path):
    path = tmp_path / "nulls.ndjson"
    path.write_text('{"id":1}\n{}\n{"id":null}\n{"id":4}\n')
    reader = spark.read.format("sluice").schema("id LONG NOT NULL")
    with pytest.raises(Exception, match=r"(?s)nulls.ndjson.*missing key 'id' \(line 2"):
        reader.load(str(path)).collect()
    assert collected(reader.option("invalidRecords", "skip").load(str(path))) == [{"id": 1}, {"id": 4}]


def test_a_schema_of_the_user_beside_mode_rejects_is_refused_in_words(spark, folder):
    reader = spark.read.format("sluice").schema("id LONG").option("mode", "rejects")
    with pytest.raises(Exception, match="with mode = rejects the columns are file, start, end, line, path, reason, not id"):
        reader.load(str(folder / "2.ndjson")).collect()


@pytest.mark.parametrize(
    "options, text",
    [
        ({"mode": "PERMISSIVE"}, "the option mode is records or rejects, not 'PERMISSIVE'"),
        ({"invalidRecords": "drop"}, "the option invalidRecords is throw or skip, not 'drop'"),
        ({"format": "csv"}, "the option format is "),
        ({"batchSize": "0"}, "the option batchSize is a number"),
    ],
)
def test_wrong_options_are_named_while_loading(spark, folder, options, text):
    with pytest.raises(Exception, match=text):
        source(spark, **options).load(str(folder))
    # With a schema of the user, Spark asks the source only when a job is planned.
    frame = spark.read.format("sluice").schema("id LONG").options(**options).load(str(folder))
    with pytest.raises(Exception, match=text) as caught:
        frame.collect()
    assert "in stage" not in str(caught.value)


def test_lists_objects_and_times_reach_spark(spark, tmp_path):
    from test_scan import NESTED, NESTED_ROWS

    path = tmp_path / "nested.ndjson"
    path.write_text(NESTED)
    types = "at TIMESTAMP, sizes ARRAY<BIGINT>, actor STRUCT<login: STRING, roles: ARRAY<STRING>>"
    declared = '{"at": "timestamp", "sizes": ["int64"], "actor": {"login": "string", "roles": ["string"]}}'
    for reader in (spark.read.format("sluice").schema(types), spark.read.format("sluice").option("columns", declared)):
        rows = reader.load(str(path)).selectExpr("unix_micros(at) AS at", "sizes", "actor").collect()
        expected = [{**row, "at": row["at"] and int(row["at"].timestamp() * 1_000_000)} for row in NESTED_ROWS]
        assert [row.asDict(recursive=True) for row in rows] == expected


def test_a_compressed_file_is_one_split(spark, folder, tmp_path):
    path = tmp_path / "events.ndjson.gz"
    path.write_bytes(gzip.compress((folder / "0.ndjson").read_bytes()))
    frame = source(spark, splitSize=1000).load(str(path))
    assert frame.rdd.getNumPartitions() == 1
    assert collected(frame) == serial([folder / "0.ndjson"])


def test_records_inside_documents_are_one_split(spark, tmp_path):
    path = tmp_path / "page.json"
    path.write_text('{"data": {"items": [\n' + ",\n".join('{"id": %d}' % index for index in range(100)) + "\n]}}")
    frame = spark.read.format("sluice").options(columns='{"id": "int64"}', at="data.items", splitSize="100").load(str(path))
    assert [row["id"] for row in collected(frame)] == list(range(100))


@pytest.mark.parametrize(
    "options, text",
    [
        ({"colums": "id"}, "no option 'colums'"),
        ({"columns": '{"id": }'}, "not JSON"),
        ({"splitSize": "big"}, "splitSize"),
        ({"splitSize": "0"}, "splitSize"),
    ],
)
def test_wrong_options_are_named(spark, folder, options, text):
    with pytest.raises(Exception, match=text):
        spark.read.format("sluice").options(**options).load(str(folder)).collect()


@pytest.mark.parametrize("path, text", [("/nowhere/*.ndjson", "no file"), ("s3://bucket/x", "one path")])
def test_wrong_paths_are_named(spark, path, text):
    with pytest.raises(Exception, match=text):
        source(spark).load(path).collect()


def test_a_file_that_changes_fails_its_tasks(folder):
    file = folder / "0.ndjson"
    reader = SluiceReader(ReadPlan({"path": str(file), "splitSize": "5000"}), {"columns": records.COLUMNS})
    splits = list(reader.partitions())
    assert len(list(reader.read(splits[0]))) == 1
    running = reader.read(splits[-1])
    next(running)
    with file.open("ab") as more:
        more.write(b'\n{"id":1}\n')
    for batches in (running, reader.read(splits[0])):
        with pytest.raises(sluice.SluiceError, match="0.ndjson has changed since its splits were planned"):
            list(batches)


def test_each_file_of_a_split_is_compared_with_the_planned_one(folder):
    (split,) = SluiceReader(ReadPlan({"path": str(folder), "invalidRecords": "skip"}), {"columns": records.COLUMNS}).partitions()
    with (folder / "3.ndjson").open("ab") as more:
        more.write(b'\n{"id":1}\n')
    running = SluiceReader(ReadPlan({"path": str(folder), "invalidRecords": "skip"}), {"columns": records.COLUMNS}).read(split)
    assert sum(batch.num_rows for batch in (next(running), next(running))) > 900
    with pytest.raises(sluice.SluiceError, match="3.ndjson has changed since its splits were planned"):
        next(running)


@pytest.mark.parametrize("how", ["raise", "kill"])
@pytest.mark.parametrize("mode", ["records", "rejects"])
def test_a_task_that_fails_in_the_middle_changes_nothing(spark, folder, tmp_path, how, mode):
    """`kill` ends the Python worker of an executor; the task is run again by another one."""
    marks = tmp_path / "marks"
    marks.mkdir()
    file = folder / "2.ndjson"
    from failing_source import FailingSource

    spark.dataSource.register(FailingSource)
    options = {"splitSize": -(-file.stat().st_size // 8), "invalidRecords": "skip", "mode": mode, "batchSize": 1}
    reader = spark.read.format("sluice-failing").option("columns", COLUMNS).options(how=how, marks=str(marks), **options)
    found = collected(reader.load(str(file)))
    assert sorted(os.listdir(marks)) == ["1", "4", "7"]
    assert found == collected(source(spark, **options).load(str(file)))
    if mode == "records":
        assert found == serial([file], invalid_records="skip")


def test_inferred_names_with_dots_are_read(spark, tmp_path):
    path = tmp_path / "dotted.ndjson"
    path.write_text('{"k8s.pod.name":"p","k8s":{"pod":{"name":"q"}},"x.y":1}\n')
    frame = spark.read.format("sluice").load(str(path))
    assert collected(frame) == [{'"k8s.pod.name"': "p", "k8s.pod.name": "q", "x.y": 1}]
    named = spark.read.format("sluice").option("columns", '"k8s.pod.name",x.y').load(str(path))
    assert collected(named) == [{"k8s.pod.name": "p", "x.y": 1}]


def test_the_table_of_paths_is_read(spark, tmp_path):
    table = json.loads((pathlib.Path(__file__).parents[2] / "Tests/Fixtures/paths.json").read_text())
    path = tmp_path / "document.ndjson"
    path.write_text(json.dumps(table["document"], ensure_ascii=False) + "\n")
    # Each column once.
    cases = list({tuple(case["keys"]): case for case in table["paths"]}.values())
    columns = json.dumps({case["path"]: "json" for case in cases})
    row = spark.read.format("sluice").option("columns", columns).load(str(path)).collect()[0]
    assert [None if value is None else json.loads(value) for value in row] == [case.get("value") for case in cases]
    for case in table["wrong"]:
        with pytest.raises(Exception, match="column %d of the path" % case["column"]):
            spark.read.format("sluice").option("columns", json.dumps([case["path"]])).load(str(path)).collect()


def test_a_column_that_no_record_has_is_an_error(spark, tmp_path):
    path = tmp_path / "a.ndjson"
    path.write_text('{"name":1}\n')
    with pytest.raises(Exception, match="did you mean 'name'"):
        spark.read.format("sluice").option("columns", "nam").load(str(path)).collect()


def test_a_file_whose_documents_lack_the_path_is_left_out_unless_all_lack_it(spark, tmp_path):
    (tmp_path / "1.json").write_text('{"error":"rate limited"}')
    (tmp_path / "2.json").write_text('{"items":[{"id":1}]}')
    reader = spark.read.format("sluice").schema("id bigint").option("at", "items")
    with pytest.raises(Exception, match="missing key 'items'"):
        reader.load(str(tmp_path)).collect()
    assert collected(reader.option("atOptional", "true").load(str(tmp_path))) == [{"id": 1}]
    reader = spark.read.format("sluice").schema("id bigint").option("at", "items").option("invalidRecords", "skip")
    assert collected(reader.load(str(tmp_path))) == [{"id": 1}]
    with pytest.raises(Exception, match="missing key 'items'"):
        reader.load(str(tmp_path / "1.json")).collect()
    (tmp_path / "2.json").unlink()
    (tmp_path / "3.json").write_text('{"error":"rate limited"}')
    with pytest.raises(Exception, match="missing key 'items'"):
        reader.load(str(tmp_path)).collect()
