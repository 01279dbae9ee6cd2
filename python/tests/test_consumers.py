"""pandas, Polars and DuckDB take the stream as it is; and what to beware of."""

import pytest

import records
import sluice


@pytest.fixture()
def events(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=11, count=1000))
    return path


@pytest.fixture()
def expected(events):
    return records.rows(events.read_bytes())


def test_pandas_reads_the_stream(events, expected):
    pytest.importorskip("pandas")
    frame = sluice.scan(events, records.COLUMNS, batch_size=300).read_pandas()
    assert frame["id"].tolist() == [row["id"] for row in expected]
    assert frame["actor.login"].tolist() == [row["actor.login"] for row in expected]


def test_pandas_keeps_the_digits_of_integers_beside_a_missing_one(tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "digits.ndjson"
    path.write_text('{"id":9007199254740993}\n{}\n')
    frame = sluice.scan(path, ["id"]).read_pandas(types_mapper=pandas.ArrowDtype)
    assert frame["id"][0] == 9007199254740993 and frame["id"].isna().tolist() == [False, True]


def test_polars_reads_the_stream(events, expected):
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(sluice.scan(events, records.COLUMNS, batch_size=300))
    assert frame["score"].to_list() == [row["score"] for row in expected]
    assert frame["public"].to_list() == [row["public"] for row in expected]


def test_duckdb_asks_the_stream(events, expected):
    duckdb = pytest.importorskip("duckdb")
    reader = sluice.scan(events, records.COLUMNS, batch_size=300)  # noqa: F841, DuckDB finds it by its name
    query = 'SELECT "actor.login" AS who, count(*) AS n, sum(score) AS score FROM reader GROUP BY ALL ORDER BY who'
    answer = duckdb.execute(query).fetchall()
    names = sorted({row["actor.login"] for row in expected}, key=lambda name: name.encode())
    assert [who for who, _, _ in answer] == names
    assert sum(n for _, n, _ in answer) == len(expected)


def test_duckdb_reads_a_stream_once(events, expected):
    """The trap: a second query of the same stream finds it at its end. Version 2 says so, older ones give no rows."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()

    def count(table):
        return connection.execute(f"SELECT count(*) FROM {table}").fetchall()

    connection.register("events", sluice.scan(events, records.COLUMNS))
    assert count("events") == [(len(expected),)]
    try:
        assert count("events") == [(0,)]
    except duckdb.Error as error:
        assert "already been consumed" in str(error)
    # The remedy: a table, or a new stream for each query.
    connection.register("again", sluice.scan(events, records.COLUMNS))
    connection.execute("CREATE TABLE kept AS SELECT * FROM again")
    assert [count("kept"), count("kept")] == [[(len(expected),)]] * 2


def test_an_invalid_record_fails_a_query(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "wrong.ndjson"
    path.write_text('{"id":1}\n' * 10 + '{"id":"x"}\n')
    reader = sluice.scan(path, {"id": "int64"}, batch_size=2)  # noqa: F841
    with pytest.raises(Exception, match="line 11"):
        duckdb.execute("SELECT sum(id) FROM reader").fetchall()
