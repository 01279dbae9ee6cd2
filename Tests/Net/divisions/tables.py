"""The tables of a database as they are read back, and what the cells of a column mean.

A column is read as one path of the records, and as one kind (texts as they are, or texts of JSON). The tool's report names neither for a
column of an older run. So the reading is taken that agrees with most of the records, among the paths that a column's name may stand for:
a table is right if *some* reading of it is.
"""

import itertools
import json
import re
import sqlite3
import unicodedata
from decimal import Context, Decimal

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
# A step into an array, in the path of a column.
ANY = 0


def refuse(word):
    raise ValueError(word)


def loads(text):
    return json.loads(text, parse_int=Decimal, parse_float=Decimal, parse_constant=refuse)


def plain(path):
    """What is left of a path or a column's name that is the same for all that may stand for each other, also where a long name is cut."""
    words = [step for step in path if isinstance(step, str)] or ["value"] if isinstance(path, tuple) else [path]
    text = unicodedata.normalize("NFKD", "_".join(words)).casefold().casefold()
    return re.sub(r"\W|_", "", re.sub(r"(_[0-9]+)+$", "", text)).encode()[:40]


def plain_table(name):
    """The same for the name of a child table: that of each table above it may have a number."""
    return plain(re.sub(r"_[0-9]+(?=_|$)", "", name))


class Table:
    """A table: its columns with their types in the database, its rows, and how many of its first columns are the key of a child."""

    def __init__(self, name, columns, types, rows, key):
        self.name, self.columns, self.types, self.rows, self.key = name, columns, types, rows, key


def of_sqlite(path):
    """The tables of a database of SQLite."""
    connection = sqlite3.connect(path)
    connection.text_factory = lambda data: data.decode("utf-8")
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_sluice\\_%' ESCAPE '\\'")]
    found = {}
    for name in names:
        information = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        rows = connection.execute(f'SELECT * FROM "{name}"').fetchall()
        types = ["bool" if type_ == "BOOLEAN" else "text" if type_ == "TEXT" else "untyped" if not type_ else "any" for _, _, type_, *_ in information]
        key = [column for _, column, _, _, _, place in information if place]
        found[name] = Table(name, [column[1] for column in information], types, rows, key)
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    connection.close()
    return found, [f"rows without their parents: {broken[:3]}"] if broken else []


POSTGRES = """
SELECT json_build_array('table', c.relname, (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, NULL)) ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT json_agg(a.attname) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indrelid = c.oid AND i.indisprimary))
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = '{0}'::regnamespace AND c.relname NOT LIKE '\\_sluice\\_%';
SELECT format('SELECT json_build_array(''row'', %L, to_json(r)) FROM {0}.%I r', relname, relname) FROM pg_class
WHERE relkind = 'r' AND relnamespace = '{0}'::regnamespace AND relname NOT LIKE '\\_sluice\\_%' \\gexec
"""


def of_postgres(server, schema):
    """The tables of a schema of PostgreSQL. Their cells are values of JSON already."""
    found = {}
    for line in server.ask(POSTGRES.replace("{0}", schema)).splitlines():
        what, name, *rest = loads(line)
        if what == "table":
            columns = [column for column, _ in rest[0] or []]
            found[name] = Table(name, columns, ["text" if type_ == "text" else "json" for _, type_ in rest[0] or []], [], rest[1] or [])
        else:
            found[name].rows.append([rest[0][column] for column in found[name].columns])
    return found, []


def readings(column, type_, has_server, types):
    """The kinds as which a column may be read: only one where the tool's report has its type. Columns of numbers and of truth values never
    have JSON that was not counted."""
    if has_server:
        return ["value"]
    if type_ not in ("text", "untyped"):
        return ["plain"]
    return ["plain", "json"] if column not in types else ["json"] if types[column] == "json" else ["plain"]


def decode(cell, type_, kind):
    """The value of JSON that a cell is. A text that should be JSON and is not becomes a value that is equal to nothing."""
    if cell is None or kind == "value":
        return cell
    if isinstance(cell, str):
        if kind == "plain":
            return cell
        try:
            return loads(cell)
        except ValueError:
            return ("no JSON", cell)
    if isinstance(cell, bytes):
        return ("bytes", cell)
    if type_ == "bool" and cell in (0, 1) and isinstance(cell, int):
        return bool(cell)
    return Decimal(repr(cell) if isinstance(cell, float) else cell)


def same(one, other):
    """Whether two values are equal as JSON: numbers by value, objects without order, and without members that are null."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Decimal) and isinstance(other, Decimal):
        return one == other or is_of_double(one, other) or is_of_double(other, one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = ({key: value for key, value in object_.items() if value is not None} for object_ in (one, other))
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    return type(one) is type(other) and one == other


def is_of_double(short, given):
    """Whether the first number is the shortest form of a double, and the second is that double, written with some number of digits:
    9.223372036854776E+18 is stored for 2^63, and 0.1 for 0.10000000000000001, as C's %.17g writes it. That is no loss."""
    double = float(given)
    if abs(double) == float("inf") or Decimal(repr(double)) != short:
        return False
    return Context(prec=max(len(given.as_tuple().digits), 1)).create_decimal(Decimal(double)) == given


def is_text_of(found, value):
    """Whether a text is that of a number, a boolean or a container: in a column of texts all values are texts."""
    if not isinstance(found, str):
        return False
    if isinstance(value, bool):
        return found == ("true" if value else "false")
    return isinstance(value, Decimal) and NUMBER.fullmatch(found) is not None and Decimal(found) == value


def leaves(value, path, found):
    """The scalars of a value and its empty containers, by their paths."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            leaves(inner, path + (key,), found)
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            leaves(inner, path + (number,), found)
    else:
        found.append((path, value))
    return found


def at(value, path):
    """The value at a path; None if there is none."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and step < len(value) else None
        if value is None:
            return None
    return value


def depth_of(path):
    """Where the keys of a column's own value begin in a path: after the last step into an array."""
    return max((place + 1 for place, step in enumerate(path) if not isinstance(step, str)), default=0)


def has(value, path):
    """Whether a record has the element at a path, be it null."""
    array = at(value, path[:-1])
    return isinstance(array, list) and path[-1] < len(array)


def general(value, path, found):
    """The paths of all values of a record, without the numbers of elements."""
    found.add(path)
    if isinstance(value, dict):
        for key, inner in value.items():
            general(inner, path + (key,), found)
    elif isinstance(value, list):
        for inner in value:
            general(inner, path + (ANY,), found)


class Reading:
    """What a table holds of each record: a list of (path, value, column) for its cells that are not null."""

    def __init__(self, table, records, paths, base, has_server, key_of, mixed, types, commands):
        """`base` is the path of the array whose elements are the rows, or (); `key_of` gives the number of a row's record; `mixed` are the
        paths whose values may all be texts, `types` the report's types of columns, and `commands` the outcomes of the records' commands."""
        self.mixed, self.types, self.commands, self.is_child = mixed, types, commands, bool(base)
        self.table, self.cells, self.elements, self.strays, self.agreement = table, [], [], [], 0
        depth = sum(step == ANY for step in base)
        first = len(table.key) if base else 0
        owners = []
        for row in table.rows:
            number = key_of(row)
            owners.append((number, tuple(row[first - depth:first]) if depth else ()))
            if base:
                path = concrete(base, owners[-1][1])
                self.elements.append((number, path))
                # Where two arrays may have the table, it is that of the one which has its rows.
                if number in records:
                    self.agreement += 1 if has(records[number], path) else -1000 if number in commands and commands[number].code == 0 else -1
        self.owners = owners
        groups = {}
        for place in range(first, len(table.columns)):
            groups.setdefault(plain(table.columns[place]), []).append(place)
        of_name = {}
        for path in paths:
            if len(path) >= len(base) and path[:len(base)] == base and ANY not in path[len(base):]:
                of_name.setdefault(plain(path[len(base):]), []).append(path)
        for name, places in groups.items():
            candidates = sorted(of_name.get(name, []), key=str)
            self.read(places, candidates, records, has_server)

    def name(self, place):
        """The name of a column as the report has it."""
        column = self.table.columns[place]
        return f"{self.table.name}.{column}" if self.is_child else column

    def read(self, places, candidates, records, has_server):
        table = self.table
        scores = []
        for place in places:
            options = []
            kinds = readings(table.columns[place], table.types[place], has_server, self.types)
            # A column of JSON takes all values as they are. If one was counted, the column has texts. One without a type has words, too.
            if table.types[place] == "text" and "plain" in kinds and any(command.has_changed(self.name(place)) for command in self.commands.values()):
                kinds = ["plain"]
            for path in candidates:
                for kind in kinds:
                    score, wrong = 0, {}
                    for row, (number, positions) in zip(table.rows, self.owners):
                        value = decode(row[place], table.types[place], kind)
                        if row[place] is None or number not in records:
                            continue
                        wanted = at(records[number], concrete(path, positions))
                        # In a column of numbers, a truth value is its text, too.
                        is_text = (path in self.mixed and (table.types[place] in ("text", "untyped") or isinstance(wanted, bool))
                                   and is_text_of(value, wanted))
                        # A number is a better guess than its text, and another number than an array.
                        score += 2 if same(value, wanted) else 1.9 if is_text else -0.9 if type(value) is type(wanted) else -1
                        if number in self.commands and not same(value, wanted) and not is_text:
                            wrong.setdefault(id(self.commands[number]), []).append(self.commands[number])
                    # Values that were counted may be in the way. If there are more than that, this reading is wrong.
                    score -= sum(1000 * max(0, len(those) - those[0].most_wrong(self.name(place))) for those in wrong.values())
                    # A name that is the key's own, or that of the whole path, is the better guess.
                    names = ["_".join(map(str, path[start:])) for start in (-1, depth_of(path))]
                    options.append((score + (0.5 if table.columns[place] in names else 0), path, kind))
            if options:
                scores.append(sorted(options, key=lambda option: -option[0])[:6])
            else:
                scores.append(None)
                if any(row[place] is not None for row in table.rows):
                    self.strays.append(table.columns[place])
        known = [(place, options) for place, options in zip(places, scores) if options]
        if not known:
            return
        best, chosen = None, None
        for choice in itertools.product(*(options for _, options in known)):
            total = sum(score for score, _, _ in choice)
            total -= sum(3 for one, other in itertools.combinations(choice, 2) if one[1] == other[1])
            if best is None or total > best:
                best, chosen = total, choice
        self.agreement += best
        for (place, _), (_, path, kind) in zip(known, chosen):
            for row, (number, positions) in zip(table.rows, self.owners):
                value = decode(row[place], table.types[place], kind)
                if value is not None:
                    self.cells.append((number, concrete(path, positions), value, place))


def concrete(path, positions):
    rest = list(positions)
    return tuple(int(rest.pop(0)) if step == ANY and not isinstance(step, str) else step for step in path)
