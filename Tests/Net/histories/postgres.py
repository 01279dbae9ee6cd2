"""A server of PostgreSQL as the database of histories: Scripts/with-postgres has started it, and names it in the environment.

A crash kills the server (`pg_ctl stop -m immediate`) and all runs at once. What the server has said to be committed must be there when it
has started again. Nothing is undone by hand, as crash.py does it to SQLite's files.
"""

import json
import os
import subprocess
import time

from oracle import COLUMNS, Finding, Snapshot

TYPES = {"integer": "bigint", "text": "text", "real": "double precision", "bool": "boolean", "json": "jsonb"}

LOOK = """
\\set ON_ERROR_STOP on
SET lock_timeout = '200ms';
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT to_regclass('records') IS NOT NULL AS has_rows, to_regclass('_sluice_checkpoints') IS NOT NULL AS has_checkpoints,
    to_regclass('bad') IS NOT NULL AS has_rejections, to_regclass('changed') IS NOT NULL AS has_changes \\gset
\\if :has_rows
SELECT json_build_array('row', row_to_json(r)) FROM records r;
\\endif
\\if :has_checkpoints
SELECT json_build_array('checkpoint', input, byte_offset, records, rejected, is_complete, state) FROM _sluice_checkpoints
WHERE table_name = 'records';
\\endif
\\if :has_rejections
SELECT json_build_array('rejection', file, line_byte_position, error_type, json_line) FROM bad;
\\endif
\\if :has_changes
SELECT json_build_array('change', table_name, key, operation, patch, nulls) FROM changed ORDER BY number;
\\endif
SELECT format('SELECT json_build_array(''child'', %L, row_to_json(r)) FROM %I r', relname, relname) FROM pg_class
WHERE relname LIKE 'records\\_%' AND relkind = 'r' AND relnamespace = 'public'::regnamespace \\gexec
COMMIT;
"""


class Server:
    def __init__(self):
        self.url, self.script = os.environ["SLUICE_POSTGRES"], os.environ["SLUICE_POSTGRES_SERVER"]
        # A session whose client was killed ends soon, even while it waits for a lock.
        self.ask("ALTER SYSTEM SET client_connection_check_interval = '20ms'")
        self.ask("SELECT pg_reload_conf()")

    def psql(self, text):
        return subprocess.run(["psql", "-XqAt"], input=text, capture_output=True, text=True)

    def ask(self, sql):
        result = self.psql(sql)
        if result.returncode != 0 or result.stderr:
            raise Finding(f"the server does not answer: {result.stderr.strip()}")
        return result.stdout.strip()

    def clear(self):
        """Makes room for a new history."""
        self.ask("SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    def prepare(self, has_key):
        names = ", ".join(f"{name} {TYPES[kind]}" for name, kind, _ in COLUMNS)
        self.ask(f"CREATE TABLE records ({names}{', PRIMARY KEY (id)' if has_key else ''}); CREATE INDEX words ON records (b)")

    def restart(self):
        """Kills the server, and starts it again."""
        for word in ["kill", "start"]:
            subprocess.run([self.script, word], stdin=subprocess.DEVNULL, capture_output=True)
        limit = time.monotonic() + 30
        while self.psql("SELECT 1").returncode != 0:
            if time.monotonic() > limit:
                raise Finding("the server does not start again")
            time.sleep(0.05)

    def settle(self, name):
        """Waits until the session of a run that has ended has ended, too: its locks are gone then."""
        limit = time.monotonic() + 30
        while self.ask(f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{name}'") != "0":
            if time.monotonic() > limit:
                raise Finding(f"the session of {name} outlives it")
            time.sleep(0.005)

    def snapshot(self):
        """What the database holds; None if a run that is stopped has locked a table for itself."""
        result = self.psql(LOOK)
        if "lock timeout" in result.stderr:
            return None
        if result.returncode != 0:
            raise Finding(f"the database cannot be read: {result.stderr.strip()}")
        return PostgresSnapshot(map(json.loads, result.stdout.splitlines()))


class PostgresSnapshot(Snapshot):
    def __init__(self, items):
        self.rows, self.checkpoints, self.rejections, self.cut_off = [], {}, [], {}
        self.journal, self.integrity = None, "ok"
        self.changes, self.children = [], {}
        for kind, *values in items:
            if kind == "row":
                row = {name: value for name, value in values[0].items() if value is not None}
                if "a" in row:
                    row["a"] = json.dumps(row["a"])
                self.rows.append(row)
            elif kind == "checkpoint":
                path, offset, records, rejected, complete, state = values
                self.note_checkpoint(path, offset, records, rejected, complete, state)
            elif kind == "change":
                self.changes.append(tuple(values))
            elif kind == "child":
                self.children.setdefault(values[0], []).append(values[1])
            else:
                self.rejections.append(tuple(values))
