"""Times ways to bring a feed into PostgreSQL, and into SQLite, as whole processes; and the memory of wide tables.

postgres.py SLUICE FOLDER ROUNDS INSERTS: FOLDER holds events.ndjson, INSERTS is the program of Peers/grdb, or empty. The environment names
the server, as Scripts/with-postgres sets it.

The rounds of all lanes are interleaved, and each ingest stands between two runs of \\copy. Times are elapsed times, and the processor time
of the client alone: what the server does is in neither lane's. The rows are compared at the end.
"""

import importlib.util
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time

ADBC = """
import os, sys
import adbc_driver_postgresql.dbapi as driver
import pyarrow.ipc
with driver.connect(sys.argv[1]) as connection, connection.cursor() as cursor:
    cursor.adbc_ingest("adbc", pyarrow.ipc.open_stream(sys.stdin.buffer), mode="create")
    connection.commit()
"""

PSYCOPG = """
import json, sys
import psycopg
url, path, columns = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
def flatten(record, prefix, row):
    for key, value in record.items():
        if isinstance(value, dict):
            flatten(value, prefix + key + "_", row)
        else:
            row[prefix + key] = json.dumps(value) if isinstance(value, list) else value
with psycopg.connect(url) as connection, connection.cursor() as cursor:
    names = ", ".join('"' + name + '"' for name in columns)
    with cursor.copy(f"COPY psycopg ({names}) FROM STDIN") as copy, open(path, encoding="utf-8") as feed:
        for line in feed:
            row = {}
            flatten(json.loads(line), "", row)
            copy.write_row([row.get(name) for name in columns])
"""


class Lanes:
    def __init__(self, sluice, folder, inserts):
        self.sluice, self.folder, self.inserts = sluice, folder, inserts
        self.feed = os.path.join(folder, "events.ndjson")
        self.url = os.environ["SLUICE_POSTGRES"]
        self.csv = os.path.join(folder, "events.csv")

    def sql(self, text):
        return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", text], capture_output=True, text=True, check=True).stdout.strip()

    def prepare(self):
        """Makes the table that all lanes fill, and the CSV of its rows."""
        report = subprocess.run([self.sluice, "ingest", self.feed, self.url, "--table", "model", "--report", "json"],
                                capture_output=True, text=True, check=True)
        self.columns = [column["name"] for column in json.loads(report.stdout)["columns"]]
        subprocess.run(["psql", "-Xq", "-c", f"\\copy model TO '{self.csv}' CSV"], check=True)
        self.rows = int(self.sql("SELECT count(*) FROM model"))

    def run(self, *commands):
        """Elapsed seconds, and seconds of processor time, of commands whose outputs go to the next one's inputs."""
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        processes = []
        for number, command in enumerate(commands):
            last = number == len(commands) - 1
            processes.append(subprocess.Popen(command, stdin=processes[-1].stdout if processes else subprocess.DEVNULL,
                                              stdout=subprocess.DEVNULL if last else subprocess.PIPE))
            if number > 0:
                processes[number - 1].stdout.close()
        codes = [process.wait() for process in processes]
        elapsed, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        if any(codes):
            raise RuntimeError(f"{commands[-1][:2]} ended with {codes}")
        return elapsed, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    # MARK: PostgreSQL

    def empty(self, table):
        self.sql(f"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (LIKE model); CHECKPOINT")

    def copy(self):
        self.empty("copied")
        return self.run(["psql", "-Xq", "-c", f"\\copy copied FROM '{self.csv}' CSV"])

    def ingest(self):
        self.sql("DROP TABLE IF EXISTS ingested, _sluice_checkpoints; CHECKPOINT")
        return self.run([self.sluice, "ingest", "--quiet", self.feed, self.url, "--table", "ingested"])

    def upsert(self):
        self.sql("DROP TABLE IF EXISTS upserted, _sluice_checkpoints; CHECKPOINT")
        return self.run([self.sluice, "ingest", "--quiet", self.feed, self.url, "--table", "upserted", "--pk", "id", "--upsert"])

    def adbc(self):
        self.sql("DROP TABLE IF EXISTS adbc; CHECKPOINT")
        return self.run([self.sluice, "convert", "--to", "arrow", self.feed], [sys.executable, "-c", ADBC, self.url])

    def psycopg(self):
        self.empty("psycopg")
        return self.run([sys.executable, "-c", PSYCOPG, self.url, self.feed, json.dumps(self.columns)])

    # MARK: SQLite

    def remove(self, name):
        for suffix in ["", "-wal", "-shm", "-journal"]:
            if os.path.exists(os.path.join(self.folder, name + suffix)):
                os.remove(os.path.join(self.folder, name + suffix))

    def sqlite(self):
        self.remove("ingested.db")
        return self.run([self.sluice, "ingest", "--quiet", self.feed, os.path.join(self.folder, "ingested.db")])

    def grdb(self):
        """The program makes the records first, and prints how long their inserts took."""
        self.remove("inserted.db")
        paths = [os.path.join(self.folder, name) for name in ["ingested.db", "inserted.db"]]
        words = subprocess.run([self.inserts] + paths, capture_output=True, text=True, check=True).stdout.split()
        return float(words[0]), float(words[1])

    # MARK: Memory

    def wide(self):
        """Records of 1,500 keys, of which each has at most 300 that are not null: the most memory of an ingest, in MiB."""
        generator, path = random.Random(1), os.path.join(self.folder, "wide.ndjson")
        with open(path, "w") as file:
            for number in range(20_000):
                keys = generator.sample(range(1500), 250)
                file.write(json.dumps({"id": number} | {f"key{key}": key * number for key in keys}) + "\n")
        for name, target in [("SQLite", os.path.join(self.folder, "wide.db")), ("PostgreSQL", self.url)]:
            process = subprocess.Popen([self.sluice, "ingest", "--quiet", path, target, "--table", "wide"])
            _, status, usage = os.wait4(process.pid, 0)
            if os.waitstatus_to_exitcode(status) != 0:
                raise RuntimeError(f"the ingest of 1,500 columns into {name} failed")
            # Linux counts KiB, macOS bytes.
            yield name, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def main():
    sluice, folder, rounds, inserts = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    lanes = Lanes(sluice, folder, inserts)
    lanes.prepare()
    has = {name: importlib.util.find_spec(name) is not None for name in ["pyarrow", "adbc_driver_postgresql", "psycopg"]}
    names = ["ingest", "upsert"]
    if has["pyarrow"] and has["adbc_driver_postgresql"]:
        names.append("adbc")
    if has["psycopg"]:
        names.append("psycopg")
    names.append("sqlite")
    if inserts:
        names.append("grdb")
    times = {name: [] for name in ["copy"] + names}
    ratios = []
    for _ in range(rounds):
        before = lanes.copy()
        for name in names:
            times[name].append(getattr(lanes, name)())
            if name == "ingest":
                after = lanes.copy()
                times["copy"] += [before, after]
                ratios.append(times["ingest"][-1][0] / ((before[0] + after[0]) / 2))
    for table in ["copied", "ingested"] + (["psycopg"] if "psycopg" in names else []):
        left = lanes.sql(f"SELECT count(*) FROM (TABLE model EXCEPT ALL TABLE {table}) t")
        count = lanes.sql(f"SELECT count(*) FROM {table}")
        if left != "0" or int(count) != lanes.rows:
            raise RuntimeError(f"{table} has {count} rows, and {left} of the model's are missing")
    words = {
        "copy": "psql \\copy of a ready-made CSV", "ingest": "sluice ingest", "upsert": "sluice ingest --pk id --upsert",
        "adbc": "sluice convert --to arrow, and the ADBC driver", "psycopg": "Python with psycopg's copy",
        "sqlite": "sluice ingest into SQLite", "grdb": "GRDB's insert of Codable records, without making them",
    }
    print(f"# {lanes.rows} generated events into PostgreSQL, in {rounds} rounds\n")
    print(f"{os.cpu_count()} processors; PostgreSQL {lanes.sql('SHOW server_version')}. Medians.\n")
    print("| | s elapsed | s of the client's processor time |\n|---|---|---|")
    median = {}
    for name, values in times.items():
        if values:
            median[name] = [statistics.median(value[place] for value in values) for place in (0, 1)]
            print(f"| {words[name]} | {median[name][0]:.2f} | {median[name][1]:.2f} |")
    print("\n| | measured | bar |\n|---|---|---|")
    print(f"| elapsed time / that of \\copy | {statistics.median(ratios):.2f} | ≤ 1.15 |")
    if "adbc" in median:
        print(f"| processor time / that of the ADBC driver's lane | {median['ingest'][1] / median['adbc'][1]:.2f} | ≤ 0.6 |")
    if "psycopg" in median:
        print(f"| processor time / that of psycopg's lane | {median['ingest'][1] / median['psycopg'][1]:.2f} | ≤ 0.25 |")
    if "grdb" in median:
        print(f"| GRDB's inserts / the ingest into SQLite, elapsed | {median['grdb'][0] / median['sqlite'][0]:.1f} | ≥ 8 |")
    for name, size in lanes.wide():
        print(f"| most memory with 1,500 columns, {name} | {size:.0f} MiB | < 64 MiB |")


if __name__ == "__main__":
    main()
