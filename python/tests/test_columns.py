"""Names that the caller gives to columns, and the types beside the common ones."""

import datetime
from decimal import Decimal

import pyarrow
import pytest

import sluice

TEXT = """{"id":1,"actor":{"login":"ann"},"day":"2026-01-02","price":12.5,"a=b":true}
{"id":2,"actor":{"login":"bob"},"day":"1969-12-31","price":"0.01"}
{"id":3,"price":-999.99}
"""


@pytest.fixture()
def events(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("columns", [["who=actor.login", "id"], {"who=actor.login": "string", "id": "int64"}])
def test_a_column_has_the_name_that_it_is_given(events, columns):
    reader = sluice.scan(events, columns)
    assert reader.schema.names == ["who", "id"]
    table = reader.read_all()
    assert table["who"].to_pylist() == ["ann", "bob", None]
    # The schema of the reader has the path of the column.
    assert sluice.scan(events, table.schema).read_all().equals(table)


def test_a_key_with_an_equals_sign_is_quoted_or_comes_from_a_schema(events):
    assert sluice.scan(events, ['"a=b"']).read_all()["a=b"].to_pylist() == [True, None, None]
    assert sluice.scan(events, ['"x=y"=id']).read_all()["x=y"].to_pylist() == [1, 2, 3]
    inferred = sluice.scan(events)
    assert "a=b" in inferred.schema.names
    again = sluice.scan(events, inferred.schema).read_all()
    assert again["a=b"].to_pylist() == [True, None, None] and again["id"].to_pylist() == [1, 2, 3]
    assert sluice.scan(events, pyarrow.schema([("a=b", pyarrow.bool_())])).read_all()["a=b"].to_pylist() == [True, None, None]


@pytest.mark.parametrize(
    "columns, reason",
    [
        (["n=id", "n=day"], "found a second 'n'"),
        (["n=id", "m=id"], "found a second 'id'"),
        (["=id"], "expected a name before '='"),
        (["n=idd"], "did you mean 'id'"),
    ],
)
def test_names_that_cannot_be_are_refused(events, columns, reason):
    with pytest.raises(sluice.SluiceError, match=reason):
        sluice.scan(events, columns)


def test_a_renamed_column_may_be_required(events):
    schema = pyarrow.schema([pyarrow.field("who", pyarrow.string(), nullable=False, metadata={"sluice.path": "actor.login"})])
    assert sluice.scan(events, schema, invalid_records="skip").read_all()["who"].to_pylist() == ["ann", "bob"]
    assert sluice.rejects(events, schema).read_all()["line"].to_pylist() == [3]


TYPES = {"id": "int32", "day": "date", "price": "decimal(12,2)"}


def test_narrow_integers_dates_and_decimals_are_values_of_python(events):
    table = sluice.scan(events, TYPES).read_all()
    assert table.schema.types == [pyarrow.int32(), pyarrow.date32(), pyarrow.decimal128(12, 2)]
    table.validate(full=True)
    assert table["id"].to_pylist() == [1, 2, 3]
    assert table["day"].to_pylist() == [datetime.date(2026, 1, 2), datetime.date(1969, 12, 31), None]
    assert table["price"].to_pylist() == [Decimal("12.50"), Decimal("0.01"), Decimal("-999.99")]
    assert sluice.scan(events, table.schema).read_all().equals(table)
    # In lists and objects, too, and by several threads.
    nested = sluice.scan(events, pyarrow.schema([("price", pyarrow.decimal128(12, 2))]), workers=2, batch_size=1).read_all()
    assert nested["price"].to_pylist() == table["price"].to_pylist()


@pytest.mark.parametrize("type, value, reason", [
    ("int32", 2**31, "an integer of 32 bits"),
    ("date", '"2026-01-02T03:04:05Z"', "a date without a time"),
    ("decimal(4,2)", "0.125", "at most 4 digits, 2 of them after the point"),
    ("decimal(4,2)", "100", "at most 4 digits"),
])
def test_a_value_that_does_not_fit_rejects_its_record(tmp_path, type, value, reason):
    path = tmp_path / "wrong.ndjson"
    path.write_text('{"x":null}\n{"x":%s}\n' % value)
    wrong = sluice.rejects(path, {"x": type}).read_all().to_pylist()
    assert [(row["line"], row["path"]) for row in wrong] == [(2, "x")] and reason in wrong[0]["reason"]
    assert sluice.scan(path, {"x": type}, invalid_records="skip").read_all().num_rows == 1


def test_types_that_cannot_be_are_named(events):
    with pytest.raises(sluice.SluiceError, match=r"decimal128\(38, 2\)"):
        sluice.scan(events, pyarrow.schema([("price", pyarrow.decimal128(38, 2))]))
    with pytest.raises(sluice.SluiceError, match=r"found 'decimal\(19,2\)'"):
        sluice.scan(events, {"price": "decimal(19,2)"})


def test_rows_are_counted_without_a_column(events):
    assert sum(batch.num_rows for batch in sluice.scan(events, {})) == 3
