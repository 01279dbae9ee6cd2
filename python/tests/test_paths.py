"""The table of paths, Tests/Fixtures/paths.json, by `columns` and `at`."""

import json
import pathlib

import pyarrow
import pytest

import sluice

TABLE = json.loads((pathlib.Path(__file__).parents[2] / "Tests/Fixtures/paths.json").read_text())
DOTTED = '{"k8s.pod.name":"p","k8s":{"pod":{"name":"q"}},"x.y":[1]}\n'


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "document.ndjson"
    path.write_text(json.dumps(TABLE["document"], ensure_ascii=False) + "\n")
    return path


@pytest.mark.parametrize("case", TABLE["paths"], ids=lambda case: case["path"])
def test_a_path_finds_its_value(document, case):
    value = sluice.scan(document, {case["path"]: "json"}).read_all().column(0)[0].as_py()
    assert (None if value is None else json.loads(value)) == case.get("value")
    if "value" in case:
        # Without a type, and where the records are.
        assert str(sluice.scan(document, [case["path"]]).read_all().column(0)[0].as_py()) == str(case["value"])
        records = sluice.scan(document, {"x": "json"}, at=case["path"], format="object", invalid_records="skip")
        assert records.read_all().num_rows == 0


@pytest.mark.parametrize("case", TABLE["paths"], ids=lambda case: case["path"])
def test_the_schema_of_a_path_finds_its_value_again(document, case):
    reader = sluice.scan(document, {case["path"]: "json"})
    assert sluice.scan(document, reader.schema).read_all() == reader.read_all()


@pytest.mark.parametrize("case", TABLE["wrong"], ids=lambda case: case["path"])
def test_a_text_that_is_no_path_is_refused_at_its_column(document, case):
    for arguments in [{"columns": [case["path"]]}, {"columns": {case["path"]: "json"}}, {"at": case["path"]}]:
        with pytest.raises(sluice.SluiceError) as error:
            sluice.scan(document, **arguments)
        assert f"(column {case['column']} of the path" in str(error.value)


def test_what_inference_names_is_found_again(tmp_path):
    path = tmp_path / "dotted.ndjson"
    path.write_text(DOTTED)
    table = sluice.scan(path).read_all()
    assert table.schema.names == ['"k8s.pod.name"', "k8s.pod.name", "x.y"]
    assert table.to_pylist() == [{'"k8s.pod.name"': "p", "k8s.pod.name": "q", "x.y": "[1]"}]
    assert sluice.scan(path, table.schema.names).read_all() == table
    # A schema has the paths beside the names.
    schema = pyarrow.schema([field for field in table.schema if field.name != "x.y"])
    assert sluice.scan(path, schema).read_all() == table.drop_columns("x.y")
    assert sluice.scan(path, ['"x.y"[0]']).read_all().to_pylist() in ([{"x.y.0": "1"}], [{"x.y.0": 1}])


def test_a_column_that_no_record_has_is_an_error(tmp_path):
    path = tmp_path / "dotted.ndjson"
    path.write_text(DOTTED)
    for column, hint in [("nope", "give its type"), ("x.z", "did you mean '\"x.y\"'?")]:
        with pytest.raises(sluice.SluiceError, match="a path that one of the first 1000 records has") as error:
            sluice.scan(path, [column])
        assert hint in str(error.value)
