"""Feeds into files, frames and databases, as the article Past one machine shows it."""

import os
import pathlib
import re

import pytest

import records
import sluice

COLUMNS = {"id": "int64", "who=actor.login": "string", "score": "double"}


@pytest.fixture()
def events(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=61, count=3000))
    return path


def expected(events) -> list[tuple]:
    return [(row["id"], row["actor.login"], row["score"]) for row in records.rows(events.read_bytes())]


ARTICLE = pathlib.Path(__file__).parents[2] / "Sources/Sluice/Sluice.docc/PastOneMachine.md"
(CODE,) = re.findall(r"```python\n(import duckdb, polars.*?)```", ARTICLE.read_text(), re.DOTALL)


def test_the_code_of_the_article_writes_all_rows(events, tmp_path, monkeypatch):
    duckdb, _ = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    import pyarrow.dataset
    import pyarrow.parquet

    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(CODE, names)
    for table in (pyarrow.parquet.read_table("events.parquet"), pyarrow.dataset.dataset("parts").to_table().sort_by("id")):
        assert list(zip(*table.to_pydict().values())) == expected(events)
    assert names["frame"].rows() == expected(events)
    with duckdb.connect("events.duckdb") as database:
        assert database.execute("SELECT * FROM events ORDER BY id").fetchall() == expected(events)


def test_into_duckdb_by_adbc(events, tmp_path):
    dbapi = pytest.importorskip("adbc_driver_duckdb.dbapi")
    ingested(dbapi.connect(str(tmp_path / "events.duckdb")), events)


def test_into_postgresql_by_adbc(events):
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi")
    server = os.environ.get("SLUICE_POSTGRES")
    if not server:
        pytest.skip("there is no PostgreSQL: Scripts/with-postgres Scripts/test-python")
    ingested(dbapi.connect(server), events)


def ingested(connection, events):
    """All rows are in the table, or, after an error in the stream, none."""
    with connection:
        with connection.cursor() as cursor:
            cursor.adbc_ingest("events", sluice.scan(events, COLUMNS, batch_size=500), mode="create")
            connection.commit()
            cursor.execute("SELECT * FROM events ORDER BY id")
            assert [tuple(row) for row in cursor.fetchall()] == expected(events)
        with events.open("ab") as file:
            file.write(b'\n{"id":"wrong"}\n')
        with connection.cursor() as cursor:
            with pytest.raises(Exception, match="(?s)id|stream|read"):
                cursor.adbc_ingest("again", sluice.scan(events, COLUMNS, batch_size=500), mode="create")
            connection.rollback()
        with connection.cursor() as cursor:
            try:
                cursor.execute("SELECT count(*) FROM again")
                assert cursor.fetchone()[0] == 0
            except AssertionError:
                raise
            except Exception:
                # There is no such table: it was rolled back, too.
                connection.rollback()
