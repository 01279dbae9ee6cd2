"""Compares the rows that a tool has stored with the truth, and gives the verdict in a word."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Iterable

from feeds import Feed, Record


@dataclass
class Outcome:
    """What a tool has done with a feed."""

    #: Whether it ended with an error: an exit code, or an exception.
    failed: bool = False
    #: Whether it said anything of damage, other than by failing.
    told: bool = False
    right: int = 0
    wrong: int = 0
    lost: int = 0
    doubled: int = 0
    #: Rows that belong to no record that is JSON.
    invented: int = 0
    #: Rows that hold nothing but nulls.
    nulls: int = 0
    #: Damaged records: no row can be right for them.
    damaged: int = 0
    #: Records that are JSON, and for which there is no row, but that a careful reader may refuse.
    left_out: int = 0
    #: Whether there are rows after a missing one: then the tool went on.
    went_on: bool = False
    #: Whether what is stored cannot even be read.
    unreadable: bool = False
    #: One of the differences, for those who look closer.
    example: str = ""
    #: What the tool said, shortened.
    words: str = ""
    exit: str = "0"

    @property
    def verdict(self) -> str:
        """The cell of the table. In capitals: what is wrong without a message."""
        if self.unreadable:
            return "UNREADABLE"
        silent = not self.failed and not self.told
        faults = {"wrong": self.wrong, "doubled": self.doubled, "invented": self.invented, "rows of nulls": self.nulls}
        lost = self.lost + self.left_out
        if silent:
            # Nothing tells of a damaged record, unless there is a row of nulls in its place.
            lost += max(self.damaged - self.nulls, 0)
            faults["lost"] = lost
        parts = [f"{word.upper() if silent else word} {number:,}" for word, number in faults.items() if number]
        kept = self.right + self.wrong + self.doubled + self.invented + self.nulls
        if self.failed and self.lost and not self.went_on:
            # The error tells of all that is missing. Rows that it leaves behind may be wrong all the same.
            return ", ".join(["refused" if kept == 0 else f"stopped after {kept:,}", *parts])
        if not silent and lost:
            parts.insert(0, f"left out {lost:,}")
        if not parts:
            return "right, told" if self.damaged and not silent else "right"
        return ", ".join(parts) + ("" if silent else ", told")


def judge(feed: Feed, found: Iterable[dict[str, Any]], failed: bool, told: bool) -> Outcome:
    """Compares rows by their number `id`."""
    truth = {record["id"]: record for record in feed.truth()}
    outcome = Outcome(failed=failed, told=told)
    rows: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in found:
        # A value that is no object is no record.
        row = row if isinstance(row, dict) else {"value": row}
        rows[identity(row.get("id"))].append(row)
    missing = [id for id in truth if id not in rows]
    outcome.went_on = bool(missing) and any(isinstance(id, int) and id > min(missing) for id in rows)
    for id, record in truth.items():
        judge_record(outcome, record, rows.pop(id, []), feed)
    for id, record in feed.damaged.items():
        if id in rows:
            judge_record(outcome, record, rows.pop(id), feed)
        else:
            outcome.damaged += 1
    for id, extra in rows.items():
        nulls = sum(all(value is None for value in row.values()) for row in extra)
        outcome.nulls += nulls
        outcome.invented += len(extra) - nulls
        note(outcome, f"a row for {id!r}: {extra[0]}")
    return outcome


def judge_record(outcome: Outcome, record: Record, rows: list[dict[str, Any]], feed: Feed) -> None:
    if not rows:
        if record["id"] in feed.may_be_refused:
            outcome.left_out += 1
        else:
            outcome.lost += 1
            note(outcome, f"no row for {record['id']}")
        return
    if len(rows) > 1:
        outcome.doubled += 1
        note(outcome, f"{len(rows)} rows for {record['id']}")
        return
    choices = [record, *feed.choices.get(record["id"], [])]
    differences = [difference(choice, rows[0], feed.numbers_in_strings) for choice in choices]
    if any(one is None for one in differences):
        outcome.right += 1
    else:
        outcome.wrong += 1
        note(outcome, f"record {record['id']}: {differences[0]}")


def note(outcome: Outcome, text: str) -> None:
    outcome.example = outcome.example or text[:200]


def identity(value: Any) -> Any:
    """A number that identifies a record, however the tool keeps numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return value


def difference(record: Record, row: dict[str, Any], numbers_in_strings: bool) -> str | None:
    """The first value that is not what the record says."""
    for key, value in record.items():
        if not same(value, row.get(key), numbers_in_strings):
            return f"{key} is {shown(value)}, the row has {shown(row.get(key))}"
    return None


def shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, Decimal) else str(value)
    return text if len(text) < 80 else f"{text[:40]}… ({len(text):,} characters)"


def same(value: Any, found: Any, numbers_in_strings: bool = False) -> bool:
    """Whether a stored value is that of the record. A store may lack booleans, and may keep a number as text."""
    if value is None or found is None:
        return value is found
    if isinstance(value, bool):
        return found in (value, str(value).lower())
    if isinstance(value, (int, Decimal)):
        return same_number(value, found)
    if isinstance(value, str):
        return found == value or (numbers_in_strings and same_number(Decimal(value), found))
    return found == value


def same_number(value: int | Decimal, found: Any) -> bool:
    """Integers are equal to the last digit; a number with a fraction may be the double next to it."""
    if isinstance(found, str):
        try:
            return Decimal(found) == value
        except InvalidOperation:
            return False
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return False
    if isinstance(found, float) and not math.isfinite(found):
        return False
    return found == value or (isinstance(value, Decimal) and isinstance(found, float) and found == float(value))
