"""A history of complete snapshots: each day some files hold all rows of a table, and runs with `--missing` load them, are killed and begun again.

Python knows what a day makes of the rows of the day before. Whenever a run has stopped or ended, the tables must be those of the first k
records of each file, where k is the number in its checkpoint; only when all files are read to their end without a rejection may the rows be
gone, or marked, that no file has. In the end of a day, the changes that `--changes` tells of are just the difference that Python finds, and
all changes, applied one after the other to nothing, lead to the rows that are there.
"""

import gzip
import json
import os
import random
import signal
from types import SimpleNamespace

import oracle as oracles
from feeds import append, write_in_place
from history import History
from oracle import Finding
from runs import why_wrong_signal

WORDS = ["a", "été", 'q"uote', "back\\slash", "", "null", "0", "x" * 40, "a/b", "~", "🎈"]
COLUMNS = {"id": "integer", "part": "text", "name": "text", "n": "integer", "price": "real", "ok": "bool", "doc": "json"}
VALUES = ["name", "n", "price", "ok", "doc"]
MARK = "_missing_since"


class Options:
    """What stays the same throughout a history."""

    def __init__(self, random):
        choice, chance = random.choice, random.random
        self.children = chance() < 0.5
        self.key = choice([["id"], ["id"], ["id", "part"]])
        self.mode = choice(["upsert", "upsert", "replace", "replace", "ignore"])
        self.changes = choice(["table", "table", "file", None])
        self.missing = choice(["keep", "mark", "mark", "delete", "delete", "delete"])
        self.batch = choice([1, 7, 7, 50, 10000])
        self.count = min(choice([2, 20, 100, 300]), 20 * self.batch)
        self.days = choice([2, 3, 3, 4])
        # In SQLite, JSON is text: written in another way, it has changed.
        self.is_ascii = chance() < 0.5
        self.rejects, self.journal = None, None

    def arguments(self, database):
        words = ["ingest", "-o", database, "--report", "json", "--format", "ndjson", f"--{self.mode}", "--missing", self.missing]
        if self.changes:
            words += ["--changes", "changed" if self.changes == "table" else "changes.ndjson"]
        for name in self.key:
            words += ["--pk", name]
        for name, kind in COLUMNS.items():
            words += ["--column", f"{name}:{kind}"]
        return words + (["--child", "items"] if self.children else [])


# MARK: Records

def document(random, depth):
    kind = random.random()
    if depth and kind < 0.5:
        return {random.choice(["x", "y", "z", "a/b", "~t"]): document(random, depth - 1) for _ in range(random.randrange(4))}
    if depth and kind < 0.6:
        return [document(random, depth - 1) for _ in range(random.randrange(3))]
    return random.choice([None, True, 7, 2.5, random.choice(WORDS)])


def changed_document(random, value):
    """A document in which something was added, removed, or became null."""
    if not isinstance(value, dict) or random.random() < 0.3:
        return document(random, 3)
    value = dict(value)
    for key in list(value):
        if random.random() < 0.3:
            del value[key]
        elif random.random() < 0.3:
            value[key] = changed_document(random, value[key]) if random.random() < 0.6 else None
    if random.random() < 0.4:
        value["new"] = document(random, 2)
    return value


def items(random):
    return [{"sku": random.choice(WORDS) + "s", "n": random.randrange(4)} for _ in range(random.randrange(4))]


def make_record(random, key, options):
    value = {"id": key[0], "part": key[1], "name": random.choice(WORDS), "n": random.randrange(100),
             "price": random.randrange(1000) / 4 + 0.125, "ok": random.random() < 0.5, "doc": document(random, 3)}
    if options.children:
        value["items"] = items(random)
    for name in VALUES:
        if random.random() < 0.1:
            value[name] = None
        elif random.random() < 0.1:
            del value[name]
    return value


def later(random, value, options):
    """The record a day later."""
    value = dict(value)
    for name in VALUES:
        if random.random() < 0.3:
            if name == "doc":
                value[name] = changed_document(random, value.get(name))
            else:
                other = make_record(random, (0, ""), options)
                value.pop(name, None)
                if name in other:
                    value[name] = other[name]
    if options.children and random.random() < 0.5:
        value["items"] = items(random)
    return value


class Part:
    """A file of a day: lines, of which some are no records. It may be there without its last bytes for a while."""

    def __init__(self, name, records, random, options):
        self.name, self.records = name, records
        self.has_wrong = None in records
        lines = [b'{"id":0,"name":}' if value is None else json.dumps(value, ensure_ascii=options.is_ascii).encode() for value in records]
        text = b"".join(line + b"\n" for line in lines)
        self.data = gzip.compress(text, 1, mtime=0) if name.endswith(".gz") else text
        # Of the text, more than a line break is cut off: a record without its end.
        self.cut = random.randrange(2, 9) if random.random() < 0.15 and len(self.data) > 9 else 0

    # What histories ask of a feed.
    number = 0

    @property
    def shown(self):
        return len(self.data) - self.cut

    def bytes(self):
        return self.data[: self.shown]

    def state(self):
        return (0, self.shown, not self.cut)


# MARK: What must be

def same(left, right):
    """Whether two values are the same in JSON, where `True` is not 1."""
    return left == right and json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


class State:
    """The rows of both tables by their keys, without the columns that are null, and the keys of the marked rows."""

    def __init__(self, rows=None, items=None, marks=()):
        self.tables = {"records": dict(rows or {}), "records_items": dict(items or {})}
        self.marks = set(marks)

    def copy(self):
        return State(self.tables["records"], self.tables["records_items"], self.marks)

    def load(self, records, options):
        """Stores records. Returns their keys."""
        rows, children = self.tables["records"], self.tables["records_items"]
        seen = set()
        for value in records:
            key = tuple(value[name] for name in options.key)
            seen.add(key)
            if options.mode == "ignore" and key in rows:
                continue
            value = dict(value)
            elements = value.pop("items", None)
            if options.mode == "upsert":
                value = {**rows.get(key, {}), **value}
            else:
                self.marks.discard(key)
            rows[key] = {name: member for name, member in value.items() if member is not None}
            if options.children and (elements is not None or options.mode == "replace"):
                self.remove_items(key)
                names = [f"records_{name}" for name in options.key]
                for number, element in enumerate(elements or []):
                    children[key + (number,)] = {**dict(zip(names, key)), "position": number, **element}
        return seen

    def remove_items(self, key):
        children = self.tables["records_items"]
        for other in [other for other in children if other[:-1] == key]:
            del children[other]

    def settle(self, seen, options):
        """Marks or removes the rows that were not seen."""
        missing = set(self.tables["records"]) - seen
        if options.missing == "mark":
            self.marks = missing
        elif options.missing == "delete":
            for key in missing:
                del self.tables["records"][key]
                self.remove_items(key)

    def why_different(self, found):
        """Why another state is not this one; None if it is."""
        for table, rows in self.tables.items():
            others = found.tables[table]
            if rows.keys() != others.keys():
                return f"rows of {table} are there or missing: {sorted(map(str, rows.keys() ^ others.keys()))[:4]}"
            for key, row in rows.items():
                if not same(row, others[key]):
                    return f"{table} {key}: {row} expected, {others[key]} found"
        return None if self.marks == found.marks else f"marked, or not: {sorted(map(str, self.marks ^ found.marks))[:4]}"


def pointer(path):
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path)


def difference(old, new, path, nulls, is_row=False):
    """A merge patch from one object to another; `nulls` takes the paths that become null."""
    def patch_of(before, value, way):
        if value is None:
            nulls.append(pointer(way))
        if isinstance(value, dict):
            return difference(before if isinstance(before, dict) else {}, value, way, nulls)
        return value

    patch = {}
    for key, value in new.items():
        if key not in old or not same(old[key], value):
            patch[key] = patch_of(old.get(key), value, path + [key])
    for key in old:
        if key not in new:
            patch[key] = None
            if is_row:
                nulls.append(pointer(path + [key]))
    return patch


def expected_changes(before, after):
    found = {}
    for table, rows in after.tables.items():
        olds = before.tables[table]
        for key in olds.keys() | rows.keys():
            old, new = olds.get(key), rows.get(key)
            if same(old, new):
                continue
            nulls = []
            patch = None if new is None else difference(old or {}, new, [], nulls, is_row=True)
            found[table, key] = ("removed" if new is None else "changed" if old is not None else "added", patch, sorted(nulls))
    return found


def parsed(value):
    return json.loads(value) if isinstance(value, str) else value


# MARK: The history

class SnapshotHistory(History):
    def __init__(self, seed, tools):
        self.seed, self.tools = seed, tools
        self.random = random.Random(f"snapshots {seed}")
        self.options = Options(self.random)
        self.script, self.versions, self.live = [], [], []
        self.counts = {"runs": 0, "kills": 0, "crashes": 0, "stops": 0, "races": 0, "days": 0}
        self.oracle = SimpleNamespace(most_shown={}, may_be_reset=False)
        self.feeds = []
        # The rows before this day, and how many records of its files were there when it was looked last.
        self.before = State()
        self.reached = {}
        # The changes until the last day that was loaded to its end; None if a day since then was not.
        self.told = []
        self.refused = None

    # MARK: Days

    def begin_day(self):
        options, chance = self.options, self.random.random
        day = self.counts["days"]
        self.counts["days"] += 1
        if day == 0:
            self.first = [make_record(self.random, (number, f"p{number % 3}"), options) for number in range(options.count)]
            records = self.first
        elif day > 1 and chance() < 0.5:
            # What was missing comes back.
            records = self.first
        else:
            records = [later(self.random, value, options) if chance() < 0.3 else value for value in self.first if chance() < 0.85]
            records += [make_record(self.random, (options.count * day + number, "q"), options) for number in range(self.random.randrange(2, 6))]
        records = self.random.sample(records, len(records))
        if chance() < 0.2:
            records.insert(self.random.randrange(len(records) + 1), None)
        count = self.random.choice([1, 1, 2, 3])
        self.feeds = [Part(f"day{day}-{number}.ndjson" + self.random.choice(["", "", ".gz"]), records[number::count], self.random, options)
                      for number in range(count) if records[number::count]]
        self.reached = {part.name: 0 for part in self.feeds}
        self.is_disturbed = False
        for part in self.feeds:
            self.put(part, write_in_place)

    def play(self):
        options, chance = self.options, self.random.random
        while self.counts["days"] < options.days:
            self.begin_day()
            for _ in range(self.random.choice([0, 0, 1, 1, 2, 3])):
                self.is_disturbed = True
                kind = chance()
                if kind < 0.5:
                    self.single(end=self.random.choice(["KILL", "KILL", "TEAR", "INT", "TERM"]))
                    if chance() < 0.2:
                        self.crash()
                    else:
                        self.check()
                elif kind < 0.85:
                    self.overlap(self.random.choice([1, 2, 2, 3]))
                else:
                    self.race(2)
            if chance() < 0.15 and self.counts["days"] < options.days:
                # The next day comes before this one is loaded. What it has done so far stays.
                self.before, self.told = self.stored(self.snapshot()), None
                continue
            self.finish()
        if not self.tools.server and self.snapshot().journal != "delete":
            raise Finding(f"the journal mode is {self.snapshot().journal} in the end")

    def change(self, is_raced=False):
        """Gives a file its last bytes."""
        for part in self.feeds:
            if part.cut:
                part.cut = 0
                return self.put(part, append)

    def finish(self):
        """Loads the day to its end."""
        while any(part.cut for part in self.feeds):
            if self.random.random() < 0.5:
                self.is_disturbed = True
                self.single()
                self.check()
            self.change()
        run = self.single()
        expected = 2 if any(part.has_wrong for part in self.feeds) else 0
        if run.code != expected:
            raise Finding(f"{run.name} ended with exit code {run.code}, and should with {expected}: {run.message()}")
        after = self.check(is_end=True)
        self.check_changes(after)
        if not self.is_disturbed:
            self.check_report(run.report(), after)
        if self.random.random() < 0.2:
            # All is done.
            self.single()
            self.check(is_end=True)
            self.check_changes(after, has_news=False)
        self.before = after

    # MARK: Runs

    def some_feeds(self):
        return self.feeds

    def arguments(self, feeds, is_last=False, resets=False):
        words = self.options.arguments(self.tools.server.url if self.tools.server else "out.db") + [part.name for part in feeds]
        words += ["--batch", str(self.options.batch), "--workers", self.random.choice(["1", "1", "2"])]
        return words + (["--wait"] if self.random.random() < 0.5 else [])

    def ended(self, run):
        self.script.append(("ended", run.name, run.code, run.message()))
        if run.code == -signal.SIGKILL:
            self.counts["kills"] += 1
        why = self.why_wrong(run)
        if why:
            raise Finding(f"{run.name} ended with exit code {run.code}, but {why}: {run.message() or run.report()}")

    def why_wrong(self, run):
        code = run.code
        if code < 0 or code in (130, 143):
            return why_wrong_signal(run)
        was_cut = any(not state[2] for states in run.states.values() for state in states)
        has_wrong = any(part.has_wrong for part in run.feeds)
        if code == 0:
            return "records were rejected" if has_wrong else None
        if code == 2:
            return None if has_wrong or was_cut else "nothing is wrong with the inputs"
        if code == 3:
            # Of two runs that look for missing rows at once, because a run before them has read all inputs, one gives up, though it may wait.
            gave_up = "another run has begun to load the table" in f"{run.report()}{run.message()}"
            is_in_way = run.others and ("--wait" not in run.arguments or gave_up)
            return None if run.lost_server or was_cut or is_in_way else "no other run is in the way"
        return "no such exit code is expected"

    # MARK: Checks

    def snapshot(self):
        return super().snapshot(adds_children=False)

    def stored(self, snapshot):
        state = State()
        for table, rows in [("records", snapshot.rows), ("records_items", snapshot.children.get("records_items", []))]:
            names = self.key_names(table)
            for row in rows:
                row = self.row(row)
                place = tuple(row[name] for name in names)
                if place in state.tables[table]:
                    raise Finding(f"the key {place} is in {table} twice")
                if row.pop(MARK, None) is not None:
                    state.marks.add(place)
                state.tables[table][place] = row
        return state

    def row(self, row):
        """A row without its nulls. SQLite has no types for JSON and truth."""
        row = {name: value for name, value in row.items() if value is not None}
        if not self.tools.server and "doc" in row:
            row["doc"] = json.loads(row["doc"])
        if not self.tools.server and "ok" in row:
            row["ok"] = bool(row["ok"])
        return row

    def check(self, is_after_crash=False, is_end=False):
        snapshot = self.snapshot()
        if snapshot is None:
            return None
        counts = {part.name: snapshot.checkpoints.get(part.name, (0, 0, 0, 0))[1] for part in self.feeds}
        self.script.append(("check", counts, len(snapshot.rows)))
        if snapshot.integrity != "ok":
            raise Finding(f"PRAGMA integrity_check: {snapshot.integrity}")
        for name, count in counts.items():
            if count < self.reached[name] and not is_after_crash:
                raise Finding(f"{name}: the checkpoint went back from record {self.reached[name]} to {count}")
        self.reached = counts
        found = self.stored(snapshot)
        reasons = []
        for name, state in self.states(counts, is_end):
            reason = state.why_different(found)
            if reason is None:
                break
            reasons.append(f"{name}: {reason}")
        else:
            raise Finding(f"with {counts} records, the rows are none of these: {'; '.join(reasons)}")
        if self.options.changes == "table":
            self.check_replay(snapshot, snapshot.changes)
        return found

    def states(self, counts, is_end):
        """The states in which the tables may be, with this many records of each file."""
        options, state = self.options, self.before.copy()
        seen = state.load([value for part in self.feeds for value in part.records[: counts[part.name]] if value is not None], options)
        is_whole = all(counts[part.name] == len(part.records) for part in self.feeds)
        if is_end and not is_whole:
            raise Finding(f"{counts} records were read in the end")
        cleared = state.copy()
        if options.missing == "mark":
            cleared.marks -= seen
        settled = cleared.copy()
        settled.settle(seen, options)
        has_wrong = any(part.has_wrong for part in self.feeds)
        if is_end:
            return [("all is read", cleared if has_wrong else settled)]
        # A row that is back has lost its mark when a run has read all that is there, which may lack the last bytes of a file.
        states = [("as far as it was read", state), ("without the marks of rows that are back", cleared)]
        return states + ([("without missing rows", settled)] if is_whole and not has_wrong else [])

    def check_replay(self, snapshot, changes):
        """Whether all changes lead to just the rows that are there."""
        tables = oracles.replayed(changes)
        there = {"records": snapshot.rows, **snapshot.children}
        for table, rows in there.items():
            names = self.key_names(table)
            found = {json.dumps({name: row[name] for name in names}, sort_keys=True): self.row(row) for row in rows}
            wanted = {key: {name: value for name, value in row.items() if value is not None} for key, row in tables.pop(table, {}).items()}
            if found.keys() != wanted.keys():
                raise Finding(f"the changes of {table} lead to other rows than there are: {sorted(found.keys() ^ wanted.keys())[:4]}")
            for key, row in found.items():
                if not same(row, wanted[key]):
                    raise Finding(f"the changes of {table} {key} lead to {wanted[key]}, and there is {row}")
        if any(tables.values()):
            raise Finding(f"changes of tables that are not there: {sorted(tables)}")

    def all_changes(self, snapshot):
        found = oracles.file_changes("changes.ndjson") if self.options.changes == "file" else snapshot.changes
        # PostgreSQL has its own order of the columns in a key.
        return [(table, {name: parsed(key)[name] for name in self.key_names(table)}, operation, parsed(patch), parsed(nulls))
                for table, key, operation, patch, nulls in found]

    def key_names(self, table):
        """The columns of a table's key."""
        return list(self.options.key) if table == "records" else [f"records_{name}" for name in self.options.key] + ["position"]

    def check_changes(self, after, has_news=True):
        """Checks the changes of a day that was loaded to its end."""
        if not self.options.changes:
            return
        snapshot = self.snapshot()
        changes = self.all_changes(snapshot)
        self.check_replay(snapshot, changes)
        told, self.told = self.told, changes
        if told is None:
            return
        if changes[: len(told)] != told:
            raise Finding("earlier changes are others now")
        new = changes[len(told):]
        if not has_news:
            if new:
                raise Finding(f"a run that had nothing to do tells of {new[:2]}")
            return
        of_marks = [change for change in new if change[0] == "records" and MARK in (change[3] or {})]
        if len(of_marks) != len(after.marks ^ self.before.marks):
            raise Finding(f"{len(of_marks)} changes of marks, and there should be {len(after.marks ^ self.before.marks)}")
        # A row that comes back in other words may lose its mark with them.
        new = [change for change in new if change not in of_marks or list(change[3]) != [MARK]]
        wanted = expected_changes(self.before, after)
        names = {(table, tuple(key.values())) for table, key, *_ in new}
        if len(names) != len(new) or names != wanted.keys():
            raise Finding(f"the changes of {sorted(map(str, names ^ wanted.keys()))[:4]} are in one of the two only, or twice")
        for table, key, operation, patch, nulls in new:
            if isinstance(patch, dict) and MARK in patch:
                patch = {name: value for name, value in patch.items() if name != MARK}
                nulls = [path for path in nulls or [] if path != f"/{MARK}"]
            theirs, ours = (operation, patch, sorted(nulls or [])), wanted[table, tuple(key.values())]
            if not same(list(theirs), list(ours)):
                raise Finding(f"the change of {table} {key} is {theirs}, and should be {ours}")

    def check_report(self, report, after):
        """Checks the numbers of a run that has loaded the day alone."""
        old, new = self.before.tables["records"], after.tables["records"]
        added, removed = len(new.keys() - old.keys()), len(old.keys() - new.keys())
        changed = sum(1 for key in new.keys() & old.keys() if not same(old[key], new[key]))
        records = sum(value is not None for part in self.feeds for value in part.records)
        counted = report["changed"] + report["same"] + report["added"] + report["kept"]
        if [report["added"], report["removed"]] != [added, removed] or report["changed"] < changed or counted != records:
            raise Finding(f"the report is {report}, and {[added, changed, removed]} of {records} rows were added, changed and removed")
