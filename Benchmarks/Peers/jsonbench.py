"""Loads one feed of events with several tools, and prints what each took, what it stored, and what it lost without a word.

jsonbench.py SLUICE FOLDER RECORDS ROUNDS. The lanes of PostgreSQL need the environment of Scripts/with-postgres.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys

import jetstream
from timed import Timer

PROBES = {"did": "did", "text": "commit.record.text", "subject": "commit.record.subject", "late": "commit.record.bridgyOriginalText",
          "seq": "identity.seq"}
DUCKDB = "import duckdb, sys; duckdb.connect(sys.argv[1]).execute(sys.argv[2])"


class Lane:
    """A way to load the feed: `clean`, then `command` is timed; `ask` runs a query, in which `value` is what a key has become."""

    needs = None

    def __init__(self, name, sluice, feed, folder):
        self.name, self.sluice, self.feed, self.store = name, sluice, feed, os.path.join(folder, "store")

    def clean(self):
        for path in pathlib.Path(self.store).parent.glob("store*"):
            path.unlink()

    def counts(self):
        """Rows in all, and those that have each of the keys: none if there is no column."""
        counts = {"rows": self.number("*")}
        for name, path in PROBES.items():
            try:
                counts[name] = self.number(self.value(path))
            except Exception:
                counts[name] = 0
        return counts

    def number(self, expression):
        return int(self.ask(f"SELECT count({expression}) FROM events"))

    def told(self, process):
        """What the tool says of the broken lines."""
        return "stops at the first, and names " + ("its line" if self.names_lines else "no line of the feed")

    names_lines = False


class SluiceSQLite(Lane):
    def command(self):
        return [self.sluice, "ingest", "--report", "json", "--table", "events", "--rejects", "rejected", self.feed, self.store + ".db"]

    def value(self, path):
        return '"' + path.replace(".", "_") + '"'

    def ask(self, query):
        # Without its quotes: SQLite takes a quoted name that no column has for a text.
        return sqlite3.connect(self.store + ".db").execute(query.replace('"', "")).fetchone()[0]

    def told(self, process):
        # 2: records were rejected.
        if process.returncode not in (0, 2):
            sys.exit(f"{self.name} ended with {process.returncode}: {process.stderr}")
        return f"{json.loads(process.stdout)['rejected']} rejected; each is in a table, with line and reason"


def psql(query):
    return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", query], capture_output=True, text=True, check=True).stdout


class SluicePostgres(SluiceSQLite):
    needs = "PostgreSQL"

    def command(self):
        return [*super().command()[:-1], os.environ["SLUICE_POSTGRES"]]

    def clean(self):
        psql("DROP TABLE IF EXISTS events, rejected, _sluice_checkpoints; CHECKPOINT")

    def ask(self, query):
        return psql(query)


class CopyJSONB(SluicePostgres):
    """A column of JSONB, as JSONBench has it. No line has the characters 1 and 2, so each line is one field."""

    names_lines = True

    def command(self):
        return ["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c",
                f"\\copy events FROM '{self.feed}' (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')"]

    def clean(self):
        super().clean()
        psql("CREATE TABLE events (data jsonb)")

    def value(self, path):
        return "data #> '{" + path.replace(".", ",") + "}'"

    told = Lane.told


class DuckDB(Lane):
    needs = "duckdb"

    def command(self):
        read = f"read_json('{self.feed}', format = 'newline_delimited', ignore_errors = true)"
        return [sys.executable, "-c", DUCKDB, self.store + ".duckdb", f"CREATE TABLE events AS SELECT * FROM {read}"]

    def value(self, path):
        return path

    def ask(self, query):
        import duckdb
        with duckdb.connect(self.store + ".duckdb") as connection:
            return connection.execute(query).fetchone()[0]

    def told(self, process):
        return process.stdout + process.stderr or "nothing"


class DuckDBSample(DuckDB):
    """With a look at all lines before the first is loaded."""

    def command(self):
        return [part.replace("ignore_errors = true", "ignore_errors = true, sample_size = -1") for part in super().command()]


class DuckDBObjects(DuckDB):
    """A column of JSON, as JSONBench has it."""

    def command(self):
        read = f"read_ndjson_objects('{self.feed}', ignore_errors = true)"
        return [*super().command()[:-1], f"CREATE TABLE events AS SELECT * FROM {read}"]

    def value(self, path):
        return f"json->'$.{path}'"


class SQLiteUtils(SluiceSQLite):
    needs = "sqlite_utils"

    def command(self):
        return [sys.executable, "-m", "sqlite_utils", "insert", "--nl", "--alter", self.store + ".db", "events", self.feed]

    def value(self, path):
        column, _, rest = path.partition(".")
        return f"json_extract(\"{column}\", '$.{rest}')" if rest else column

    def ask(self, query):
        return sqlite3.connect(self.store + ".db").execute(query).fetchone()[0]

    told = Lane.told


LANES = {
    "sluice ingest, SQLite": SluiceSQLite,
    "sluice ingest, PostgreSQL": SluicePostgres,
    "DuckDB, read_json(ignore_errors), columns": DuckDB,
    "DuckDB, read_json(ignore_errors, sample_size = -1), columns": DuckDBSample,
    "DuckDB, read_ndjson_objects(ignore_errors), one column": DuckDBObjects,
    "sqlite-utils insert --nl": SQLiteUtils,
    "psql \\copy into jsonb, one column": CopyJSONB,
}


def is_there(needs):
    if needs == "PostgreSQL":
        return "SLUICE_POSTGRES" in os.environ and shutil.which("psql")
    return needs is None or importlib.util.find_spec(needs)


def main():
    sluice, folder, records, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    feed = os.path.join(folder, "events.ndjson")
    events = jetstream.Feed(records)
    events.write(feed)
    truth, lanes = events.truth | {"did": events.truth["records"]}, []
    for name, kind in LANES.items():
        if is_there(kind.needs):
            lanes.append(kind(name, sluice, feed, folder))
        else:
            print(f"SKIPPED: {name}: there is no {kind.needs}", file=sys.stderr)
    timer, samples, found = Timer(folder), {lane.name: [] for lane in lanes}, {}
    for number in range(rounds):
        for lane in lanes:
            lane.clean()
            process, sample = timer.run(lane.command())
            samples[lane.name].append(sample)
            if number + 1 == rounds:
                found[lane.name] = {"told": lane.told(process)} | lane.counts()
    print(f"# JSONBench's events, {truth['lines']:,} lines of {os.path.getsize(feed) / 1e6:.1f} MB, {rounds} rounds\n")
    print(f"Generated in the shape of Bluesky's (`Peers/jetstream.py`). {truth['broken']} lines are no JSON. A key comes late, in "
          f"{truth['late']} records; a number becomes a text late. Medians of the whole process: the processor time is the client's.\n")
    print("| loader | s elapsed | s of processor time | MiB at most | rows | rows of nulls | records not stored | values not stored | "
          "what it says of them |\n|---|---:|---:|---:|---:|---:|---:|---:|---|")
    for lane in lanes:
        elapsed, processor, memory = [statistics.median(column) for column in zip(*samples[lane.name])]
        counts = found[lane.name]
        missing = sum(truth[name] - counts[name] for name in ["text", "subject", "late", "seq"])
        print(f"| {lane.name} | {elapsed:.2f} | {processor:.2f} | {memory:.0f} | {counts['rows']:,} | {counts['rows'] - counts['did']:,} | "
              f"{truth['did'] - counts['did']:,} | {missing:,} | {counts['told']} |")
    print("\nRecords are those of the lines that are JSON. Values are those of four keys: `commit.record.text`, `commit.record.subject` (a "
          "string or an object), `commit.record.bridgyOriginalText` (late) and `identity.seq` (a number, then a text, which a column of "
          "integers in PostgreSQL does not take: these records are rejected, too).")


main()
