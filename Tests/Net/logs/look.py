"""A process that reads the database of a history when it is told to: each word on its input is answered with one line of JSON.

It is a process of its own so that the library of interpose.c can stand in front of it: SQLite also writes for a reader, and
what it writes may be lost with the power, too.

    python3 look.py DATABASE
"""

import json
import os
import sqlite3
import sys


def table_names(connection):
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def column(connection, tables, table, name):
    return [row[0] for row in connection.execute(f"SELECT {name} FROM {table}")] if table in tables else []


def look(connection, word):
    tables = table_names(connection)
    found = {"ids": column(connection, tables, "lines", "id"), "rejects": column(connection, tables, "bad", "json_line")}
    if word == "look":
        return found
    if "_sluice_checkpoints" in tables:
        query = "SELECT input, state FROM _sluice_checkpoints WHERE table_name = 'lines'"
        found["checkpoints"] = connection.execute(query).fetchall()
    if word == "all":
        found["rows"] = connection.execute("SELECT id, n, t FROM lines").fetchall() if "lines" in tables else []
        found["integrity"] = connection.execute("PRAGMA integrity_check").fetchone()[0]
    return found


def answer(database, word):
    if not os.path.exists(database):
        # No file has had a line.
        return {"ids": [], "rejects": [], "rows": [], "checkpoints": [], "integrity": "ok"}
    connection = sqlite3.connect(database, timeout=1, isolation_level=None)
    try:
        connection.execute("BEGIN")
        return look(connection, word)
    except sqlite3.OperationalError as error:
        # A run that is stopped may have locked the database; "locking protocol" is a lock of the write-ahead log.
        if "lock" in str(error):
            return {"locked": str(error)}
        return {"error": str(error)}
    except sqlite3.DatabaseError as error:
        return {"error": str(error)}
    finally:
        connection.close()


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(sys.argv[1], line.strip())), flush=True)
