"""What a division has stored, compared with the records themselves and with what one command has stored of them."""

from decimal import Decimal

from tables import ANY, Reading, at, general, is_text_of, leaves, plain, same

LARGEST = Decimal(2) ** 63


class Outcome:
    """What a command said: its exit code, its report (None if it printed none) and its message."""

    def __init__(self, code, report, message):
        self.code, self.report, self.message = code, report, message
        # For each key or column of which values were changed or left out: how many, and the records that were excused by it.
        self.counted = {}
        for entry in (report or {}).get("lost_digits", []):
            self.count(entry["column"], entry["count"])
        for entry in (report or {}).get("left_out", []):
            self.count(entry["path"], entry["count"])
        self.lost = 0

    def count(self, name, count):
        self.counted[name] = (self.counted.get(name, (0, None))[0] + int(count), set())

    @property
    def rejected(self):
        return int((self.report or {}).get("rejected", 0)) if self.code == 2 else 0

    def excuses(self, number, path, column):
        """Whether the command has counted such a value as changed or left out."""
        if self.code != 2:
            return False
        names = [plain(path), plain(column or "")]
        for name, (count, records) in self.counted.items():
            word = plain(tuple(name.replace("[", ".").replace("]", "").split(".")))
            if any(other and (other.startswith(word) or other.endswith(word) or word.endswith(other)) for other in names):
                if number in records or len(records) < count:
                    records.add(number)
                    return True
        return False


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
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.lstrip(".") or "value"


class Contents:
    """The values of a database by the records' numbers, as leaves by their paths."""

    def __init__(self, tables, records, has_children, has_server, types={}):
        """`records` are all records by their numbers, `types` the types of columns where a report names them all."""
        self.rows, self.leaves, self.elements, self.problems, self.has_children = {}, {}, {}, [], has_children
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
        self.take(Reading(main, records, paths, (), has_server, lambda row: number(row[place]), mixed, types))
        parent = main.key[0] if len(main.key) == 1 else "record_id"
        if parent not in main.columns:
            return
        of_key = {str(row[main.columns.index(parent)]): number(row[place]) for row in main.rows}
        arrays = sorted({path for path in paths if any(isinstance(at_any(record, path), list) for record in records.values())}, key=str)
        for name, table in tables.items():
            if not name.startswith("records_") or not table.rows:
                continue
            bases = [path + (ANY,) for path in arrays if plain(name[len("records_"):]) == plain(table_words(path))
                     and sum(step == ANY for step in path) + 2 == len(table.key)]
            readings = [Reading(table, records, paths, base, has_server, lambda row: of_key.get(str(row[0])), mixed, {}) for base in bases]
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
                found[inner] = (scalar, reading.table.columns[place], reading.table.types[place])

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
    of_other = other.leaves.get(number, {}) if other else {}
    wanted = contents.wanted(record)
    told = set()
    for path, value in wanted:
        if any(path[:end] in told for end in range(len(path))):
            continue
        there = stored.pop(path, None)
        if there is not None and same(there[0], value):
            continue
        general_path = tuple(step if isinstance(step, str) else ANY for step in path)
        if there is not None and there[2] == "text" and general_path in mixed and is_text_of(there[0], value):
            continue
        if there is not None and path in of_other and same(of_other[path][0], there[0]):
            continue
        if there is None and other and number in other.rows and path not in of_other:
            continue
        # A container whose text is in a column of texts, say: its own leaf is in the way.
        beside = None if there else next((path[:end] for end in range(len(path)) if path[:end] in stored), None)
        column = there[1] if there else stored[beside][1] if beside else None
        if outcome.excuses(number, path, column):
            if beside:
                stored.pop(beside)
                told.add(beside)
            continue
        if beside:
            told.add(beside)
            there, path, value = stored.pop(beside), beside, at(record, beside)
        found.append(Problem(name(value, there), f"{written(path)} of record {number} is {shown(value)}, and "
                             + (f"{shown(there[0])} is stored in {there[1]}" if there else "nothing is stored") + f" ({what})", path))
    for path, (value, column, _) in stored.items():
        if contents.is_nothing(path, value) or path in of_other and same(of_other[path][0], value):
            continue
        if any(path[:end] == other_path for end in range(len(path)) for other_path, _ in wanted) and outcome.excuses(number, path, column):
            continue
        if not outcome.excuses(number, path, column):
            found.append(Problem("stray", f"{written(path)} of record {number} is {shown(at(record, path))}, and {shown(value)} is stored in {column} ({what})", path))
    if contents.has_children:
        elements = {path[:end] for path, _ in leaves(record, (), []) for end in range(1, len(path) + 1) if isinstance(path[end - 1], int)}
        there = set(contents.elements.get(number, {})) | {
            path[:end] for path in contents.leaves.get(number, {}) for end in range(1, len(path) + 1) if isinstance(path[end - 1], int)}
        for path in sorted(elements ^ there, key=str):
            if other and number in other.rows and (path in other_elements(other, number)) == (path in there):
                continue
            if not any(problem.path == path[:len(problem.path)] for problem in found if problem.path) and not outcome.excuses(number, path, None):
                found.append(Problem("lost" if path in elements else "stray", f"{written(path)} of record {number} "
                                     + ("has no row" if path in elements else "has a row, and there is no such element") + f" ({what})", path))
    return found


def other_elements(contents, number):
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
