"""What must be in the database: Python's own parser, made strict, says it from the texts of the feeds; nothing of Sluice is asked.

`Expectation` holds the rows and rejections of a generation's first k records. A snapshot of the database must show, for each input, the
rows of exactly the first k records, where k is the number in the input's checkpoint: rows and checkpoint are of one transaction.
"""

import json
import os
import re
import shutil
import sqlite3

COLUMNS = [("id", "integer", "id"), ("w", "integer", "w"), ("s", "text", "s"), ("f", "real", "f"), ("b", "bool", "b"),
           ("n_x", "integer", "n.x"), ("n_y", "text", "n.y"), ("a", "json", "a")]
# The greatest value of "w" that the schema of a history accepts.
GREATEST_W = 8
LATE = ["late1", "late2", "n2_z"]
NUMBER = re.compile(rb'"id":(\d+)[,}]')


class Finding(Exception):
    """Something that must not be."""


def refuse_word(word):
    raise ValueError(word)


def has_lone_surrogate(value):
    if isinstance(value, str):
        return any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return any(has_lone_surrogate(key) or has_lone_surrogate(member) for key, member in value.items())
    return isinstance(value, list) and any(map(has_lone_surrogate, value))


def parse(text):
    """The value of a JSON text by RFC 8259; if a key occurs twice, its last value counts. None if it is not JSON.

    Python lets through NaN and Infinity, and escapes of lone surrogates, which are no Unicode text.
    """
    try:
        value = json.loads(text.decode("utf-8"), parse_constant=refuse_word)
    except ValueError:
        return None
    return None if b"\\u" in text and has_lone_surrogate(value) else value


class Expectation:
    """What a generation's records are expected to become, in the order of the text."""

    def __init__(self, generation, options):
        self.generation, self.options = generation, options
        self.outcomes = [self.outcome(record) for record in generation.records]

    def outcome(self, record):
        """A row, as a dictionary; "wrong" for a rejection, or None if the record is left out."""
        value = parse(record.text)
        options = self.options
        if options.where is not None:
            # A record that is not read because the condition does not hold need not be JSON: `w` is the second key of each record.
            w = int(re.match(rb'\{"id":\d+, ?"w":(\d+)', record.text).group(1))
            if w < options.where:
                return None
        if value is None or options.has_schema and value["w"] > GREATEST_W:
            return "wrong"
        if options.declares_columns and isinstance(value.get("f"), str):
            return "wrong"
        row = {}
        for key, member in value.items():
            for name, inner in [(key + "_" + k, v) for k, v in member.items()] if isinstance(member, dict) else [(key, member)]:
                if inner is not None:
                    row[name] = inner
        if options.children and "a" in row:
            row["a"] = child_rows(row["a"])
            if not row["a"]:
                del row["a"]
        late = [name for name in LATE if name in row]
        if late and options.contract == "discard-row":
            return None
        if options.contract != "evolve":
            for name in late:
                del row[name]
        return Row(row, value)

    def rejections(self, count):
        """The numbers and places of the records that are rejected among the first ones."""
        found, seen = [], set()
        for record, outcome in zip(self.generation.records[:count], self.outcomes):
            if outcome == "wrong":
                found.append((record.id, record.start))
            elif outcome is not None and self.options.key == "reject":
                if record.id in seen:
                    found.append((record.id, record.start))
                seen.add(record.id)
        return found

    def rows(self, count):
        """The rows of the first records, as a list of (number, row)."""
        key = self.options.key
        stored = [(record.id, outcome) for record, outcome in zip(self.generation.records[:count], self.outcomes)
                  if isinstance(outcome, Row)]
        if key is None:
            return [(id, row.values) for id, row in stored]
        rows = {}
        for id, row in stored:
            if id not in rows or key == "replace":
                rows[id] = dict(row.values)
            elif key == "upsert":
                for name in row.present:
                    rows[id].pop(name, None)
                rows[id].update(row.values)
        return list(rows.items())

    def wrong_before(self, end):
        """Whether a record that ends before this place of the text is rejected."""
        count = self.whole_before(end)
        return bool(self.rejections(count))

    def whole_before(self, end):
        """How many records end before this place of the text.

        A record whose brackets are open at its end (`{"a":[1,2}`) is whole only when something follows it: until then it is a record
        in which the input ended, which the tool rejects and does not count.
        """
        records = self.generation.records
        count = 0
        for record, following in zip(records, records[1:] + [None]):
            needed = record.end
            if record.is_wrong and is_open(record.text):
                needed = following.start if following else len(self.generation.text)
            if needed > end:
                break
            count += 1
        return count


def is_open(text):
    """Whether brackets or a string are open at the end of a text, by its quotes and brackets alone."""
    without_strings = re.sub(rb'"(?:[^"\\]|\\.)*"', b"", text, flags=re.S)
    opening = sum(without_strings.count(bracket) for bracket in (b"{", b"["))
    closing = sum(without_strings.count(bracket) for bracket in (b"}", b"]"))
    return b'"' in without_strings or opening > closing


class Row:
    """The values of a record by their columns, and the columns for which it has a key, even one with null."""

    def __init__(self, values, value):
        self.values = values
        self.present = set()
        for key, member in value.items():
            self.present.update([key + "_" + inner for inner in member] if isinstance(member, dict) else [key])


class Snapshot:
    """A copy of the database and the file of rejects, read as SQLite finds it after a kill."""

    def __init__(self, folder, scratch, options):
        self.rows, self.checkpoints, self.rejections = [], {}, []
        # For each input, the records in which it ended: where they begin, and how they were rejected.
        self.cut_off = {}
        self.journal = None
        self.integrity = "ok"
        self.changes, self.children = [], {}
        database = os.path.join(folder, "out.db")
        if not os.path.exists(database) or os.path.getsize(database) == 0 and not os.path.exists(database + "-wal"):
            return
        copy = os.path.join(scratch, "copy.db")
        for suffix in ["", "-wal", "-journal"]:
            if os.path.exists(copy + suffix):
                os.unlink(copy + suffix)
            if os.path.exists(database + suffix):
                shutil.copyfile(database + suffix, copy + suffix)
        if os.path.exists(copy + "-shm"):
            os.unlink(copy + "-shm")
        try:
            connection = sqlite3.connect(copy, isolation_level=None)
            self.read(connection, options)
            connection.close()
        except sqlite3.DatabaseError as error:
            raise Finding(f"the database cannot be read: {error}")

    def read(self, connection, options):
        self.integrity = connection.execute("PRAGMA integrity_check").fetchone()[0]
        self.journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "records" in tables:
            cursor = connection.execute('SELECT * FROM "records"')
            names = [column[0] for column in cursor.description]
            self.rows = [{name: value for name, value in zip(names, row) if value is not None} for row in cursor]
        for table in sorted(tables):
            if table.startswith("records_"):
                cursor = connection.execute(f'SELECT * FROM "{table}"')
                names = [column[0] for column in cursor.description]
                self.children[table] = [dict(zip(names, row)) for row in cursor]
        if "changed" in tables:
            self.changes = connection.execute("SELECT table_name, key, operation, patch, nulls FROM changed ORDER BY number").fetchall()
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise Finding(f"rows without their parents: {broken[:3]}")
        if "_sluice_checkpoints" in tables:
            for path, offset, records, rejected, complete, state in connection.execute(
                "SELECT input, byte_offset, records, rejected, is_complete, state FROM _sluice_checkpoints WHERE table_name = 'records'"
            ):
                self.note_checkpoint(path, offset, records, rejected, complete, state)
        if options.rejects == "table" and "bad" in tables:
            self.rejections = connection.execute("SELECT file, line_byte_position, error_type, json_line FROM bad").fetchall()

    def add_children(self):
        """Gives each row its child rows, as child_rows makes them."""
        if not self.children:
            return
        rows = {row["id"]: row for row in self.rows}
        for table, children in self.children.items():
            path = table[len("records_"):]
            for child in children:
                values = list(child.items())
                count = path.count("_") + 2
                key = [value for _, value in values[:count]]
                if key[0] not in rows:
                    raise Finding(f"a row of {table} without its parent: {child}")
                row = {name: text(value) for name, value in values[count:] if value is not None}
                rows[key[0]].setdefault("a", []).append((path, tuple(key[1:]), plain(row)))
        for row in rows.values():
            if "a" in row:
                row["a"] = sorted(row["a"], key=repr)

    def note_checkpoint(self, path, offset, records, rejected, complete, state):
        self.checkpoints[os.path.basename(path)] = (offset, records, rejected, complete)
        cut_off = (json.loads(state) if state else {}).get("cut_off", {})
        self.cut_off[os.path.basename(path)] = list(zip(cut_off.get("offsets", []), cut_off.get("kinds", [])))


def text(value):
    """A value that is equal to the one in the database, whatever the type of its column."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def plain(row):
    """The columns of a child row, sorted; a column of mixed values has JSON, in which texts have quotes."""
    return tuple(sorted((name, value.replace('"', "").replace("true", "1").replace("false", "0")) for name, value in row.items()))


def child_rows(elements):
    """The child rows of an array: the path of the table, the position in each array, and the columns."""
    found = []

    def add(path, key, elements):
        for number, element in enumerate(elements):
            row = {}
            for name, value in (element if isinstance(element, dict) else {"value": element}).items():
                if isinstance(value, list):
                    add(path + "_" + name, key + (number,), value)
                elif value is not None:
                    row[name] = text(value)
            found.append((path, key + (number,), plain(row)))

    add("a", (), elements)
    return sorted(found, key=repr)


def merged(target, patch):
    """RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merged(target.get(key), value)
    return target


def put_null(row, pointer):
    keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]
    for key in keys[:-1]:
        row = row[key]
    row[keys[-1]] = None


def replayed(changes):
    """The rows of each table that changes lead to, by their keys. Each change must find what it needs."""
    tables = {}
    for table, key, operation, patch, nulls in changes:
        key, patch, nulls = ((json.loads(value) if isinstance(value, str) else value) for value in (key, patch, nulls))
        rows = tables.setdefault(table, {})
        # PostgreSQL has its own order of the columns in a key.
        place = json.dumps(key, sort_keys=True)
        if (place in rows) != (operation != "added"):
            raise Finding(f"the row {key} of {table} was {operation}, and there was {'one' if place in rows else 'none'}")
        if operation == "removed":
            del rows[place]
            continue
        row = merged(rows.get(place), patch)
        for pointer in nulls or []:
            put_null(row, pointer)
        rows[place] = row
    return tables


def check_changes(snapshot, changes):
    """Whether the changes lead to just the rows that are there."""
    tables = replayed(changes)
    def canonical(row):
        return plain({name: text(value) for name, value in row.items() if value is not None})

    def stored(name, value):
        return parse(value.encode()) if name == "a" and isinstance(value, str) else value

    there = {"records": [{name: stored(name, value) for name, value in row.items() if not (name == "a" and snapshot.children)}
                         for row in snapshot.rows], **snapshot.children}
    for table, rows in there.items():
        found = sorted(canonical(row) for row in rows)
        wanted = sorted(canonical(row) for row in tables.pop(table, {}).values())
        if found != wanted:
            missing = [row for row in found if row not in wanted] or [row for row in wanted if row not in found]
            raise Finding(f"the changes of {table} lead to other rows than there are: {missing[:2]}")
    if any(tables.values()):
        raise Finding(f"changes of tables that are not there: {sorted(tables)}")


def file_changes(path):
    """The changes of a file of changes."""
    found = []
    if os.path.exists(path):
        with open(path, "rb") as file:
            for line in file.read().split(b"\n"):
                value = parse(line) if line.strip(b" \0") else None
                if value is None and line.strip(b" \0") and b"\0" not in line:
                    raise Finding(f"a line of {path} is no change: {line[:200]!r}")
                if value is not None:
                    found.append((value["table_name"], value["key"], value["operation"], value["patch"], value.get("nulls")))
    return found


def file_rejections(path):
    """The rejections of a file of rejects, and how many of its lines are not JSON."""
    found, torn = [], 0
    if not os.path.exists(path):
        return found, torn
    with open(path, "rb") as file:
        for line in file.read().split(b"\n"):
            if not line.strip(b" \0"):
                torn += b"\0" in line
                continue
            value = parse(line)
            if isinstance(value, dict) and {"file", "line_byte_position", "error_type", "json_line"} <= value.keys():
                found.append((value["file"], value["line_byte_position"], value["error_type"], value["json_line"]))
            else:
                torn += 1
    return found, torn


def same(row, wanted):
    """Whether a row of the table has the values that it should have."""
    if row.keys() != wanted.keys():
        return False
    for name, value in wanted.items():
        found = row[name]
        if name == "a" and isinstance(found, list) and isinstance(value, list) and value and isinstance(value[0], tuple):
            if found != value:
                return False
        elif name == "a":
            if not isinstance(found, str) or parse(found.encode()) != value:
                return False
        elif found != value or isinstance(found, str) != isinstance(value, str):
            return False
    return True


class Oracle:
    """Checks the snapshots of one history, and remembers what later ones must still have."""

    def __init__(self, feeds, options):
        self.feeds, self.options = {os.path.basename(feed.name): feed for feed in feeds}, options
        self.expectations = {}
        # For each feed: the generation that the checkpoint is of and how many records it had, and what it must have after a crash.
        self.reached = {name: (0, 0) for name in self.feeds}
        self.promised = {name: (0, 0) for name in self.feeds}
        # How many records of each generation were read when the next one began.
        self.ended = {}
        # The feeds that a run has begun to read from their starts.
        self.restarted = set()
        # Whether a run may have dropped the rows, so that all begins anew.
        self.may_be_reset = False

    def expectation(self, feed, number):
        key = (feed.name, number)
        if key not in self.expectations:
            self.expectations[key] = Expectation(feed.generations[number], self.options)
        return self.expectations[key]

    def owners(self):
        return {record.id: (name, number) for name, feed in self.feeds.items()
                for number, generation in enumerate(feed.generations) for record in generation.records}

    def promise(self, feed, number, count):
        """From now on, no crash may lose the first records of a feed."""
        self.promised[feed.name] = max(self.promised[feed.name], (number, count))

    def check(self, snapshot, is_after_crash=False):
        """Checks a snapshot. Returns whether it shows that the rows of before were dropped."""
        state = (dict(self.reached), dict(self.promised), dict(self.ended))
        try:
            self.check_rows(snapshot, is_after_crash)
            return False
        except Finding:
            if not self.may_be_reset:
                raise
            self.reached = {name: (0, 0) for name in self.feeds}
            self.promised, self.ended, self.may_be_reset = dict(self.reached), {}, False
        try:
            self.check_rows(snapshot, is_after_crash)
            return True
        except Finding:
            self.reached, self.promised, self.ended = state
            raise

    def check_rows(self, snapshot, is_after_crash):
        if snapshot.integrity != "ok":
            raise Finding(f"PRAGMA integrity_check: {snapshot.integrity}")
        owners = self.owners()
        rows, rejections = {}, {}
        for row in snapshot.rows:
            owner = owners.get(row.get("id"))
            if owner is None:
                raise Finding(f"a row that no input has: {row}")
            rows.setdefault(owner, {}).setdefault(row["id"], []).append(row)
        for file, offset, kind, text in snapshot.rejections:
            number = NUMBER.search((text or "").encode("utf-8", "replace"))
            owner = owners.get(int(number.group(1))) if number else (os.path.basename(file), None)
            rejections.setdefault(owner, []).append((int(number.group(1)) if number else None, offset, kind))
        for name, feed in self.feeds.items():
            self.check_feed(name, feed, snapshot.checkpoints.get(name), snapshot.cut_off.get(name, []), rows, rejections, is_after_crash)

    def check_feed(self, name, feed, checkpoint, cut_off, rows, rejections, is_after_crash):
        count = checkpoint[1] if checkpoint else 0
        seen = [number for number in range(len(feed.generations)) if (name, number) in rows or (name, number) in rejections]
        before = self.reached[name]
        number = max(seen + [0 if is_after_crash else before[0]])
        if name in self.restarted and count == 0:
            # The run has ended before the first record: the old checkpoint is gone, and there is no new one.
            number = feed.number
        least = self.promised[name] if is_after_crash else before
        if (number, count) < least:
            raise Finding(f"{name}: the checkpoint went back from record {least[1]} to {count}" + (" after a crash" if is_after_crash else ""))
        if number > before[0]:
            self.ended[name, before[0]] = before[1]
        self.reached[name] = (number, count)
        for other in range(number + 1):
            found = rows.get((name, other), {})
            records = count if other == number else self.ended.get((name, other), 0)
            self.compare(name, self.expectation(feed, other).rows(records), found, f"the first {records} records of its file {other}")
        if self.options.rejects == "table":
            self.check_rejections(name, feed, number, count, checkpoint, rejections)
            found = [(offset, kind) for owner, items in rejections.items() if owner[0] == name for id, offset, kind in items]
            for offset, kind in cut_off:
                if (offset, kind) not in found:
                    raise Finding(f"{name}: the rejection of the record at byte {offset}, in which the input ended, is missing")

    @staticmethod
    def agrees(wanted, found):
        rest = {id: list(rows) for id, rows in found.items()}
        for id, row in wanted:
            candidates = rest.get(id, [])
            match = next((candidate for candidate in candidates if same(candidate, row)), None)
            if match is None:
                return False
            candidates.remove(match)
        return not any(rest.values())

    @staticmethod
    def compare(name, wanted, found, what):
        if Oracle.agrees(wanted, found):
            return
        rest = {id: list(rows) for id, rows in found.items()}
        for id, row in wanted:
            candidates = rest.get(id, [])
            if not candidates:
                raise Finding(f"{name}: the row of record {id} is missing, though the checkpoint is after {what}")
            match = next((candidate for candidate in candidates if same(candidate, row)), None)
            if match is None:
                raise Finding(f"{name}: record {id}: the row is {candidates[0]}, and should be {row}")
            candidates.remove(match)
        extra = next(row for rows in rest.values() for row in rows)
        raise Finding(f"{name}: a row too many, for {what}: {extra} ({len(found[extra['id']])} rows have this id)")

    def check_rejections(self, name, feed, number, count, checkpoint, rejections):
        wanted = self.expectation(feed, number).rejections(count)
        found = [(id, offset) for id, offset, kind in rejections.get((name, number), [])]
        offset = checkpoint[0] if checkpoint else 0
        for rejection in wanted:
            if rejection not in found:
                raise Finding(f"{name}: the rejection of record {rejection[0]} at byte {rejection[1]} is missing")
            found.remove(rejection)
        extra = [rejection for rejection in found if rejection[1] < offset]
        if extra:
            raise Finding(f"{name}: a rejection too many: record {extra[0][0]} at byte {extra[0][1]}")

    def check_end(self, snapshot, file_rejections):
        """Checks a snapshot of the end: all records of all inputs have been read."""
        self.check(snapshot)
        for name, feed in self.feeds.items():
            wanted = len(feed.generation.records)
            if self.reached[name] != (feed.number, wanted):
                raise Finding(f"{name}: {self.reached[name][1]} of {wanted} records were read in the end")
            offset, count, rejected, complete = snapshot.checkpoints.get(name, (0, 0, 0, 0))
            expected = self.expectation(feed, feed.number).rejections(wanted)
            if rejected != len(expected):
                raise Finding(f"{name}: the checkpoint counts {rejected} rejections, and there are {len(expected)}")
        if self.options.rejects is None:
            return
        rejections = snapshot.rejections if self.options.rejects == "table" else file_rejections
        owners = self.owners()
        found = {}
        for file, offset, kind, text in rejections:
            # "unexpectedEnd (document)" is that of a document with records inside.
            kind = kind.split(" (")[0]
            number = NUMBER.search((text or "").encode("utf-8", "replace"))
            name = os.path.basename(file)
            owner = owners.get(int(number.group(1))) if number else None
            if owner is None or owner[0] != name:
                # Of a file that was rotated away while it ended in a part of a record.
                if kind != "unexpectedEnd" or len(self.feeds[name].generations) == 1:
                    raise Finding(f"{name}: the rejection of something that is no record: {text!r}")
                continue
            found.setdefault(owner, []).append((int(number.group(1)), offset, kind))
        for name, feed in self.feeds.items():
            for number in range(len(feed.generations)):
                expectation = self.expectation(feed, number)
                wanted = expectation.rejections(len(feed.generations[number].records))
                rest = [(id, offset) for id, offset, kind in found.get((name, number), []) if number == feed.number or kind != "unexpectedEnd"]
                for rejection in wanted:
                    if rejection in rest:
                        rest.remove(rejection)
                    elif number == feed.number:
                        raise Finding(f"{name}: the rejection of record {rejection[0]} at byte {rejection[1]} is missing in the end")
                if rest:
                    raise Finding(f"{name}: a rejection too many in the end: record {rest[0][0]} at byte {rest[0][1]}")
