"""The feeds of `Scripts/net trust`: what each file holds, what is wrong with it, and which rows a reader should find there.

A feed is written from records and from damage to some of them, the same bytes in every run. The truth is what Python's `json` reads from
the records that are still JSON; numbers with a fraction or an exponent are decimals there, so that no digit of them is rounded.
"""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Optional

Record = dict[str, Any]

#: Records of a feed, unless it needs more.
COUNT = 2_000
#: More than any tool samples by default when it looks for columns and their types (25,000 rows, 32 MB).
LONG = 60_000
#: The record that is damaged.
BAD = 1_200


@dataclass
class Feed:
    """A file, and what is known about it."""

    name: str
    #: What is awkward about it, for the table.
    title: str
    #: The lines, before they are joined; a damaged one is not JSON.
    lines: list[bytes]
    #: The damaged records by their number (`id`), as they were before the damage. A row with these values is right; so is no row, if
    #: the tool reports the record.
    damaged: dict[int, Record] = field(default_factory=dict)
    #: Records that are JSON, but that a careful reader may refuse, such as one with a lone surrogate. Refused with a word, they are no loss.
    may_be_refused: set[int] = field(default_factory=set)
    #: Other rows that are as good as the truth, for JSON leaves the choice to the reader.
    choices: dict[int, list[Record]] = field(default_factory=dict)
    #: Whether the text "12.5" may become the number 12.5.
    numbers_in_strings: bool = False
    #: What the file's name ends with.
    suffix: str = ".ndjson"
    #: Turns the lines into the bytes of the file.
    join: Callable[[list[bytes]], bytes] = lambda lines: b"".join(line + b"\n" for line in lines)
    #: Where the records are in the document; None for a feed of lines.
    at: Optional[str] = None
    #: How the feed is loaded: once, or as a test of what happens on the way.
    scenario: str = "once"

    @property
    def file_name(self) -> str:
        return self.name + self.suffix

    def write(self, folder: Path) -> Path:
        path = folder / self.file_name
        path.write_bytes(self.join(self.lines))
        return path

    def truth(self) -> list[Record]:
        """The records that are JSON, one after the other, as Python reads them."""
        found = []
        for line in self.lines:
            found += records_of(line)
        return [record for record in found if record["id"] not in self.damaged]


def records_of(line: bytes) -> list[Record]:
    """The objects of a line; none if it is not JSON."""
    try:
        text = line.decode("utf-8").strip(" \t\r\n\x00")
    except UnicodeDecodeError:
        return []
    decoder = json.JSONDecoder(parse_float=Decimal)
    found: list[Record] = []
    while text:
        try:
            record, end = decoder.raw_decode(text)
        except json.JSONDecodeError:
            return []
        found.append(record)
        text = text[end:].lstrip()
    return found


def records(count: int, seed: int = 1) -> list[Record]:
    """Plain records: a number that identifies each, a text, a number with a fraction and a flag; some values are null."""
    source = random.Random(seed)
    words = ["Emma", "Zoë", "東京", 'a "quoted" word', "back\\slash", "tab\tand\nline", "", "🙂", "plain"]
    return [
        {
            "id": index,
            "name": source.choice(words),
            "score": source.choice([0.5, -1.25, 12.5, 1e-3, 99.75]),
            "open": source.random() < 0.5 if index % 7 else None,
        }
        for index in range(1, count + 1)
    ]


def lines(found: list[Record]) -> list[bytes]:
    return [json.dumps(record, ensure_ascii=False).encode() for record in found]


def plain(count: int = COUNT) -> list[bytes]:
    return lines(records(count))


def with_line(change: Callable[[bytes], bytes], at: int = BAD, count: int = COUNT) -> list[bytes]:
    """Plain lines of which that of the record `at` is changed."""
    found = plain(count)
    found[at - 1] = change(found[at - 1])
    return found


def with_member(text: str, at: int = BAD, count: int = COUNT) -> list[bytes]:
    """Plain lines; the record `at` has one member more, as it is written here."""
    return with_line(lambda line: line[:-1] + b", " + text.encode() + b"}", at, count)


def with_values(key: str, value: Callable[[int], Any], count: int = COUNT) -> list[bytes]:
    """Plain records that have `key`, too, unless its value is Ellipsis."""
    found = records(count)
    for record in found:
        extra = value(record["id"])
        if extra is not ...:
            record[key] = extra
    return lines(found)


def bad(at: int = BAD, **more: Any) -> dict[int, Record]:
    """A plain record that is damaged; `more` is what it should have held besides."""
    return {at: {**records(COUNT)[at - 1], **more}}


def twice_a_key() -> Feed:
    feed = Feed("duplicate-key", "a key twice in one object", with_line(lambda line: line[:-1] + b', "score": 7.5}'), may_be_refused={BAD})
    first = dict(records(COUNT)[BAD - 1])
    feed.choices[BAD] = [first]
    return feed


def glued() -> Feed:
    found = plain()
    found[BAD - 1 : BAD + 1] = [found[BAD - 1] + found[BAD]]
    return Feed("glued", "a line feed is missing between two records", found, may_be_refused={BAD, BAD + 1})


def cut_gzip(found: list[bytes]) -> bytes:
    whole = gzip.compress(b"".join(line + b"\n" for line in found), mtime=0)
    return whole[: len(whole) * 2 // 3]


def all_feeds() -> list[Feed]:
    """Every feed, in the order of the table."""
    surrogate = with_member(r'"mark": "a\ud800z"')
    return [
        Feed("plain", "nothing (to compare with)", plain()),
        Feed("late-key", "a key that first comes in record 50,000", with_values("late", lambda id: f"x{id}" if id >= 50_000 else ..., LONG)),
        Feed("late-fraction", "integers, and fractions from record 50,000 on", with_values("size", lambda id: id if id < 50_000 else id + 0.5, LONG)),
        Feed("wrong-type", "a text in a column of numbers, in the last record", with_line(lambda line: with_text_score(line), COUNT)),
        Feed("number-in-string", "some numbers written as strings", with_values("price", lambda id: 12.5 if id % 2 else "12.5"), numbers_in_strings=True),
        Feed("digits", "strings of digits, such as \"01234\"", with_values("zip", lambda id: f"{id:05}")),
        Feed("flipped-byte", "a flipped bit: `\"id\"` has become `\"id&`", with_line(lambda line: line.replace(b'"id"', b'"id&', 1)), bad()),
        Feed("bad-utf8", "a byte that is not UTF-8 in a string", with_line(lambda line: line[:-1] + b', "mark": "a\xc3z"}'), bad(mark="a\udcc3z")),
        Feed("trailing-comma", "a trailing comma in one record", with_line(lambda line: line[:-1] + b",}"), bad()),
        Feed("cut-off", "the last record is cut off", with_line(lambda line: line[: len(line) * 3 // 4], COUNT), bad(COUNT), join=b"\n".join),
        Feed("zeros", "4,096 zero bytes in the place of a record", with_line(lambda line: b"\0" * 4096), bad()),
        glued(),
        twice_a_key(),
        Feed("surrogate", "half of a surrogate pair, `\\ud800`", surrogate, may_be_refused={BAD}),
        Feed("nul", "`\\u0000` in a string", with_member(r'"mark": "a\u0000z"'), may_be_refused={BAD}),
        Feed("big-integer", "2^63 + 1", with_member('"big": 9223372036854775809'), may_be_refused={BAD}),
        Feed("big-number", "1e400", with_member('"big": 1e400'), may_be_refused={BAD}),
        Feed("long-line", "a line of 70 MB", with_line(lambda line: line[:-1] + b', "text": "' + b"0123456789" * 7_000_000 + b'"}')),
        Feed("crlf", "lines that end with CR and LF", plain(), join=lambda lines: b"".join(line + b"\r\n" for line in lines)),
        Feed("bom", "a byte order mark", plain(), join=lambda lines: b"\xef\xbb\xbf" + b"\n".join(lines)),
        Feed(
            "envelope", "records inside of a document", plain(), suffix=".json", at="data.items",
            join=lambda lines: b'{"next": null, "data": {"items": [\n' + b",\n".join(lines) + b"\n]}}\n",
        ),
        Feed("cut-gzip", "a gzip file that is cut off", plain(), suffix=".ndjson.gz", join=cut_gzip, scenario="cut"),
        Feed("two-runs", "two runs at once", plain(LONG), scenario="two"),
        Feed("killed", "killed three times, and run again", plain(LONG * 2), scenario="killed"),
        Feed("grown", "run again after the feed has grown", plain(LONG), scenario="grown"),
    ]


def with_text_score(line: bytes) -> bytes:
    record = json.loads(line)
    record["score"] = "n/a"
    return json.dumps(record, ensure_ascii=False).encode()
