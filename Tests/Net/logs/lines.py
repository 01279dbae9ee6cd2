"""The lines that writers append. What a line holds follows from the history's seed, its writer and its number, so that a row
of the table can be compared with it."""

import json
import random
import re

# A line of a writer, also one that is damaged: the name of the writer and the number of the line.
MARK = re.compile(rb'"id": ?"(w\d+-\d{6})"')

# No text has a brace: so no piece of a line that rotation has cut off its beginning can be a record.
ALPHABETS = ["abcdefghij klmnopq", "aäöüß €é", "漢字かな交じり文", "🎈🎉🦉 ab", 'a"b\\c/d\te\n']
LARGE = 100_000
PAST_MARK = 24


def name(writer, number):
    return f"{writer}-{number:06d}"


def text(chance, shape):
    """A text of some size."""
    if chance.random() < shape["large"]:
        return chance.choice("abcdefgh") * (LARGE + chance.randrange(1000))
    size = chance.choice([0, 3, 20, 20, 60, 60, 200, 900, 5000])
    alphabet = chance.choice(ALPHABETS)
    # Long texts repeat a short one, because making many random characters takes time.
    part = "".join(chance.choices(alphabet, k=min(size, 40)))
    return (part * (size // 40 + 1))[:size]


def record(shape, writer, number):
    """The record of a line, and the random numbers that go on after it."""
    chance = random.Random(f"{shape['seed']} {writer} {number}")
    value = {}
    if shape["head"]:
        # All lines begin alike, so that a short text tells nothing.
        value["app"] = "x" * shape["head"]
    value["id"] = name(writer, number)
    value["n"] = number
    value["t"] = text(chance, shape)
    if chance.random() < 0.3:
        value["o"] = {"x": number * 3, "y": chance.choice(["", "é", "yes"])}
    if chance.random() < 0.02:
        value["late"] = "a column that comes late"
    return value, chance


def damaged(line, chance):
    """The bytes of a line that are no JSON, and still have its mark."""
    kind = chance.randrange(6)
    if kind == 0:
        return line[:-1]
    if kind == 1:
        return line + b"}"
    if kind == 2:
        return line[:-1] + b', "x": NaN}'
    if kind == 3:
        return line[:-1] + b', "x": "\x01"}'
    if kind == 4:
        return line[:-1] + b', "x": "\xff"}'
    start = line.index(b'"id"') + PAST_MARK
    return line[:chance.randrange(start, len(line))] if start < len(line) else b"oops " + line


def line(shape, writer, number):
    """The bytes of a line, without its line break, and whether they are a record."""
    value, chance = record(shape, writer, number)
    separators = chance.choice([(",", ":"), (", ", ": ")])
    data = json.dumps(value, ensure_ascii=chance.random() < 0.3, separators=separators).encode()
    if chance.random() < shape["bad"]:
        return damaged(data, chance), False
    return data, True
