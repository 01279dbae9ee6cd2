"""The table that lines go into, in SQLite or PostgreSQL, as somebody beside the runs sees it."""

import json
import os
import subprocess
import sys

from oracle import Finding

HERE = os.path.dirname(os.path.abspath(__file__))

LOOK = """
\\set ON_ERROR_STOP on
SET lock_timeout = '1s';
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT to_regclass('lines') IS NOT NULL AS has_rows, to_regclass('_sluice_checkpoints') IS NOT NULL AS has_checkpoints,
    to_regclass('bad') IS NOT NULL AS has_rejects \\gset
\\if :has_rows
SELECT json_build_array('ids', id) FROM lines;
\\endif
\\if :has_rejects
SELECT json_build_array('rejects', json_line) FROM bad;
\\endif
"""
CHECKPOINTS = """
\\if :has_checkpoints
SELECT json_build_array('checkpoints', json_build_array(input, state)) FROM _sluice_checkpoints WHERE table_name = 'lines';
\\endif
"""
ROWS = """
\\if :has_rows
SELECT json_build_array('rows', json_build_array(id, n, t)) FROM lines;
\\endif
"""


class SQLiteTable:
    """A database file, read by look.py."""

    def __init__(self, path, environment):
        self.path, self.environment, self.process = path, environment, None

    @property
    def url(self):
        return self.path

    def prepare(self):
        """The table is there before the first run."""
        import sqlite3
        connection = sqlite3.connect(self.path, isolation_level=None)
        connection.execute("CREATE TABLE lines (id TEXT, n INTEGER, t TEXT)")
        connection.execute("CREATE INDEX of_n ON lines (n)")
        connection.close()

    def start(self):
        self.process = subprocess.Popen([sys.executable, "-S", "-E", "-B", os.path.join(HERE, "look.py"), self.path], text=True,
                                        env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def look(self, word="look"):
        """What the table holds; None if a run that is stopped has locked it."""
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(word + "\n")
            self.process.stdin.flush()
            found = json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            raise Finding("the process that reads the database has ended (look.py)") from None
        if "error" in found:
            raise Finding(f"the database cannot be read: {found['error']}")
        return None if "locked" in found else found

    def close(self):
        """Ends the reader. The next look starts another one."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


class PostgresTable:
    """A server, read by psql."""

    def __init__(self, server):
        self.server, self.url = server, server.url

    def prepare(self):
        self.server.ask("CREATE TABLE lines (id text, n bigint, t text); CREATE INDEX of_n ON lines (n)")

    def look(self, word="look"):
        script = LOOK + (CHECKPOINTS if word != "look" else "") + (ROWS if word == "all" else "") + "COMMIT;\n"
        result = self.server.psql(script)
        if "lock timeout" in result.stderr:
            return None
        if result.returncode != 0:
            raise Finding(f"the database cannot be read: {result.stderr.strip()}")
        found = {"ids": [], "rejects": [], "rows": [], "checkpoints": [], "integrity": "ok"}
        for line in result.stdout.splitlines():
            kind, value = json.loads(line)
            found[kind].append(value)
        return found

    def close(self):
        pass
