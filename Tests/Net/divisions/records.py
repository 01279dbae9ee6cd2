"""Random feeds whose values change their types, and how they are cut into commands.

Numbers are Decimals, which keep their digits and their exponent: `str` of one is a number of JSON, and two are equal by value.
"""

import gzip
import json
from decimal import Decimal

INTEGERS = ["0", "1", "2", "-5", "42", "1000000"]
BORDERS = ["9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808",
           "9223372036854775808", "18446744073709551616", "12345678901234567890"]
REALS = ["0.5", "1.0", "-0", "-0.0", "1E+2", "0.1", "2.50", "1E+308", "1.7976931348623157E+308", "5E-324", "1E+22", "0.30000000000000004"]
EXTREMES = ["1E-400", "12345678901234567890.5", "9007199254740993.0", "0.1000000000000000055511151231257827", "1E+400", "-1E+400"]
WORDS = ["x", "ann", "a b", "été", "日本", 'q"uote', "back\\slash", "line\nbreak", "😀", " "]
# Texts that look like something else.
DISGUISES = ["007", "1", "0", "1.0", "true", "false", "null", "[1]", "{}", '{"a":1}', '"x"', "", "1e5", "-0", " 1", "yes", "t", "9007199254740993",
             "12345678901234567890", "2024-01-31", "0x10", "1_000", "NaN", "Infinity"]
KEYS = ["v", "w", "score", "active", "zip", "tags", "item", "late", "ключ", "été", "with space", "x-y", "select"]
# Keys that would get one column's name, for SQLite and PostgreSQL, or only for one that cuts names.
COLLISIONS = [["Id", "id"], ["a_b", "a"], ["a.b", "a"], ["A_B", "a_b", "a"], ["q", "Q", "q_2"], ["ID", "Id", "iD"], ["a_b_c", "a_b", "a"],
              ["É", "é"], ["e\u0301", "\u00e9"], ["n", "N"]]
LONG = ["k" * 62 + "ab" + end for end in ["", "c", "d"]] + ["k" * 61 + "ü" + end for end in "ab"]


def dumps(value, spaces=False):
    """The JSON text of a value, whose numbers are written with all their digits."""
    comma, colon = (", ", ": ") if spaces else (",", ":")
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return "{" + comma.join(json.dumps(key, ensure_ascii=False) + colon + dumps(inner, spaces) for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + comma.join(dumps(inner, spaces) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)


class Path:
    """What one key of the records holds: kinds of values, which change once or all the time."""

    KINDS = ["integer", "integer", "border", "real", "bool", "bool", "word", "word", "disguise", "disguise", "null", "array", "object", "objects"]

    def __init__(self, random_, has_extremes, depth=0):
        self.random, self.depth = random_, depth
        kinds = self.KINDS + (["extreme"] * 3 if has_extremes else [])
        self.kinds = [random_.choice(kinds) for _ in range(random_.choice([1, 1, 2, 2, 3]))]
        self.changes_once = random_.random() < 0.6
        # Where it changes, as a part of the feed.
        self.turns = sorted(random_.random() for _ in self.kinds[1:])
        self.presence = random_.choice([1, 1, 0.7, 0.3])
        self.nulls = random_.choice([0, 0, 0.2])
        self.first = random_.random() * 0.5 if random_.random() < 0.25 else 0
        self.begins_with_null = random_.random() < 0.5
        self.inner = None
        if {"object", "objects"} & set(self.kinds):
            names = random_.sample(["b", "c", "b_c", "d", "B", "e f", "zip"], random_.choice([1, 2, 3]))
            self.inner = {name: Path(random_, has_extremes, depth + 1) for name in names} if depth < 3 else {}
        self.scalars = [kind for kind in ["integer", "word", "bool", "disguise", "real", "null"] if random_.random() < 0.4] or ["integer"]

    def add(self, object_, key, place):
        """Adds the value of a record, if it has one; the place in the feed lies between 0 and 1."""
        if place < self.first:
            if self.begins_with_null:
                object_[key] = None
        elif self.random.random() < self.presence:
            object_[key] = self.value(place)

    def value(self, place):
        if self.random.random() < self.nulls:
            return None
        if self.changes_once:
            kind = self.kinds[sum(turn < place for turn in self.turns)]
        else:
            kind = self.random.choice(self.kinds)
        return self.of(kind, place)

    def of(self, kind, place):
        choose = self.random.choice
        if kind in ("integer", "border", "real", "extreme"):
            return Decimal(choose({"integer": INTEGERS, "border": BORDERS, "real": REALS, "extreme": EXTREMES}[kind]))
        if kind == "bool":
            return self.random.random() < 0.5
        if kind in ("word", "disguise"):
            return choose(WORDS if kind == "word" else DISGUISES)
        if kind == "array":
            return [self.element(choose(self.scalars), place) for _ in range(choose([0, 1, 1, 2, 3]))]
        if kind == "objects":
            return [self.object(place) for _ in range(choose([0, 1, 2, 3]))]
        return self.object(place) if kind == "object" else None

    def element(self, kind, place):
        if self.depth < 2 and self.random.random() < 0.08:
            return [self.of("integer", place) for _ in range(self.random.choice([0, 1, 2]))]
        return self.of(kind, place)

    def object(self, place):
        found = {}
        for name, path in self.inner.items():
            path.add(found, name, place)
        return found


def keys(random_, has_short_names):
    """The keys of a feed's records."""
    found = random_.sample(KEYS, random_.choice([1, 1, 2, 3, 5]))
    if random_.random() < 0.3:
        found += random_.choice(COLLISIONS)
    if has_short_names and random_.random() < 0.1:
        found += random_.sample(LONG, 2)
    return found


def records(random_, has_short_names, parts=1):
    """The records of a feed, or of several with the same paths. `n0` has a number of its own for each record of a feed."""
    has_extremes = random_.random() < 0.15
    paths = {key: Path(random_, has_extremes) for key in keys(random_, has_short_names)}
    for key in paths:
        # Beside the key `a_b`, the key `a` is an object with `b`.
        if key == "a" and "a" not in KEYS and paths["a"].inner is None:
            paths["a"] = Path(random_, has_extremes)
            paths["a"].kinds = ["object"] + paths["a"].kinds[1:]
            paths["a"].inner = {name: Path(random_, has_extremes, 1) for name in ["b", "b_c", "c"]}
    count = random_.choice([2, 2, 3, 3, 4, 6, 10, 25])
    if random_.random() < 0.01:
        count = 1500
    changes_order = random_.random() < 0.4
    found = []
    for number in list(range(count)) * parts:
        record = {"n0": Decimal(number)}
        names = list(paths)
        if changes_order:
            random_.shuffle(names)
        for key in names:
            paths[key].add(record, key, number / max(1, count - 1))
        found.append(record)
    return found


def merged(target, value):
    """What an upsert makes of a value and a later one: an object keeps the members that the later one does not have."""
    if not isinstance(value, dict):
        return value
    target = target if isinstance(target, dict) else {}
    return {**target, **{key: merged(target.get(key), inner) for key, inner in value.items()}}


class Piece:
    """The records of one command, and how they come."""

    def __init__(self, records, random_=None):
        self.records = records
        self.form, self.way, self.options = "ndjson", "file", ["--sample-size", "-1"]
        if random_ is None:
            return
        self.form = random_.choice(["ndjson"] * 4 + ["array", "gzip"])
        self.way = random_.choice(["pipe", "pipe", "file", "file", "growing", "files"]) if self.form != "gzip" else "file"
        self.options = ["--workers", random_.choice("12")]
        if random_.random() < 0.35:
            self.options += ["--sample-size", random_.choice(["1", "2", "5", "-1"])]
        if random_.random() < 0.2:
            self.options += ["--batch", random_.choice("13")]

    @staticmethod
    def data(records, form):
        lines = [dumps(record, spaces=len(record) % 5 == 4) for record in records]
        text = ("[" + ",\n".join(lines) + "]\n" if form == "array" else "".join(line + "\n" for line in lines)).encode()
        return gzip.compress(text, mtime=0) if form == "gzip" else text


def cut(random_, records):
    """The commands of a division: the records in their order, cut at random places."""
    places = sorted(random_.randrange(len(records) + 1) for _ in range(random_.choice([0, 1, 1, 1, 2, 2, 3, 5])))
    parts = [records[begin:end] for begin, end in zip([0] + places, places + [len(records)])]
    return [Piece(part, random_) for part in parts if part]


def options(random_, records):
    """The options that are the same for all commands. A key inside an object is added to the records; one may lack it."""
    found = []
    kind = random_.random()
    if kind < 0.04:
        found += ["--pk", "k.a", "--upsert"]
        for record in records:
            record["k"] = {"a": record["n0"]}
        if random_.random() < 0.5:
            random_.choice(records)["k"] = Decimal(7)
    elif kind < 0.45:
        found += ["--pk", "n0", "--upsert"]
    else:
        found += ["--append"]
    if random_.random() < 0.35:
        found += ["--children", "tables"]
    # The harness does not read the tables of objects whose keys are data.
    if random_.random() < 0.06 and "--children" not in found:
        found += ["--map-threshold", "2"]
    if random_.random() < 0.06:
        kind = random_.choice([["--no-flatten"], ["--depth", "2"]])
        # With --no-flatten, the key inside of an object has no column.
        found += kind if "k.a" not in found else ["--depth", "2"]
    return found
