"""`sluice.scan` and `sluice.rejects`: arguments, types, errors."""

import datetime
import gzip
import json
import subprocess
import sys

import pyarrow
import pytest

import records
import sluice


@pytest.fixture()
def events(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=1, count=500))
    return path


def test_rows_are_those_of_a_plain_reader(events):
    assert records.read(sluice.scan(events, records.COLUMNS)) == records.rows(events.read_bytes())


def test_columns_have_the_order_and_the_types_that_are_asked_for(events):
    schema = sluice.scan(events, {"score": "double", "id": "int64", "public": "bool", "tags": "json", "actor.login": "string"}).schema
    assert schema.names == ["score", "id", "public", "tags", "actor.login"]
    types = [pyarrow.float64(), pyarrow.int64(), pyarrow.bool_(), pyarrow.string(), pyarrow.string()]
    assert schema.types == types


def test_types_are_inferred_where_they_are_not_given(events):
    schema = sluice.scan(events, ["id", "actor.login", "public"]).schema
    assert list(zip(schema.names, schema.types)) == [
        ("id", pyarrow.int64()),
        ("actor.login", pyarrow.string()),
        ("public", pyarrow.bool_()),
    ]


def test_columns_are_inferred_where_there_are_none(tmp_path):
    path = tmp_path / "few.ndjson"
    path.write_text('{"id":1,"actor":{"login":"ann"}}\n{"id":2,"score":0.5}\n')
    assert sluice.scan(path).read_all().to_pylist() == [
        {"id": 1, "actor.login": "ann", "score": None},
        {"id": 2, "actor.login": None, "score": 0.5},
    ]


def test_a_key_that_comes_after_the_sample_is_an_error_where_columns_are_inferred(tmp_path):
    path = tmp_path / "late.ndjson"
    path.write_text('{"id":1,"a":{"b":1}}\n' * 3 + '{"id":2,"late":7}\n{"id":3,"a":{"b":1,"c":2}}\n{"id":4,"a":5}\n{"id":5}\n')
    with pytest.raises((ValueError, OSError), match="'late'.*line 4.*sample_size.*unknown_keys"):
        sluice.scan(path, sample_size=3).read_all()
    skipped = sluice.scan(path, sample_size=3, invalid_records="skip").read_all()
    assert skipped["id"].to_pylist() == [1, 1, 1, 5]
    rejects = sluice.rejects(path, sample_size=3).read_all()
    assert rejects["line"].to_pylist() == [4, 5, 6]
    assert sluice.scan(path, sample_size=3, unknown_keys="ignore").read_all()["id"].to_pylist() == [1, 1, 1, 2, 3, 4, 5]
    # Columns that are named leave out the others, unless they are to be all.
    assert sluice.scan(path, ["id"]).read_all().num_rows == 7
    with pytest.raises((ValueError, OSError), match="'a'.*line 1"):
        sluice.scan(path, ["id"], unknown_keys="reject").read_all()


def test_columns_may_be_a_schema_of_arrow(events):
    schema = pyarrow.schema([("id", pyarrow.int64()), ("actor.login", pyarrow.string())])
    assert sluice.scan(events, schema).schema.equals(schema)


def test_the_schema_of_a_reader_can_be_the_columns_of_the_next(tmp_path):
    path = tmp_path / "lists.ndjson"
    path.write_text('{"id":1,"tags":["a"],"actor":{"roles":[{"x":1}]}}\n{"id":2,"tags":[],"mixed":7}\n{"id":3,"mixed":"x"}\n')
    first = sluice.scan(path)
    assert "sluice.type" in str(first.schema.metadata or "") or any(field.metadata for field in first.schema)
    again = sluice.scan(path, first.schema, invalid_records="skip")
    assert again.schema.equals(first.schema, check_metadata=True)
    assert again.read_all().equals(first.read_all())
    inner = pyarrow.schema([("tags", pyarrow.list_(pyarrow.field("item", pyarrow.string(), metadata={"sluice.type": "json"})))])
    assert sluice.scan(path, inner).read_all()["tags"].to_pylist() == [['"a"'], [], None]


def test_a_column_that_is_not_nullable_has_a_value_in_each_record(tmp_path):
    path = tmp_path / "nulls.ndjson"
    path.write_text('{"id":1}\n{}\n{"id":null}\n{"id":4}\n')
    schema = pyarrow.schema([pyarrow.field("id", pyarrow.int64(), nullable=False)])
    with pytest.raises((ValueError, OSError), match="'id'.*line 2"):
        sluice.scan(path, schema).read_all()
    reader = sluice.scan(path, schema, invalid_records="skip")
    assert reader.schema.equals(schema)
    assert reader.read_all()["id"].to_pylist() == [1, 4]
    assert sluice.rejects(path, schema).read_all()["line"].to_pylist() == [2, 3]
    inner = pyarrow.schema([("a", pyarrow.struct([pyarrow.field("b", pyarrow.int64(), nullable=False)]))])
    with pytest.raises(sluice.SluiceError, match="'b' of the column 'a' is not nullable"):
        sluice.scan(path, inner)


def test_an_integer_that_a_double_cannot_hold_is_rejected(tmp_path):
    path = tmp_path / "late.ndjson"
    path.write_text('{"x":0.5}\n{"x":9007199254740992}\n{"x":9007199254740993}\n{"x":1e300}\n{"x":12345678901234567890123}\n')
    with pytest.raises((ValueError, OSError), match="a double can hold, found the number 9007199254740993.*digits would change"):
        sluice.scan(path, sample_size=1).read_all()
    kept = sluice.scan(path, sample_size=1, invalid_records="skip").read_all()["x"].to_pylist()
    assert kept == [0.5, 9007199254740992.0, 1e300]
    assert sluice.rejects(path, {"x": "double"}).read_all()["line"].to_pylist() == [3, 5]


def test_an_error_ends_the_reader(tmp_path):
    path = tmp_path / "wrong.ndjson"
    path.write_text('{"id":1}\n{"id":"x"}\n{"id":3}\n')
    reader = sluice.scan(path, {"id": "int64"}, batch_size=1)
    assert reader.read_next_batch().num_rows == 1
    for _ in range(3):
        with pytest.raises((ValueError, OSError), match="line 2"):
            reader.read_next_batch()


@pytest.mark.parametrize("workers", [0, 2])
def test_threads_share_a_reader(tmp_path, workers):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=5, count=4000))
    # In a process of its own: a fault in the library would end this one.
    program = f"""
import sluice, threading
for closes in [False] * 5 + [True] * 15:
    reader, rows = sluice.scan({str(path)!r}, ["id"], batch_size=3, workers={workers}), []
    def read():
        try:
            for batch in reader:
                rows.extend(batch["id"].to_pylist())
        except (ValueError, OSError):
            assert closes
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads: thread.start()
    if closes:
        reader.close()
    for thread in threads: thread.join()
    assert closes or sorted(rows) == list(range(4000)), len(rows)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)


NESTED = """{"at":"2026-01-02T03:04:05.5Z","sizes":[1,null,3],"actor":{"login":"ann","roles":["a","b"]}}
{"sizes":[],"actor":null}
"""
NESTED_ROWS = [
    {
        "at": datetime.datetime(2026, 1, 2, 3, 4, 5, 500000, tzinfo=datetime.timezone.utc),
        "sizes": [1, None, 3],
        "actor": {"login": "ann", "roles": ["a", "b"]},
    },
    {"at": None, "sizes": [], "actor": None},
]


@pytest.mark.parametrize("form", ["names", "Arrow's types"])
def test_columns_may_be_lists_objects_and_times(tmp_path, form):
    path = tmp_path / "nested.ndjson"
    path.write_text(NESTED)
    columns = {"at": "timestamp", "sizes": ["int64"], "actor": {"login": "string", "roles": ["string"]}}
    schema = pyarrow.schema(
        [
            ("at", pyarrow.timestamp("us", tz="UTC")),
            ("sizes", pyarrow.list_(pyarrow.int64())),
            ("actor", pyarrow.struct([("login", pyarrow.string()), ("roles", pyarrow.list_(pyarrow.string()))])),
        ]
    )
    table = sluice.scan(path, columns if form == "names" else schema).read_all()
    assert table.schema.types == schema.types
    assert table.to_pylist() == NESTED_ROWS


def test_a_type_without_a_column_type_is_named(events):
    with pytest.raises(sluice.SluiceError, match="int16"):
        sluice.scan(events, {"id": pyarrow.int16()})


def test_a_text_in_place_of_columns_is_refused(events):
    with pytest.raises(sluice.SluiceError, match="a list or a mapping"):
        sluice.scan(events, "id")


def test_batches_hold_as_many_rows_as_are_asked_for(events):
    assert [batch.num_rows for batch in sluice.scan(events, ["id"], batch_size=200)] == [200, 200, 100]


def test_the_limit_ends_the_stream(events):
    assert sluice.scan(events, ["id"], limit=7).read_all()["id"].to_pylist() == list(range(7))


def test_records_inside_documents_are_read(tmp_path):
    path = tmp_path / "page.json"
    path.write_text('{"next": null, "data": {"items": [{"id": 7}, {"id": 8}]}}')
    assert sluice.scan(path, {"id": "int64"}, at="data.items").read_all()["id"].to_pylist() == [7, 8]


def test_arrays_are_read(tmp_path):
    path = tmp_path / "array.json"
    path.write_text('[{"id": 7},\n {"id": 8}]')
    assert sluice.scan(path, {"id": "int64"}).read_all()["id"].to_pylist() == [7, 8]


def test_compressed_feeds_are_read(events, tmp_path):
    path = tmp_path / "events.ndjson.gz"
    path.write_bytes(gzip.compress(events.read_bytes()))
    assert records.read(sluice.scan(path, records.COLUMNS)) == records.rows(events.read_bytes())


def test_a_range_of_a_compressed_feed_is_refused_by_name(events, tmp_path):
    path = tmp_path / "events.ndjson.gz"
    path.write_bytes(gzip.compress(events.read_bytes()))
    with pytest.raises(sluice.SluiceError, match="it is compressed with gzip"):
        sluice.scan(path, records.COLUMNS, range=(10, None)).read_all()


def test_workers_change_nothing(events):
    one = sluice.scan(events, records.COLUMNS, workers=1).read_all()
    assert sluice.scan(events, records.COLUMNS, workers=2).read_all().to_pylist() == one.to_pylist()


def test_an_empty_file_has_a_schema_and_no_rows(tmp_path):
    path = tmp_path / "empty.ndjson"
    path.write_bytes(b"")
    table = sluice.scan(path, {"id": "int64"}).read_all()
    assert (table.schema.names, table.num_rows) == (["id"], 0)


def test_a_missing_file_is_named_with_the_error_of_the_system(tmp_path):
    path = tmp_path / "missing.ndjson"
    with pytest.raises(sluice.SluiceError, match="missing.ndjson") as caught:
        sluice.scan(path, ["id"])
    assert caught.value.number != 0


def test_an_option_has_its_own_name_in_errors(events):
    with pytest.raises(sluice.SluiceError, match="the option 'batch_size' is not valid"):
        sluice.scan(events, ["id"], batch_size=0)
    with pytest.raises(sluice.SluiceError, match="the option 'invalid_records' is not valid"):
        sluice.scan(events, ["id"], invalid_records="drop")


def test_an_unknown_type_is_named(events):
    with pytest.raises(sluice.SluiceError, match="integer64"):
        sluice.scan(events, {"id": "integer64"})


def test_a_path_with_a_null_character_is_refused(events):
    with pytest.raises(sluice.SluiceError, match="null character"):
        sluice.scan(f"{events}\0.txt", ["id"])


def test_an_invalid_record_fails_the_stream_with_its_place(tmp_path):
    path = tmp_path / "wrong.ndjson"
    path.write_text('{"id":1}\n{"id":"x"}\n{"id":3}\n')
    with pytest.raises((ValueError, OSError), match="id.*line 2"):
        sluice.scan(path, {"id": "int64"}).read_all()


def test_records_and_rejects_make_up_the_feed(tmp_path):
    path = tmp_path / "wrong.ndjson"
    data = records.feed(seed=3, count=400, wrong=0.1)
    path.write_bytes(data)
    taken = sluice.scan(path, records.COLUMNS, invalid_records="skip").read_all()["id"].to_pylist()
    wrong = sluice.rejects(path, records.COLUMNS).read_all()
    assert wrong.schema.names == ["file", "start", "end", "line", "path", "reason"]
    paths = {text: path for text, path in records.WRONG}
    for row in wrong.to_pylist():
        text = data[row["start"] : row["end"]].decode().strip()
        assert text in paths and (row["path"] or "") == paths[text], row
        assert data[: row["start"]].count(b"\n") + 1 == row["line"]
        assert row["file"] == str(path) and row["reason"]
    lines = [text for text in data.decode("utf-8-sig").split("\n") if text.strip()]
    expected = [json.loads(text)["id"] for text in lines if text.strip() not in paths]
    assert 10 < wrong.num_rows == len(lines) - len(expected)
    assert taken == expected


def test_more_errors_than_allowed_end_the_feed(tmp_path):
    path = tmp_path / "wrong.ndjson"
    path.write_text('{"id":1}\n' + '{"id":\n' * 5)
    options = dict(invalid_records="skip", maximum_errors=4)
    with pytest.raises((ValueError, OSError)):
        sluice.scan(path, {"id": "int64"}, **options).read_all()
    assert sluice.scan(path, {"id": "int64"}, invalid_records="skip", maximum_errors=5).read_all().num_rows == 1


def test_no_error_and_no_reason_shows_a_sensitive_value(tmp_path):
    path = tmp_path / "secret.ndjson"
    path.write_text('{"id":1,"pin":42}\n{"id":2,"pin":"hunter2secret"}\n{"id":3,"pin":"hunter2secret\n')
    columns = {"id": "int64", "pin": "int64"}
    assert "hunter2" in str(sluice.rejects(path, columns).read_all().to_pylist())
    rows = sluice.rejects(path, columns, sensitive=["pin"]).read_all().to_pylist()
    assert [row["line"] for row in rows] == [2, 3]
    assert "hunt" not in str(rows)
    with pytest.raises(ValueError) as error:
        sluice.scan(path, columns, sensitive=["pin"]).read_all()
    assert "hunt" not in str(error.value)
    with pytest.raises(sluice.SluiceError, match="a list"):
        sluice.scan(path, columns, sensitive="pin")


def test_a_document_without_the_path_is_an_invalid_record(tmp_path):
    path = tmp_path / "pages.ndjson"
    path.write_text('{"data":{"items":[{"id":1}]}}\n{"error":"rate limited"}\n{"data":{"items":[]}}\n')
    options = dict(at="data.items")
    for columns in [{"id": "int64"}, None]:
        with pytest.raises(ValueError, match="missing key 'data.items'.*there are 'error'"):
            sluice.scan(path, columns, **options).read_all()
        for workers in [0, 2]:
            assert sluice.scan(path, columns, **options, invalid_records="skip", workers=workers).read_all().to_pylist() == [{"id": 1}]
            assert sluice.scan(path, columns, **options, at_optional=True, workers=workers).read_all().to_pylist() == [{"id": 1}]
        rejects = sluice.rejects(path, columns, **options).read_all().to_pylist()
        assert [(row["line"], row["start"], row["end"]) for row in rejects] == [(2, 30, 54)]
    path.write_text('{"error":1}\n{"error":2}\n')
    with pytest.raises(ValueError, match="missing key 'data.items'"):
        sluice.scan(path, {"id": "int64"}, **options, invalid_records="skip").read_all()
    assert sluice.scan(path, {"id": "int64"}, **options, at_optional=True).read_all().num_rows == 0


CONTRACT = {
    "required": ["id", "at"],
    "properties": {"id": {"type": "integer", "minimum": 1}, "at": {"type": "string", "format": "date-time"}, "note": {"type": "string"}},
}


@pytest.fixture()
def contract(tmp_path):
    (tmp_path / "event.schema.json").write_text(json.dumps(CONTRACT))
    feed = tmp_path / "contract.ndjson"
    feed.write_text('{"id":1,"at":"2026-11-30T10:00:00Z"}\n{"id":0,"at":"2026-11-30T10:00:00Z"}\n{"id":3}\n')
    return feed


@pytest.mark.parametrize("form", ["path", "text", "mapping"])
def test_a_record_that_does_not_fit_a_schema_is_invalid(contract, tmp_path, form):
    path = tmp_path / "event.schema.json"
    schema = {"path": path, "text": str(path), "mapping": CONTRACT}[form]
    table = sluice.scan(contract, schema=schema, invalid_records="skip").read_all()
    assert table.column("id").to_pylist() == [1]
    reasons = sluice.rejects(contract, schema=schema).read_all().to_pylist()
    assert [(row["line"], row["path"]) for row in reasons] == [(2, "id"), (3, "")]
    assert "'minimum'" in reasons[0]["reason"] and "see #/properties/id/minimum" in reasons[0]["reason"]
    with pytest.raises(pyarrow.ArrowInvalid, match="constraint 'minimum' at id"):
        sluice.scan(contract, schema=schema).read_all()


def test_columns_have_the_types_of_the_schema(contract):
    schema = sluice.scan(contract, schema=CONTRACT, invalid_records="skip").schema
    assert [(field.name, field.type, field.nullable) for field in schema] == [
        ("id", pyarrow.int64(), False),
        ("at", pyarrow.timestamp("us", tz="UTC"), False),
        ("note", pyarrow.string(), True),
    ]


def test_formats_hold_if_they_are_asked_for(tmp_path):
    feed = tmp_path / "mail.ndjson"
    feed.write_text('{"mail":"ann"}\n')
    schema = {"properties": {"mail": {"format": "email"}}}
    columns = {"mail": "string"}
    assert sluice.scan(feed, columns, schema=schema).read_all().num_rows == 1
    with pytest.raises(pyarrow.ArrowInvalid, match="'format' at mail"):
        sluice.scan(feed, columns, schema=schema, formats=True).read_all()


@pytest.mark.parametrize("schema", [{"type": "int"}, "no-such-file.json"])
def test_a_schema_that_cannot_be_used_is_named(contract, schema):
    with pytest.raises(sluice.SluiceError, match="the option 'schema' is"):
        sluice.scan(contract, schema=schema)
