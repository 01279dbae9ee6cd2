"""What a division has stored, compared with the records themselves and with what one command has stored of them."""

import json
import re
from decimal import Decimal

from tables import ANY, Reading, at, general, is_text_of, leaves, plain_table, same

LARGEST = Decimal(2) ** 63


class Outcome:
    """What a command said: its exit code, its report (None if it printed none) and its message."""

    def __init__(self, code, report, message):
        self.code, self.report, self.message = code, report, message
        # How many values of a column were changed, and how many of a key were left out; and which values these have excused.
        self.changed = {entry["column"]: int(entry["count"]) for entry in (report or {}).get("lost_digits", [])}
        self.left_out = {steps(entry["path"]): int(entry["count"]) for entry in (report or {}).get("left_out", [])}
        self.excused = {}
        self.lost = 0

    @property
    def rejected(self):
        return int((self.report or {}).get("rejected", 0)) if self.code == 2 else 0

    @property
    def counted(self):
        return sum(self.changed.values()) + sum(self.left_out.values())

    def excuses(self, number, path, column):
        """Whether the command has counted a value as changed or left out: the value at a path of a record, or what was stored of it in a
        column (`table.column` in a child table)."""
        if self.code != 2:
            return False
        places = [(self.whole(column), self.changed, path)]
        places += [(words(path[:end]), self.left_out, path[:end]) for end in range(1, len(path) + 1) if isinstance(path[end - 1], str)]
        for name, counts, place in places:
            values = self.excused.setdefault(name, set())
            if (number, place) in values:
                return True
            if len(values) < counts.get(name, 0):
                values.add((number, place))
                return True
        return False

    def whole(self, column):
        """A column's name as the report has it: PostgreSQL cuts names, the report does not."""
        if not column or len(column.encode()) < 60:
            return column
        return next((name for name in self.changed if name.encode().startswith(column.encode())), column)

    def most_wrong(self, column):
        """How many values of a column may be others than those of their records."""
        return self.changed.get(self.whole(column), 0) + sum(self.left_out.values()) if self.code == 2 else 0

    def has_changed(self, column):
        """Whether values of a column were counted as changed."""
        return self.whole(column) in self.changed

    def has_excused(self, number, path):
        return any((number, path[:end]) in values for values in self.excused.values() for end in range(1, len(path) + 1))


def words(path):
    return tuple(step for step in path if isinstance(step, str))


def steps(path):
    """The keys of a path as the report has it: `a."b.c"[0]`."""
    return tuple(json.loads(word) if word.startswith('"') else word for word in re.findall(r'"(?:[^"\\]|\\.)*"|[^.\[\]"]+', re.sub(r"\[[0-9*]*\]", "", path)))


class Problem:
    def __init__(self, kind, text, path=()):
        self.kind, self.text, self.path = kind, text, path


def shown(value):
    from records import dumps
    if isinstance(value, tuple):
        return f"{value[1]!r}, which is {value[0]}"
    text = dumps(value)
    return text if len(text) < 100 else text[:97] + "..."


def written(path):
    text = "".join(f"[{step}]" if isinstance(step, int) else f'."{step}"' if "." in step else f".{step}" for step in path)
    return text.lstrip(".") or "value"


class Contents:
    """The values of a database by the records' numbers, as leaves by their paths."""

    def __init__(self, tables, records, has_children, has_server, types={}, commands={}):
        """`records` are all records by their numbers, `types` the types of columns where a report names them all, and `commands` the
        outcomes of the records' commands, by the records' numbers."""
        self.rows, self.leaves, self.elements, self.problems, self.has_children = {}, {}, {}, [], has_children
        # The command that has made them, once it has been compared with the records.
        self.outcome = None
        main = tables.get("records")
        if main is None:
            return
        paths = set()
        for record in records.values():
            general(record, (), paths)
        paths.discard(())
        if "n0" not in main.columns:
            self.problems.append(Problem("lost", "there is no column n0"))
            return
        place = main.columns.index("n0")

        def number(value):
            return int(value) if isinstance(value, (int, Decimal)) else value

        for row in main.rows:
            self.rows[number(row[place])] = self.rows.get(number(row[place]), 0) + 1
        mixed = mixed_paths(records.values())
        self.take(Reading(main, records, paths, (), has_server, lambda row: number(row[place]), mixed, types, commands))
        parent = main.key[0] if len(main.key) == 1 else "record_id"
        if parent not in main.columns:
            return
        of_key = {str(row[main.columns.index(parent)]): number(row[place]) for row in main.rows}
        arrays = sorted({path for path in paths if any(isinstance(at_any(record, path), list) for record in records.values())}, key=str)
        for name, table in tables.items():
            if not name.startswith("records_") or not table.rows:
                continue
            bases = [path + (ANY,) for path in arrays if plain_table(name[len("records_"):]) == plain_table("_".join(table_words(path)))
                     and sum(step == ANY for step in path) + 2 == len(table.key)]
            readings = [Reading(table, records, paths, base, has_server, lambda row: of_key.get(str(row[0])), mixed, {}, commands) for base in bases]
            if not readings:
                self.problems.append(Problem("stray", f"no array of the records is the table {name}"))
                continue
            self.take(max(readings, key=lambda reading: reading.agreement))

    def take(self, reading):
        for column in reading.strays:
            if column != "record_id":
                self.problems.append(Problem("stray", f"no path of the records is the column {column} of {reading.table.name}"))
        for number, path in reading.elements:
            found = self.elements.setdefault(number, {})
            if path in found:
                self.problems.append(Problem("doubled", f"record {number} has two rows for {written(path)}", path))
            found[path] = True
        for number, path, value, place in reading.cells:
            found = self.leaves.setdefault(number, {})
            for inner, scalar in leaves(value, path, []):
                if scalar is None and not inside_array(inner):
                    continue
                if inner in found and not is_empty(scalar) and not is_empty(found[inner][0]):
                    self.problems.append(Problem("doubled", f"record {number} has two values for {written(inner)}: {shown(found[inner][0])} and {shown(scalar)}", inner))
                found[inner] = (scalar, reading.name(place), reading.table.types[place], path)

    def wanted(self, record):
        """The leaves of a record that must be there."""
        return [(path, value) for path, value in leaves(record, (), []) if not self.is_nothing(path, value)]

    def is_nothing(self, path, value):
        """Whether a value may be stored as nothing at all: columns know no empty objects, and child tables no empty arrays."""
        if self.has_children:
            return is_empty(value)
        return value is None and not inside_array(path) or value == {} and isinstance(value, dict) and not inside_array(path)


def at_any(record, path):
    """The first array that a record has at a path, or its first value there."""
    values = [record]
    for step in path:
        if step == ANY and not isinstance(step, str):
            values = [inner for value in values if isinstance(value, list) for inner in value]
        else:
            values = [value[step] for value in values if isinstance(value, dict) and step in value]
    return next((value for value in values if isinstance(value, list)), values[0] if values else None)


def table_words(path):
    """The names that make the name of a child table; an array in an array is its `value`."""
    return tuple(step if isinstance(step, str) else "value" for place, step in enumerate(path)
                 if isinstance(step, str) or place + 1 == len(path) or not isinstance(path[place + 1], str))


def inside_array(path):
    return any(isinstance(step, int) for step in path)


def is_empty(value):
    return value is None or isinstance(value, (dict, list)) and not value


def kind(value):
    """The kind of a scalar, as far as it decides whether a column has texts. No double has the digits of a `wide` integer, and no number of
    the database those of a `large` number."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, Decimal):
        is_double = value == Decimal(repr(float(value)))
        if isinstance(value.as_tuple().exponent, int) and value.as_tuple().exponent == 0:
            return "large" if abs(value) >= LARGEST else "integer" if is_double else "wide"
        return "real" if is_double else "large"
    return "text" if isinstance(value, str) else "null" if value is None else "container"


def mixed_paths(records):
    """The paths whose values may all be texts in one column, as the article says: some are texts, or they are scalars of several kinds, or
    numbers that no column of numbers can hold."""
    kinds = {}
    for record in records:
        for path, value in leaves(record, (), []):
            kinds.setdefault(tuple(step if isinstance(step, str) else ANY for step in path), set()).add(kind(value))
    return {path for path, found in kinds.items()
            if found & {"text", "large"} or "bool" in found and found & {"integer", "wide", "real"} or {"wide", "real"} <= found}


def differences(contents, pieces, outcomes, other=None, before=()):
    """What is wrong in the contents that commands have made of their pieces. `other` is what one command has made of all of them, and
    `before` are records that the table had before."""
    found = list(contents.problems)
    contents.outcome = outcomes[-1]
    seen = list(before)
    known = set()
    for place, (piece, outcome) in enumerate(zip(pieces, outcomes)):
        seen += piece.records
        mixed = mixed_paths(seen)
        what = f"command {place + 1} of {len(pieces)}, exit code {outcome.code}"
        absent = []
        for record in piece.records:
            number = int(record["n0"])
            known.add(number)
            count = contents.rows.get(number, 0)
            if count > 1:
                found.append(Problem("doubled", f"record {number} has {count} rows ({what})"))
            if count == 0:
                absent.append(number)
                continue
            if outcome.code not in (0, 2):
                continue
            found += record_differences(contents, record, number, mixed, outcome, what, other)
        if outcome.code in (0, 2) and len(absent) > outcome.rejected:
            found.append(Problem("lost", f"{len(absent)} records have no row, the first is {absent[0]}; {outcome.rejected} were rejected ({what})"))
        outcome.lost = len(absent)
    for number in contents.rows:
        if number not in known:
            found.append(Problem("stray", f"a row of no record: n0 is {number!r}"))
    return found


def record_differences(contents, record, number, mixed, outcome, what, other):
    found = []
    stored = dict(contents.leaves.get(number, {}))
    # What one command stores without counting it.
    of_other, has_other = {}, other is not None and number in other.rows
    if has_other:
        of_other = {path: leaf for path, leaf in other.leaves.get(number, {}).items() if not other.outcome.has_excused(number, leaf[3])}
    wanted = contents.wanted(record)
    told = set()
    for path, value in wanted:
        if any(path[:end] in told for end in range(len(path))):
            continue
        there = stored.pop(path, None)
        if there is not None and same(there[0], value):
            continue
        general_path = tuple(step if isinstance(step, str) else ANY for step in path)
        # In a column of numbers, a truth value is its text, too.
        has_texts = there is not None and (there[2] in ("text", "untyped") or isinstance(value, bool))
        if has_texts and general_path in mixed and is_text_of(there[0], value):
            continue
        if there is not None and path in of_other and same(of_other[path][0], there[0]):
            continue
        # A container whose text is in a column of texts, say: its own leaf is in the way.
        beside = None if there else next((path[:end] for end in range(len(path)) if path[:end] in stored), None)
        if not there and not beside and has_other and path not in other.leaves.get(number, {}) and not other.outcome.has_excused(number, path):
            continue
        if beside:
            told.add(beside)
            there, path, value = stored.pop(beside), beside, at(record, beside)
            if beside in of_other and same(of_other[beside][0], there[0]):
                continue
        if outcome.excuses(number, there[3] if there else path, there[1] if there else None):
            continue
        found.append(Problem(name(value, there), f"{written(path)} of record {number} is {shown(value)}, and "
                             + (f"{shown(there[0])} is stored in {there[1]}" if there else "nothing is stored") + f" ({what})", path))
    for path, (value, column, _, cell) in stored.items():
        if contents.is_nothing(path, value) or path in of_other and same(of_other[path][0], value):
            continue
        if not outcome.excuses(number, cell, column):
            found.append(Problem("stray", f"{written(path)} of record {number} is {shown(at(record, path))}, and {shown(value)} is stored in {column} ({what})", path))
    if contents.has_children:
        elements = {path[:end] for path, _ in leaves(record, (), []) for end in range(1, len(path) + 1) if isinstance(path[end - 1], int)}
        there = elements_of(contents, number)
        of_other = elements_of(other, number) if has_other else set()
        for path in sorted(elements ^ there, key=str):
            if has_other and (path in of_other) == (path in there):
                continue
            # An array that was stored as something else has been told or counted already.
            if any(problem.path == path[:len(problem.path)] for problem in found if problem.path) or outcome.has_excused(number, path):
                continue
            if not outcome.excuses(number, path, None):
                found.append(Problem("lost" if path in elements else "stray", f"{written(path)} of record {number} "
                                     + ("has no row" if path in elements else "has a row, and there is no such element") + f" ({what})", path))
    return found


def elements_of(contents, number):
    """The elements of arrays that a record has, in rows or in the text of JSON."""
    return set(contents.elements.get(number, {})) | {
        path[:end] for path in contents.leaves.get(number, {}) for end in range(1, len(path) + 1) if isinstance(path[end - 1], int)}


def name(value, there):
    """What kind of finding it is."""
    if there is None:
        return "lost"
    stored = there[0]
    if isinstance(stored, tuple):
        return "no JSON"
    if isinstance(value, bool) or isinstance(stored, bool):
        return "boolean"
    if isinstance(value, Decimal) and isinstance(stored, Decimal):
        return "digits"
    if isinstance(value, str) and isinstance(stored, Decimal):
        return "number" if value == str(stored) else "other number"
    return "another value"
