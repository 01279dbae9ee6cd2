"""Which files are read: the same as those of `spark.read.json`, which is asked in each case."""

import datetime
import json

import pytest

import sluice

pytest.importorskip("pyspark", minversion="4.0")
pytestmark = pytest.mark.spark

FILES = [
    "a.json", "b.json", "_hidden.json", ".hidden.json", "being-copied.json._COPYING_", "_metadata-like=1.json", "c d.json", "e#f.json",
    "g%20h.json", "i[1].json", "i1.json", "sub/k.json", "sub/deeper/l.json", "_private/m.json", ".git/n.json", "{o}.json", "p^q.json",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("files")
    for number, name in enumerate(FILES):
        path = place / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text('{"id":%d}\n' % number)
    return place


def read_by_both(spark, paths, **options):
    """The numbers that both readers find: in which files they are says FILES."""
    mine = spark.read.format("sluice").option("columns", '{"id": "int64"}').options(**options).load(paths)
    theirs = spark.read.schema("id LONG").options(**options).json(paths)
    return sorted(row["id"] for row in mine.collect()), sorted(row["id"] for row in theirs.collect())


@pytest.mark.parametrize("pattern, files", [
    ("", ["a.json", "b.json", "c d.json", "e#f.json", "g%20h.json", "i[1].json", "i1.json", "_metadata-like=1.json", "{o}.json", "p^q.json"]),
    ("/*.json", None), ("/{a,b}.json", ["a.json", "b.json"]), ("/{a,sub/k}.json", ["a.json", "sub/k.json"]),
    ("/{a,{b,i1}}.json", ["a.json", "b.json", "i1.json"]), ("/[ab].json", ["a.json", "b.json"]), ("/[^a].json", ["b.json"]),
    ("/[a-b].json", ["a.json", "b.json"]), ("/?.json", ["a.json", "b.json"]), ("/e#f.json", ["e#f.json"]), ("/c d.json", ["c d.json"]),
    ("/g%20h.json", ["g%20h.json"]), ("/i\\[1\\].json", ["i[1].json"]), ("/i[1].json", ["i1.json"]), ("/*/k.json", ["sub/k.json"]),
    ("/sub/*/", None), ("/*", None), ("/\\{o\\}.json", ["{o}.json"]), ("/p[\\^]q.json", ["p^q.json"]), ("/{,c }d.json", ["c d.json"]),
])
@pytest.mark.parametrize("scheme", ["", "file://", "file:"])
def test_the_files_of_a_path_are_those_of_spark(spark, folder, pattern, files, scheme):
    mine, theirs = read_by_both(spark, f"{scheme}{folder}{pattern}")
    assert mine == theirs
    if files is not None:
        assert [FILES[id] for id in mine] == sorted(files, key=FILES.index)


def test_sub_folders_are_read_on_request(spark, folder):
    mine, theirs = read_by_both(spark, str(folder), recursiveFileLookup="true")
    assert mine == theirs and FILES.index("sub/deeper/l.json") in mine and FILES.index(".git/n.json") not in mine
    mine, theirs = read_by_both(spark, str(folder), recursiveFileLookup="true", pathGlobFilter="{k,l}*.json")
    assert mine == theirs == [FILES.index("sub/k.json"), FILES.index("sub/deeper/l.json")]


@pytest.mark.parametrize("name", ["_hidden.json", "nothing*", "{a,b"])
def test_a_path_without_a_file_is_an_error(spark, folder, name):
    with pytest.raises(Exception, match="there is no file at|a brace that is not closed"):
        spark.read.format("sluice").option("columns", '{"id": "int64"}').load(f"{folder}/{name}").collect()


def partitioned(place, folders):
    for number, folder in enumerate(folders):
        (place / folder).mkdir(parents=True)
        (place / folder / "part.json").write_text('{"id":%d}\n' % number)
    return place


@pytest.mark.parametrize("folders", [
    ["day=2026-01-01", "day=2026-01-02"], ["n=1", "n=2"], ["n=1", "n=3000000000"], ["n=1", "n=2.5"], ["n=01", "n=x"],
    ["day=2026-01-01", "day=yesterday"], ["day=2026-02-30"], ["k=a%2Fb", "k=c%3Dd", "k=é"], ["k=__HIVE_DEFAULT_PARTITION__", "k=7"],
    ["y=2026/m=1", "y=2026/m=2", "y=2027/m=1"], ["_k=1", "_k=2"], ["sub/k=1", "sub/k=2"], ["k=-5", "k=+5"], ["k=.5", "k=1.5"], ["k=.5", "k=1.5e3"],
])
def test_folders_become_the_columns_that_spark_makes_of_them(spark, tmp_path, folders):
    place = str(partitioned(tmp_path / "table", folders))
    mine = spark.read.format("sluice").option("columns", '{"id": "int64"}').load(place)
    theirs = spark.read.schema("id LONG").json(place)
    assert mine.dtypes == theirs.dtypes
    assert sorted(mine.collect()) == sorted(theirs.collect())
    assert len(mine.collect()) == len(folders)


def test_columns_of_folders_may_be_chosen_by_a_schema_and_by_base_path(spark, tmp_path):
    place = partitioned(tmp_path / "table", ["day=2026-01-01/n=01", "day=2026-01-02/n=02"])
    mine = spark.read.format("sluice").schema("n STRING, id LONG, day DATE").load(str(place))
    assert sorted(mine.collect()) == [("01", 0, datetime.date(2026, 1, 1)), ("02", 1, datetime.date(2026, 1, 2))]
    assert spark.read.format("sluice").schema("id LONG").load(str(place)).count() == 2
    for path, options in [(f"{place}/day=*", {"basePath": str(place)}), (f"{place}/day=2026-01-02", {}), (f"{place}/day=*/*/*.json", {})]:
        mine = spark.read.format("sluice").option("columns", '{"id": "int64"}').options(**options).load(path)
        theirs = spark.read.schema("id LONG").options(**options).json(path)
        assert mine.dtypes == theirs.dtypes and sorted(mine.collect()) == sorted(theirs.collect())


def test_files_beside_partition_folders_are_an_error_where_spark_leaves_them_out(spark, tmp_path):
    place = partitioned(tmp_path / "table", ["day=2026-01-01"])
    (place / "beside.json").write_text('{"id":9}\n')
    reader = spark.read.format("sluice").option("columns", '{"id": "int64"}')
    with pytest.raises(Exception, match="different partition columns"):
        reader.load(str(place)).collect()
    assert reader.option("recursiveFileLookup", "true").load(str(place)).count() == 2
    other = partitioned(tmp_path / "other", ["a=1", "b=2"])
    with pytest.raises(Exception, match="different partition columns: a at "):
        spark.read.format("sluice").option("columns", '{"id": "int64"}').load(str(other)).collect()


def test_a_column_of_the_records_and_of_the_folders_is_an_error(spark, tmp_path):
    place = partitioned(tmp_path / "table", ["id=1"])
    with pytest.raises(Exception, match="the column id stands in the records and in the names of folders"):
        spark.read.format("sluice").load(str(place)).collect()


def test_rejects_of_partitioned_folders_name_their_files(spark, tmp_path):
    place = partitioned(tmp_path / "table", ["day=2026-01-01", "day=2026-01-02"])
    (place / "day=2026-01-02" / "part.json").write_text('{"id":"x"}\n')
    wrong = spark.read.format("sluice").option("columns", '{"id": "int64"}').option("mode", "rejects").load(str(place)).collect()
    assert [row["file"] for row in wrong] == [str(place / "day=2026-01-02/part.json")]


def test_columns_are_renamed(spark, tmp_path):
    path = tmp_path / "a.ndjson"
    path.write_text('{"id":1,"actor":{"login":"ann"},"tags":[1, 2]}\n')
    for columns in ('{"who=actor.login": "string", "t=tags": "json"}', '["who=actor.login", "t=tags"]', "who=actor.login, t=tags"):
        frame = spark.read.format("sluice").option("columns", columns).load(str(path))
        assert [row.asDict() for row in frame.collect()] == [{"who": "ann", "t": "[1,2]"}]
    frame = spark.read.format("sluice").schema("who STRING, id INT").option("columns", '{"who=actor.login": "string"}').load(str(path))
    assert [row.asDict() for row in frame.collect()] == [{"who": "ann", "id": 1}]


def test_narrow_types_reach_spark(spark, tmp_path):
    path = tmp_path / "a.ndjson"
    path.write_text('{"id":1,"day":"2026-01-02","price":"12.5"}\n')
    for reader in (
        spark.read.format("sluice").option("columns", '{"id": "int32", "day": "date", "price": "decimal(12,2)"}'),
        spark.read.format("sluice").schema("id INT, day DATE, price DECIMAL(12,2)"),
    ):
        frame = reader.load(str(path))
        assert [type for _, type in frame.dtypes] == ["int", "date", "decimal(12,2)"]
        row = frame.collect()[0]
        assert (row["id"], row["day"], str(row["price"])) == (1, datetime.date(2026, 1, 2), "12.50")


def test_rows_are_counted_without_a_column(spark, tmp_path):
    place = partitioned(tmp_path / "table", [f"n={number}" for number in range(5)])
    (place / "n=3" / "part.json").write_text('{"id":1}\n' * 1000)
    frame = spark.read.format("sluice").option("columns", "{}").option("splitSize", 500).load(str(place))
    assert frame.count() == 1004
    assert frame.drop("n").count() == 1004
    flat = spark.read.format("sluice").option("columns", "{}").load(str(place / "n=3"))
    assert flat.columns == [] and flat.count() == 1000


def test_the_paths_of_an_option_are_json(spark, folder):
    assert json.loads(json.dumps([str(folder / "a.json")]))
    frame = spark.read.format("sluice").option("columns", '{"id": "int64"}').load([str(folder / "a.json"), str(folder / "b.json")])
    assert sorted(row["id"] for row in frame.collect()) == [0, 1]


def test_wrong_options_about_files_are_named(spark, folder):
    with pytest.raises(Exception, match="recursiveFileLookup is true or false, not 'yes'"):
        spark.read.format("sluice").option("recursiveFileLookup", "yes").load(str(folder)).collect()
    with pytest.raises(Exception, match="is not a folder above"):
        spark.read.format("sluice").option("columns", '{"id": "int64"}').option("basePath", "/elsewhere").load(str(folder)).collect()
    assert issubclass(sluice.SluiceError, ValueError)
