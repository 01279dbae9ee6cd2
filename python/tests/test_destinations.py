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


ARTICLE = pathlib.Path(__file__).parents[2] / "Sources/Engine/Sluice/Sluice.docc/PastOneMachine.md"
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
    with dbapi.connect(str(tmp_path / "events.duckdb")) as connection:
        ingested(connection, events)
        # The trap: DuckDB's driver takes an error of the stream for its end. SQL over the stream does not.
        damage(events)
        with connection.cursor() as cursor:
            cursor.adbc_ingest("again", sluice.scan(events, COLUMNS, batch_size=500), mode="create")
            cursor.execute("SELECT count(*) FROM again")
            assert cursor.fetchone() == (3000,)
    duckdb = pytest.importorskip("duckdb")
    stream = sluice.scan(events, COLUMNS, batch_size=500)
    with duckdb.connect() as database:
        with pytest.raises(Exception, match="type mismatch at id"):
            database.execute("CREATE TABLE again AS SELECT * FROM stream")
        with pytest.raises(Exception, match="again"):
            database.execute("SELECT * FROM again")


def test_into_postgresql_by_adbc(events):
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi")
    server = os.environ.get("SLUICE_POSTGRES")
    if not server:
        pytest.skip("there is no PostgreSQL: Scripts/with-postgres Scripts/net python")
    with dbapi.connect(server) as connection:
        ingested(connection, events)
        damage(events)
        with connection.cursor() as cursor:
            with pytest.raises(Exception, match="type mismatch at id"):
                cursor.adbc_ingest("again", sluice.scan(events, COLUMNS, batch_size=500), mode="create")
        connection.rollback()
        with connection.cursor() as cursor:
            with pytest.raises(Exception, match="again"):
                cursor.execute("SELECT count(*) FROM again")


def ingested(connection, events):
    with connection.cursor() as cursor:
        cursor.adbc_ingest("events", sluice.scan(events, COLUMNS, batch_size=500), mode="create")
        connection.commit()
        cursor.execute("SELECT * FROM events ORDER BY id")
        assert [tuple(row) for row in cursor.fetchall()] == expected(events)


def damage(events):
    """Adds a record that no column takes."""
    with events.open("ab") as file:
        file.write(b'\n{"id":"wrong"}\n')
