"""Sluice's data source against spark.read.json and DuckDB, on one core and on two, over files of GitHub's events.

    Benchmarks/scale/run                                  64 MB in 16 files, a look
    Benchmarks/scale/run --megabytes 2000 --rounds 5      what the figures in the article come from

Every lane reads five columns of all records and aggregates them. The lanes take turns, each beginning a round in its turn, and the medians
are shown. The first rounds are not counted: the JVM compiles for seconds. Next to the elapsed time is the processor time: of this
process and of all that it started (Spark's JVM and its Python workers). On a busy machine it tells what a lane costs. When the
timing is over, the rows of all lanes are compared one by one.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import plan  # noqa: E402
from generate import generate  # noqa: E402

COLUMNS = {"id": "string", "type": "string", "actor.login": "string", "repo.name": "string", "created_at": "string"}
NAMES = ["id", "type", "login", "repository", "created"]
SPARK_SCHEMA = "id STRING, type STRING, actor STRUCT<login STRING>, repo STRUCT<name STRING>, created_at STRING"
DUCKDB_TYPES = "{id:'VARCHAR', type:'VARCHAR', actor:'STRUCT(login VARCHAR)', repo:'STRUCT(\"name\" VARCHAR)', created_at:'VARCHAR'}"
TOTALS = "count(*), max(id), sum(length(type)), sum(length(login)), sum(length(repository)), max(created)"


#: Seconds of processors by process and its start, of this process and of those below it, when they were last looked at. Spark ends Python
#: workers that have been idle for a minute, and nothing else remembers what they took.
_seen: dict = {}


def processor_seconds() -> float:
    """The time of processors of this process and of all below it, those that ended included."""
    found, parents = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry)] = int(fields[1])
            found[int(entry)] = (fields[19], sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK"))

    def is_mine(process: int) -> bool:
        while process not in (0, os.getpid()):
            process = parents.get(process, 0)
        return process != 0

    for process, (start, seconds) in found.items():
        if is_mine(process):
            _seen[process, start] = seconds
    return sum(_seen.values())


def spark_session(cores: int):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local[{cores}]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "4g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    from sluice.spark import register

    register(session)
    return session


class Lanes:
    """The ways to read the files; each gives its totals, and all its rows as a table of Arrow."""

    def __init__(self, paths, cores: int, split: int):
        import duckdb

        self.paths, self.cores = [str(path) for path in paths], cores
        self.spark = spark_session(cores)
        self.spark.conf.set("spark.sql.files.maxPartitionBytes", split)
        self.duckdb = duckdb.connect()
        self.duckdb.execute(f"SET threads = {cores}")
        self.split = split
        self.all = {
            "spark.read.json": (self.spark_json, self.spark_totals),
            "Sluice in Spark": (self.spark_sluice, self.spark_totals),
            "DuckDB, read_json": (self.duckdb_json, self.duckdb_totals),
            "DuckDB over sluice.scan": (self.duckdb_sluice, self.duckdb_totals),
            "sluice.scan alone": (self.stream, self.stream_totals),
        }

    def spark_json(self):
        frame = self.spark.read.schema(SPARK_SCHEMA).json(self.paths)
        return frame.selectExpr("id", "type", "actor.login AS login", "repo.name AS repository", "created_at AS created")

    def spark_sluice(self):
        reader = self.spark.read.format("sluice").option("columns", json.dumps(COLUMNS)).option("splitSize", self.split)
        return reader.load(self.paths).toDF(*NAMES)

    def spark_totals(self, frame):
        return tuple(frame.selectExpr(*TOTALS.split(", ")).collect()[0])

    def duckdb_json(self):
        return (
            "SELECT id, type, actor.login AS login, repo.name AS repository, created_at AS created "
            f"FROM read_json({self.paths}, format = 'newline_delimited', columns = {DUCKDB_TYPES})"
        )

    def duckdb_sluice(self):
        self.duckdb.register("scanned", self.stream())
        return "SELECT * FROM scanned"

    def duckdb_totals(self, query):
        return self.duckdb.execute(f"SELECT {TOTALS} FROM ({query})").fetchall()[0]

    def stream(self):
        import pyarrow
        import sluice

        workers = self.cores if self.cores > 1 else 0
        schema = pyarrow.schema([(name, pyarrow.string()) for name in NAMES])
        feeds = (sluice.scan(path, COLUMNS, format="lines", workers=workers) for path in self.paths)
        batches = (batch.rename_columns(NAMES) for feed in feeds for batch in feed)
        return pyarrow.RecordBatchReader.from_batches(schema, batches)

    def stream_totals(self, reader):
        """The number of rows alone: no engine aggregates here."""
        return (sum(batch.num_rows for batch in reader),)

    def run(self, name):
        read, totals = self.all[name]
        return totals(read())

    def rows(self, name):
        """All rows, sorted by their ids, which differ."""
        read, totals = self.all[name]
        found = read()
        if totals == self.spark_totals:
            table = found.toArrow()
        elif totals == self.duckdb_totals:
            result = self.duckdb.execute(found)
            # Version 2 has another name for it.
            table = result.to_arrow_table() if hasattr(result, "to_arrow_table") else result.fetch_arrow_table()
        else:
            table = found.read_all()
        return table.cast(self.stream().schema).sort_by("id").combine_chunks()


def measure(arguments, paths, cores: int) -> dict:
    """The medians of each lane, in seconds."""
    lanes = Lanes(paths, cores, arguments.split * 1_000_000)
    names = list(lanes.all)
    samples, totals = {name: [] for name in names}, {}
    for _ in range(arguments.warm):
        for name in names:
            totals[name] = lanes.run(name)
    for number in range(arguments.rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            before, start = processor_seconds(), time.perf_counter()
            if lanes.run(name) != totals[name]:
                raise SystemExit(f"{name} gives another result the second time")
            samples[name].append((time.perf_counter() - start, processor_seconds() - before))
    expected = lanes.rows(names[0])
    for name in names:
        if totals[name] != totals[names[0]][: len(totals[name])]:
            raise SystemExit(f"{name}: {totals[name]}, but {names[0]}: {totals[names[0]]}")
        if not lanes.rows(name).equals(expected):
            raise SystemExit(f"the rows of {name} are not those of {names[0]}")
    lanes.spark.stop()
    return {
        "rows": expected.num_rows,
        "lanes": {name: [statistics.median(column) for column in zip(*found)] for name, found in samples.items()},
    }


def split_rates(paths) -> list:
    """Seconds of a processor for each megabyte, of one split after the other: what the library alone takes."""
    import sluice

    rates = []
    for path in paths:
        for start, end in sluice.ranges(path, size=8_000_000):
            began = time.process_time()
            for _ in sluice.scan(path, COLUMNS, range=(start, end), format="lines"):
                pass
            rates.append((time.process_time() - began) / ((end - start) / 1e6))
    return rates


def task_overhead(cores: int = 1) -> float:
    """Seconds of processors that a task of the data source takes whose split holds next to nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "few.ndjson"
        path.write_text('{"id":"1"}\n' * 200)
        spark = spark_session(cores)

        def seconds(splits: int) -> float:
            reader = spark.read.format("sluice").option("columns", '{"id":"string"}').option("splitSize", 2200 // splits)
            began = processor_seconds()
            assert reader.load(str(path)).count() == 200
            return processor_seconds() - began

        for _ in range(5):
            seconds(100)
        overhead = statistics.median([(seconds(100) - seconds(1)) / 99 for _ in range(3)])
        spark.stop()
    return max(overhead, 0.0)


def report(arguments, bytes: int, results: dict) -> None:
    megabytes = bytes / 1e6
    rows = results[1]["rows"]
    print(f"\n{megabytes:,.0f} MB in {arguments.files} files, {rows:,} rows, {arguments.rounds} rounds; rows compared: equal.\n")
    print("| lane | cores | MB/s | MB for each second of a processor | against spark.read.json | the same, by processor |")
    print("|---|---|---|---|---|---|")
    for cores, result in results.items():
        base = result["lanes"]["spark.read.json"]
        for name, (wall, processor) in result["lanes"].items():
            rates = f"{megabytes / wall:,.0f} | {megabytes / processor:,.0f}"
            print(f"| {name} | {cores} | {rates} | {base[0] / wall:.2f} | {base[1] / processor:.2f} |")


def report_plan(arguments, bytes: int, lanes: dict, paths) -> None:
    rates, overhead = split_rates(paths), task_overhead()
    tasks = sum(-(-path.stat().st_size // (arguments.split * 1_000_000)) for path in paths)
    # What Spark does with the rows, for each megabyte of the feed.
    rows = (lanes["Sluice in Spark"][1] - lanes["sluice.scan alone"][1] - tasks * overhead) / (bytes / 1e6)
    print(f"\nA plan for 1,000 splits of 128 MB, from seconds of processors. {len(rates)} splits were measured: the library reads")
    print(f"{1 / statistics.median(rates):,.0f} MB in a second. For the rows of a split, Spark takes {rows * 128_000:.0f} ms more; a task costs")
    print(f"{overhead * 1000:.1f} ms beside them. The rest is simulated.\n")
    print(plan.table([rate + max(rows, 0.0) for rate in rates], overhead))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=int, default=3, help="rounds before those that are counted")
    parser.add_argument("--split", type=int, default=128, help="megabytes of a split")
    parser.add_argument("--folder", type=pathlib.Path, help="where the files are kept; a temporary folder if not given")
    parser.add_argument("--cores", type=int, choices=[1, 2], help="this run alone, its result as JSON (used by the program itself)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or pathlib.Path(temporary)
        paths = generate(folder, arguments.megabytes, arguments.files)
        if arguments.cores:
            print(json.dumps(measure(arguments, paths, arguments.cores)))
            return
        results = {}
        for cores in (1, 2):
            # A JVM's first session decides its number of cores.
            command = [sys.executable, __file__, "--cores", str(cores), "--folder", str(folder)]
            for name in ("megabytes", "files", "rounds", "warm", "split"):
                command += [f"--{name}", str(getattr(arguments, name))]
            finished = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            results[cores] = json.loads(finished.stdout.splitlines()[-1])
        bytes = sum(path.stat().st_size for path in paths)
        report(arguments, bytes, results)
        report_plan(arguments, bytes, results[1]["lanes"], paths)


if __name__ == "__main__":
    main()
