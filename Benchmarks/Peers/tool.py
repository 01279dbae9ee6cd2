"""Times commands as whole processes, and prints the least processor time of each, beside that of `sluice check`.

tool.py SLUICE FOLDER ROUNDS CORPUS: FOLDER holds events.ndjson; CORPUS, if it is not empty, github_events.json.
"""

import importlib.util
import json
import os
import resource
import subprocess
import sys

DUCKDB = "import duckdb, sys; c = duckdb.connect({database}); c.execute('SET threads = 1'); c.execute({query})"
PYARROW = (
    "import sys, pyarrow as pa, pyarrow.json as j; pa.set_cpu_count(1); "
    "t = j.read_json({feed}, read_options=j.ReadOptions(use_threads=False)); "
    "w = pa.ipc.new_stream({out}, t.schema); w.write_table(t); w.close()"
)


def lanes(sluice, feed, folder):
    """The lanes of one feed: a name, the module that it needs or None, and the command."""
    out = os.path.join(folder, "out")
    for name in ["check", "convert", "convert --to csv", "convert --to arrow", "infer", "infer --as json-schema"]:
        output = ["-o", out] if name.startswith("convert") else []
        yield f"sluice {name}", None, [sluice, *name.split(), *output, feed]
    yield "sluice ingest", None, [sluice, "ingest", feed, "-o", out + ".db"]
    table = os.path.basename(feed).split(".")[0]
    query = f"SELECT type, count(*) AS n FROM {table} GROUP BY type"
    yield "sluice query", None, [sluice, "query", "-o", out + ".ndjson", feed, query]
    python = sys.executable
    read = f"SELECT * FROM read_json_auto('{feed}', format='newline_delimited')"
    csv = DUCKDB.format(database="':memory:'", query=repr(f"COPY ({read}) TO '{out}' (FORMAT csv)"))
    table = DUCKDB.format(database=repr(out + ".duckdb"), query=repr(f"CREATE TABLE t AS {read}"))
    yield "DuckDB, csv", "duckdb", [python, "-c", csv]
    yield "DuckDB, table", "duckdb", [python, "-c", table]
    count = f"COPY (SELECT type, count(*) AS n FROM ({read}) GROUP BY type) TO '{out}' (FORMAT json)"
    yield "DuckDB, query", "duckdb", [python, "-c", DUCKDB.format(database="':memory:'", query=repr(count))]
    yield "sqlite-utils, query", "sqlite_utils", [python, "-m", "sqlite_utils", "memory", f"{feed}:nl", query]
    yield "pyarrow, stream", "pyarrow", [python, "-c", PYARROW.format(feed=repr(feed), out=repr(out))]
    yield "sqlite-utils", "sqlite_utils", [python, "-m", "sqlite_utils", "insert", "--nl", "--alter", out + ".db", "t", feed]


def clean(folder):
    for name in os.listdir(folder):
        if name.startswith("out"):
            os.remove(os.path.join(folder, name))


def seconds(command, folder):
    """The processor time of a command; None if it fails, which is said."""
    clean(folder)
    # Peers use the threads that they are given here, too.
    environment = dict(os.environ, OMP_NUM_THREADS="1", ARROW_IO_THREADS="1")
    with open(os.devnull, "w") as null:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run(command, stdout=null, stderr=subprocess.PIPE, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        reason = result.stderr.decode(errors="replace").strip().splitlines()
        print(f"FAILED: {' '.join(command)[:100]}: {reason[-1] if reason else result.returncode}", file=sys.stderr)
        return None
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(title, sluice, feed, folder, rounds):
    found = []
    for name, module, command in lanes(sluice, feed, folder):
        if module is not None and importlib.util.find_spec(module) is None:
            print(f"SKIPPED: {name}: Python has no {module}")
        else:
            found.append((name, command))
    times = {name: [] for name, _ in found}
    for _ in range(rounds):
        for name, command in found:
            time = seconds(command, folder)
            if time is not None:
                times[name].append(time)
    if not times["sluice check"]:
        sys.exit("sluice check failed")
    check = min(times["sluice check"])
    print(f"\n## {title}, {os.path.getsize(feed) / 1e6:.1f} MB\n\n| command | CPU, s | of check |\n|---|---|---|")
    for name, _ in found:
        if times[name]:
            print(f"| {name} | {min(times[name]):.3f} | {min(times[name]) / check:.1f} |")
        else:
            print(f"| {name} | failed | |")


def main():
    sluice, folder, rounds, corpus = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    measure("Generated events", sluice, os.path.join(folder, "events.ndjson"), folder, rounds)
    source = os.path.join(corpus, "github_events.json")
    if not corpus or not os.path.exists(source):
        print("\nSKIPPED: GitHub's events: SLUICE_CORPUS names no folder with github_events.json")
        return
    with open(source, encoding="utf-8") as file:
        lines = [json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in json.load(file)]
    feed = os.path.join(folder, "github.ndjson")
    with open(feed, "w", encoding="utf-8") as file:
        file.write(("\n".join(lines) + "\n") * 1000)
    measure("GitHub's events", sluice, feed, folder, rounds)


main()
