"""Feeds of lines for the tests, and the rows that a plain reader in Python finds there."""

from __future__ import annotations

import json
import random
from typing import Optional

COLUMNS = {"id": "int64", "actor.login": "string", "score": "double", "public": "bool", "tags": "json"}

#: Lines that the columns above do not take, with the path of the wrong value.
WRONG = [
    ('{"id":1', "id"),
    ("nul", ""),
    ('{"id":"x","score":1}', "id"),
    ('{"id":5,"actor":{"login":[]}}', "actor.login"),
    ('{"id":5} {"id":6}', ""),
]


def line(random: random.Random, index: int) -> str:
    """One record that the columns take."""
    record: dict = {"id": index, "actor": {"login": random.choice(["ann", "bob", "Zoë", "東京", 'q"uote\\', "two\nlines", ""]), "x": 1}}
    if random.random() < 0.7:
        record["score"] = random.choice([0.5, -1.25, 3.0, 1e300, None])
    if random.random() < 0.7:
        record["public"] = random.random() < 0.5
    if random.random() < 0.5:
        record["tags"] = random.choice([["a", "b"], {"k": [1, 2]}, [], "text", 7, None])
    if random.random() < 0.3:
        record["other"] = "x" * random.randrange(200)
    members = list(record.items())
    random.shuffle(members)
    return json.dumps(dict(members), ensure_ascii=random.random() < 0.5, separators=random.choice([(",", ":"), (", ", ": ")]))


def feed(seed: int, count: int, wrong: float = 0.0, mark: Optional[bool] = None) -> bytes:
    """A feed of lines: some end with CR and LF, some are blank, the last one may have no end, a byte order mark may come first."""
    source = random.Random(seed)
    text = "\ufeff" if (source.random() < 0.3 if mark is None else mark) else ""
    for index in range(count):
        if source.random() < wrong:
            text += source.choice(WRONG)[0]
        else:
            text += line(source, index)
        text += source.choice(["\n", "\n", "\n", "\r\n", "\n\n", "\n \n"])
    if source.random() < 0.5:
        text = text.rstrip("\r\n ")
    return text.encode()


def rows(data: bytes) -> list[dict]:
    """The rows of a feed that has no wrong line. What is of type json is given as a value."""
    result = []
    for text in data.decode("utf-8-sig").split("\n"):
        if text.strip():
            record = json.loads(text)
            tags = record.get("tags")
            result.append(
                {
                    "id": record["id"],
                    "actor.login": record["actor"]["login"],
                    "score": record.get("score"),
                    "public": record.get("public"),
                    "tags": tags,
                }
            )
    return result


def read(reader) -> list[dict]:
    """The rows of a stream, in the same form."""
    found = reader.read_all().to_pylist()
    for row in found:
        row["tags"] = None if row["tags"] is None else json.loads(row["tags"])
    return found
