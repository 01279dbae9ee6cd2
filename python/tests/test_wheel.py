"""The wheel with the library inside, and what a type checker says."""

import os
import pathlib
import subprocess
import sys
import sysconfig
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def run(*command: object, **environment: str) -> str:
    variables = {name: value for name, value in os.environ.items() if name not in ("SLUICE_LIBRARY", "PYTHONPATH")}
    done = subprocess.run([str(part) for part in command], env={**variables, **environment}, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    library = os.environ.get("SLUICE_LIBRARY")
    if not library:
        pytest.skip("SLUICE_LIBRARY names no library")
    folder = tmp_path_factory.mktemp("wheels")
    run(ROOT / "Scripts/build-wheel", folder, SLUICE_WHEEL_LIBRARY=library, PYTHON=sys.executable)
    (made,) = folder.glob("*.whl")
    return made


def test_a_wheel_with_the_library_is_for_its_platform(wheel):
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-{platform}.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("sluice/libSluiceArrow.") for name in names) and "sluice/py.typed" in names
    text = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("/WHEEL"))).decode()
    assert f"Tag: py3-none-{platform}" in text and "Root-Is-Purelib: false" in text
    # Each file once, and each in the list.
    record = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("/RECORD"))).decode()
    assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names)


def test_what_is_installed_from_the_wheel_needs_nothing_else(wheel, tmp_path):
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", tmp_path / "site", wheel)
    (tmp_path / "a.ndjson").write_text('{"id":7}\n')
    script = f"import sluice; print(sluice.__file__); print(sluice.scan({str(tmp_path / 'a.ndjson')!r}).read_all().to_pylist())"
    printed = run(sys.executable, "-c", script, PYTHONPATH=str(tmp_path / "site")).splitlines()
    assert printed == [str(tmp_path / "site/sluice/__init__.py"), "[{'id': 7}]"]


def test_a_wheel_without_the_library_is_for_any_platform(tmp_path):
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT / "python")
    (made,) = tmp_path.glob("*.whl")
    assert made.name.endswith("-py3-none-any.whl")
    assert not any("libSluiceArrow" in name for name in zipfile.ZipFile(made).namelist())


def test_the_types_of_the_package_are_right(tmp_path):
    pytest.importorskip("mypy")
    checks = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", "--config-file", ROOT / "python/pyproject.toml"]
    files = [file for file in sorted((ROOT / "python/sluice").glob("*.py")) if has_pyspark() or file.name != "spark.py"]
    run(*checks, *files)
    # A caller sees them.
    (tmp_path / "caller.py").write_text("import sluice\nreader = sluice.scan(7)\n")
    done = subprocess.run([str(part) for part in [*checks, tmp_path / "caller.py"]], text=True, capture_output=True)
    assert 'Argument 1 to "scan" has incompatible type "int"' in done.stdout, done.stdout + done.stderr


def has_pyspark() -> bool:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return False
    return True
