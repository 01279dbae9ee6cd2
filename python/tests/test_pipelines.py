"""Sluice between other programs: several processes over ranges, and PostgreSQL. Each trap that the documentation names is shown here."""

import glob
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile

import pytest

import records


@pytest.fixture()
def events(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(records.feed(seed=41, count=2000, mark=False))
    return path


def identifiers(text):
    return [json.loads(line)["id"] for line in text.splitlines()]


ARTICLE = pathlib.Path(__file__).parents[2] / "Sources/Engine/Sluice/Sluice.docc/PastOneMachine.md"
# The scripts of the article are run as they stand there.
RANGES, COPY = re.findall(r"```bash\n(.*?)```", ARTICLE.read_text(), re.DOTALL)


def test_processes_share_a_file_by_ranges(shell, events, tmp_path):
    shell(RANGES)
    parts = sorted(tmp_path.glob("part-*"))
    assert len(parts) == 8
    assert identifiers("".join(part.read_text() for part in parts)) == list(range(2000))


def test_parallel_shares_a_file_by_ranges(shell, events):
    if shutil.which("parallel") is None:
        pytest.skip("GNU parallel is not installed")
    script = """
    size=$(stat -c %s events.ndjson); part=$((size / 8 + 1))
    seq 0 "$part" "$((size - 1))" | parallel --will-cite --halt now,fail=1 --keep-order -j 2 \
        'sluice convert --range {}:$(({} + '"$part"')) events.ndjson'
    """
    assert identifiers(shell(script).stdout) == list(range(2000))


def test_a_part_that_fails_fails_the_script(shell, events, tmp_path):
    """`sluice` ends with 2, `exit 255` stops xargs, and `pipefail` lets the script end with what xargs says."""
    with events.open("ab") as more:
        more.write(b'{"id":\n')
    finished = shell(RANGES, check=False)
    assert finished.returncode != 0
    assert "could not be read" in finished.stderr


@pytest.fixture(scope="module")
def postgres():
    """A server of PostgreSQL on loopback, with its data in a temporary folder; the environment that leads psql to it."""
    folders = [*sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True), os.path.dirname(shutil.which("initdb") or "")]
    programs = next((folder for folder in folders if folder and os.path.exists(f"{folder}/initdb")), None)
    if programs is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    # The server refuses to run as root; Debian's package has a user for it.
    user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.geteuid() == 0 else []
    folder = tempfile.mkdtemp(prefix="sluice-postgres-", dir="/tmp")
    if user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"

    def run(*command):
        subprocess.run([*user, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run(f"{programs}/initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C")
    run(f"{programs}/pg_ctl", "-D", f"{folder}/data", "-l", f"{folder}/log", "-w", "-o", settings, "start")
    variables = {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "postgres", "PGDATABASE": "postgres"}
    os.environ.update(variables)
    yield variables
    run(f"{programs}/pg_ctl", "-D", f"{folder}/data", "-m", "fast", "stop")
    for name in variables:
        del os.environ[name]
    shutil.rmtree(folder)


def table(shell, name, columns):
    shell(f"psql -qc 'DROP TABLE IF EXISTS {name}' -c 'CREATE TABLE {name} ({columns})'")


def count(shell, name):
    return int(shell(f"psql -Atc 'SELECT count(*) FROM {name}'").stdout)


def test_postgres_takes_what_convert_writes(postgres, shell, events):
    table(shell, "events", "id bigint, who text, score double precision, tags text")
    assert "COPY 2000" in shell(COPY).stdout
    query = "SELECT json_agg(json_build_array(id, who, score) ORDER BY id) FROM events"
    expected = [[row["id"], row["actor.login"], row["score"]] for row in records.rows(events.read_bytes())]
    # An empty text stays one, and differs from null.
    assert any(who == "" for _, who, _ in expected) and any(score is None for _, _, score in expected)
    assert json.loads(shell(f'psql -Atc "{query}"').stdout) == expected


def test_a_failing_convert_leaves_the_table_as_it_was(postgres, shell, events):
    table(shell, "events", "id bigint, who text, score double precision, tags text")
    with events.open("ab") as more:
        more.write(b'\n{"id":\n')
    finished = shell(COPY, check=False)
    assert finished.returncode != 0 and "child process exited with exit code 2" in finished.stderr
    assert count(shell, "events") == 0


def test_a_pipe_into_psql_commits_what_came_before_a_failure(postgres, shell, events):
    """The trap: psql sees the end of its input, not the exit code of what wrote it."""
    table(shell, "events", "id bigint")
    with events.open("ab") as more:
        more.write(b'\n{"id":\n')
    pipe = r"sluice convert --to csv --columns id events.ndjson | psql -c '\copy events from stdin (format csv, header)'"
    assert shell(pipe, check=False).returncode == 0
    assert count(shell, "events") == 2000
    # With pipefail the failure is seen, and the rows are there all the same.
    assert shell("set -o pipefail; " + pipe, check=False).returncode == 2
    assert count(shell, "events") == 4000


@pytest.mark.parametrize("text", ["\\.", "a\\.b", "\\N", "\\", ""])
def test_texts_with_a_meaning_to_copy_arrive_as_they_are(postgres, shell, tmp_path, text):
    table(shell, "texts", "s text")
    values = ["before", text, "after"]
    (tmp_path / "texts.ndjson").write_text("".join(json.dumps({"s": value}) + "\n" for value in values))
    shell(r"sluice convert --to csv --columns s texts.ndjson | psql -c '\copy texts from stdin (format csv, header)'")
    assert json.loads(shell("psql -Atc 'SELECT json_agg(s) FROM texts'").stdout) == values


def test_a_line_of_a_text_that_ends_the_rows_for_psql_is_seen(postgres, shell, tmp_path):
    """Until version 17, psql looks for a line `\\.` inside quotes, too. It fails then, and loads nothing; as TSV the text arrives."""
    table(shell, "texts", "s text")
    values = ["before", "a\n\\.\nb", "after"]
    (tmp_path / "texts.ndjson").write_text("".join(json.dumps({"s": value}) + "\n" for value in values))
    csv = r"sluice convert --to csv --columns s texts.ndjson | psql -c '\copy texts from stdin (format csv, header)'"
    if shell(csv, check=False).returncode == 0:
        assert count(shell, "texts") == 3
        table(shell, "texts", "s text")
    assert count(shell, "texts") == 0
    shell(r"sluice convert --to tsv --columns s texts.ndjson | tail -n +2 | psql -c '\copy texts from stdin'")
    assert json.loads(shell("psql -Atc 'SELECT json_agg(s) FROM texts'").stdout) == values
