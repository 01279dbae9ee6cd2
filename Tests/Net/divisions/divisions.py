#!/usr/bin/env python3
"""Loads random feeds in one command and in several, and compares what is stored. See README.md.

    divisions.py SLUICE N SEED [postgres] [upsert] [plant]
"""

import json
import multiprocessing
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "histories"))

from compare import Contents, Outcome, Problem, differences
from postgres import Server
from records import Piece, cut, dumps, merged, options, records
from tables import of_postgres, of_sqlite

LIMIT = 60
ENVIRONMENT = {name: os.environ[name] for name in ["PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR"] if name in os.environ} | {"NO_COLOR": "1"}


class Base:
    """A database, empty: a file, or a schema of the server."""

    def __init__(self, folder, name, server):
        self.folder, self.name, self.server = folder, name, server
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        if server:
            server.ask(f"SET client_min_messages = warning; DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}")
            self.output = f"{server.url}&options=-csearch_path%3D{name}"
        else:
            self.output = os.path.join(folder, "out.db")

    def tables(self):
        if self.server:
            return of_postgres(self.server, self.name)
        return of_sqlite(self.output) if os.path.exists(self.output) else ({}, [])

    def drop(self):
        if self.server:
            self.server.ask(f"SET client_min_messages = warning; DROP SCHEMA IF EXISTS {self.name} CASCADE")
        shutil.rmtree(self.folder, ignore_errors=True)


class Division:
    """A feed of one seed, and its division."""

    def __init__(self, tools, seed):
        self.tools, self.seed = tools, seed
        random_ = random.Random(f"division {seed}")
        self.before = []
        self.records = records(random_, tools.server is not None, 2 if tools.has_rows else 1)
        if tools.has_rows:
            half = len(self.records) // 2
            self.before, self.records = self.records[:half], [record for record in self.records[half:] if random_.random() < 0.7] or self.records[half:]
        self.options = options(random_, self.records)
        if tools.has_rows:
            self.options = ["--pk", "n0", "--upsert"] + (["--children", "tables"] if "--children" in self.options else [])
        self.pieces = cut(random_, self.records)
        self.commands = []

    def load(self, name, pieces):
        """Loads pieces into a new database, and reads it. The rows before them are of one command."""
        base = Base(os.path.join(self.tools.folder, f"{self.seed}-{name}"), f"d{self.seed}_{name}", self.tools.server)
        self.commands = []
        growing = None
        outcomes = []
        for number, piece in enumerate([Piece(self.before)] * bool(self.before) + pieces):
            # The first run of a table has nothing to append to, which is no error.
            arguments = ["ingest", "-o", base.output, "--report", "json", "--format", "array" if piece.form == "array" else "ndjson",
                         *self.options, *piece.options]
            path = os.path.join(base.folder, f"{number}.ndjson" + (".gz" if piece.form == "gzip" else ""))
            parts = [piece.records]
            if piece.way == "files" and len(piece.records) > 1:
                middle = len(piece.records) // 2
                parts = [piece.records[:middle], piece.records[middle:]]
            if piece.way == "growing" and piece.form == "ndjson":
                path = growing = growing or path
            data = [Piece.data(part, piece.form) for part in parts]
            if piece.way == "pipe":
                arguments.append("-")
            else:
                for place, bytes_ in enumerate(data):
                    file = path if place == 0 else f"{path}.{place}"
                    with open(file, "ab") as stream:
                        stream.write(bytes_)
                    arguments.append(file)
            self.commands.append((arguments, data[0] if piece.way == "pipe" else None))
            outcomes.append(self.run(arguments, data[0] if piece.way == "pipe" else b""))
        tables, problems = base.tables()
        self.bases.append(base)
        return tables, problems, outcomes

    def run(self, arguments, data):
        try:
            result = subprocess.run([self.tools.sluice, *arguments], input=data, capture_output=True, timeout=LIMIT, env=ENVIRONMENT)
        except subprocess.TimeoutExpired:
            return Outcome(-1, None, f"took more than {LIMIT} s")
        try:
            report = json.loads(result.stdout)
        except ValueError:
            report = None
        message = result.stderr.decode("utf-8", "replace").strip() or (report or {}).get("reason") or ""
        return Outcome(result.returncode, report, message)

    def play(self):
        """Loads the feed in both ways. Returns what is wrong."""
        self.bases = []
        try:
            return self.compare()
        finally:
            for base in self.bases:
                base.drop()

    def compare(self):
        rows = {int(record["n0"]): record for record in self.before}
        all_ = rows | {int(record["n0"]): merged(rows.get(int(record["n0"]), {}), record) for record in self.records}
        expected = [Piece([rows[number] for number in rows.keys() - {int(record["n0"]) for record in self.records}])] * bool(self.before)
        whole_pieces = expected + [Piece(self.expected(all_, self.records))]
        expected += [Piece(self.expected(all_, piece.records)) for piece in self.pieces]
        children, server = "tables" in self.options, self.tools.server is not None
        tables, problems, outcomes = self.load("one", [Piece(self.records)])
        found = [Problem("stray", f"one command: {problem}") for problem in problems]
        other, whole = None, outcomes[-1]
        if whole.code in (0, 2):
            types = {column["name"]: column["type"] for column in whole.report["columns"]}
            other = Contents(tables, all_, children, server, types)
            # The article has an exception for objects beside other values, so only divisions are compared with merged records.
            for problem in differences(other, whole_pieces, outcomes):
                if not self.before:
                    found.append(Problem("one command: " + problem.kind, "one command: " + problem.text, problem.path))
            if not self.before and whole.rejected > sum(record.get("k") == 7 for record in self.records):
                reason = (whole.report["rejections"] or [{"reason": "?"}])[0]["reason"].split("\n")[0]
                found.append(Problem("one command: rejected", f"one command rejects {whole.rejected} records: {reason}"))
        elif whole.code != 3:
            found.append(Problem("exit code", f"one command: exit code {whole.code}: {whole.message[:300]}"))
        tables, problems, outcomes = self.load("cut", self.pieces)
        found += [Problem("stray", problem) for problem in problems]
        for number, outcome in enumerate(outcomes):
            # Names that PostgreSQL cuts to the same one are an error, in one command and in several; so is a key that the records lack.
            is_error = outcome.code == 3 and "would have one name" in outcome.message
            if outcome.code == 64 and "--pk k.a: there is no such column" in outcome.message:
                is_error = any(record.get("k") == 7 for record in self.pieces[number].records)
            if outcome.code not in (0, 2, whole.code) and not is_error:
                found.append(Problem("exit code", f"command {number + 1} of {len(outcomes)}: exit code {outcome.code}: {outcome.message[:300]}"))
        commands = {int(record["n0"]): outcome for piece, outcome in zip(expected, outcomes) if outcome.code in (0, 2) for record in piece.records}
        last = outcomes[-1] if outcomes else None
        # With rows of the same keys, a column of JSON is no column of texts that look like it.
        types = {column["name"]: column["type"] for column in last.report["columns"]} if self.before and last and last.code in (0, 2) and last.report else {}
        divided = differences(Contents(tables, all_, children, server, types, commands=commands), expected, outcomes, other, self.before)
        self.counts = Counter(commands=len(self.pieces), records=len(self.records), rejected=sum(outcome.rejected for outcome in outcomes),
                              counted=sum(outcome.counted for outcome in outcomes))
        if not self.tools.plants:
            return found + divided
        plant = None if divided else planted(random.Random(f"plant {self.seed}"), tables, outcomes)
        if plant is None:
            return []
        self.counts["plants"] = 1
        divided = differences(Contents(tables, all_, children, server, commands=commands), expected, outcomes, other, self.before)
        return [] if divided else [Problem("not noticed", f"a planted fault was not noticed: {plant}")]

    @staticmethod
    def expected(all_, records):
        return [all_[int(record["n0"])] for record in records]

    def smallest(self, kind):
        """Leaves out what is not needed for a finding of this kind. Returns the finding."""
        best = (self.records, self.pieces)
        finding = None
        limit = time.monotonic() + 20

        def fails(pieces):
            nonlocal finding, best
            pieces = [piece for piece in pieces if piece.records]
            if not pieces or time.monotonic() > limit:
                return False
            self.pieces, self.records = pieces, [record for piece in pieces for record in piece.records]
            for problem in self.play():
                if problem.kind == kind:
                    finding, best = problem, (self.records, pieces)
                    return True
            return False

        def with_records(piece, records, keeps_way=True):
            new = Piece(records)
            if keeps_way:
                new.form, new.way, new.options = piece.form, piece.way, piece.options
            return new

        fails([with_records(piece, piece.records, False) for piece in self.pieces])
        pieces = list(best[1])
        size = max(1, len(best[0]) // 2)
        while size:
            number = 0
            while number < len(best[0]):
                gone = {id(record) for record in best[0][number:number + size]}
                if not fails([with_records(piece, [record for record in piece.records if id(record) not in gone]) for piece in best[1]]):
                    number += size
            size //= 2
        for key in sorted({key for record in best[0] for key in record} - {"n0"}):
            fails([with_records(piece, [{name: value for name, value in record.items() if name != key} for record in piece.records]) for piece in best[1]])
        for place, record in enumerate(list(best[0])):
            for key in list(record):
                if key != "n0" and key in best[0][place]:
                    fails([with_records(piece, [{name: value for name, value in one.items() if name != key or one is not best[0][place]} for one in piece.records])
                           for piece in best[1]])
        self.records, self.pieces = best
        return finding

    def text(self):
        """The commands and their records, on one line."""
        words = " ".join(map(shlex.quote, self.options))
        if self.before:
            numbers = {record["n0"] for record in self.records}
            words += ", rows " + " ".join(dumps(record) for record in self.before if record["n0"] in numbers)
        parts = [f"{piece.way}{'' if piece.form == 'ndjson' else ' ' + piece.form} {' '.join(piece.options)} " + " ".join(map(dumps, piece.records))
                 for piece in self.pieces]
        text = f"{words}: " + " ⏎ ".join(parts)
        return text if len(text) < 1500 else text[:1500] + "…"


def planted(random_, tables, outcomes):
    """Puts one fault into what was read back; returns it in words. None where it could be right, because values of the column were counted, or records rejected."""
    if any(outcome.code not in (0, 2) or outcome.rejected or outcome.left_out for outcome in outcomes):
        return None
    table = random_.choice([table for table in tables.values() if table.rows and (table.name == "records" or table.name.startswith("records_"))])
    row = random_.randrange(len(table.rows))
    values = list(table.rows[row])
    first = len(table.key) if table.name != "records" else 0
    prefix = "" if table.name == "records" else table.name + "."
    places = [place for place in range(first, len(values)) if values[place] is not None and table.columns[place] not in ("n0", "record_id")
              and not any(outcome.most_wrong(prefix + table.columns[place]) for outcome in outcomes)]
    fault = random_.choice(["value", "value", "null", "lost", "doubled"])
    if fault in ("value", "null") and not places:
        return None
    if fault == "lost":
        del table.rows[row]
        return f"row {row} of {table.name} is gone"
    if fault == "doubled":
        table.rows.append(values)
        return f"row {row} of {table.name} is doubled"
    place = random_.choice(places)
    old = values[place]
    if old in ("null", "[]", "{}", [], {}):
        return None
    values[place] = None if fault == "null" else "another" if old != "another" else 5
    table.rows[row] = values
    return f"{table.columns[place]} of row {row} of {table.name} is {values[place]!r} and was {old!r}"


class Tools:
    def __init__(self, sluice, folder, server, words):
        self.sluice, self.folder, self.server = os.path.abspath(sluice), folder, server
        self.plants, self.has_rows = "plant" in words, "upsert" in words


def play(arguments):
    """Plays one seed. Returns its lines, its counts and the kinds of its findings."""
    tools, seed, shrinks = arguments
    division = Division(tools, seed)
    division.counts = Counter()
    try:
        found = division.play()
    except (KeyboardInterrupt, SystemExit):
        raise
    except Exception:
        return seed, [f"seed {seed}: the harness failed:\n{traceback.format_exc()}"], Counter(), ["harness"]
    counts = division.counts
    again = f"Scripts/net divisions 1 {seed}{' postgres' if tools.server else ''}{' upsert' if tools.has_rows else ''}"
    lines, kinds = [], []
    for problem in found:
        if problem.kind in kinds:
            continue
        kinds.append(problem.kind)
        line = f"seed {seed}: {problem.kind}: {problem.text}; again: {again}"
        if shrinks and not tools.plants:
            small = Division(tools, seed)
            small.counts = Counter()
            least = small.smallest(problem.kind)
            if least:
                line += f"\n    least: {least.text}\n    {small.text()}"
        lines.append(line)
    return seed, lines, counts, kinds


def main():
    sluice, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    has_server = "postgres" in sys.argv[4:]
    place = "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="sluice-divisions-", dir=place)
    tools = Tools(sluice, folder, Server() if has_server else None, sys.argv[4:])
    begin = time.monotonic()
    totals, kinds, number = Counter(), Counter(), 0
    jobs = int(os.environ.get("JOBS", min(2, os.cpu_count() or 1)))
    try:
        with multiprocessing.Pool(jobs) as pool:
            work = ((tools, number, count < 20 or os.environ.get("SHRINK") == "1") for number in range(seed, seed + count))
            for _, lines, counts, found in pool.imap_unordered(play, work):
                totals += counts
                kinds.update(found)
                for line in lines:
                    print(line, flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    words = ", ".join(f"{value} {name}" for name, value in totals.items())
    of_kinds = ": " + ", ".join(f"{value} {name}" for name, value in kinds.most_common()) if kinds else ""
    print(f"{count} divisions {'with PostgreSQL ' if has_server else ''}({words}): {sum(kinds.values())} findings{of_kinds}; {time.monotonic() - begin:.0f} s")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
