"""Turns the outcomes into the tables of the article, and the summary of the README."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from feeds import Feed
from judge import Outcome
from tools import Tool


@dataclass
class Result:
    """One cell."""

    feed: Feed
    tool: Tool
    version: str
    #: None where the tool has no store, and the feed asks for one.
    outcome: Optional[Outcome]


def columns(results: list[Result], lenient: bool) -> list[Tool]:
    found: list[Tool] = []
    for result in results:
        if result.tool.lenient == lenient and result.tool not in found:
            found.append(result.tool)
    return found


def cell(outcome: Optional[Outcome]) -> str:
    """What is silent is bold."""
    if outcome is None:
        return "–"
    return f"**{outcome.verdict}**" if outcome.is_silent_fault else outcome.verdict


def table(results: list[Result], lenient: bool) -> str:
    """A row for each feed, a column for each tool."""
    tools = columns(results, lenient)
    rows = ["| what is wrong with the feed | " + " | ".join(tool.name for tool in tools) + " |", "|---" * (len(tools) + 1) + "|"]
    for name in dict.fromkeys(result.feed.name for result in results):
        found = {id(result.tool): result for result in results if result.feed.name == name}
        title = next(result.feed.title for result in results if result.feed.name == name)
        rows.append(f"| {title} | " + " | ".join(cell(found[id(tool)].outcome) for tool in tools) + " |")
    return "\n".join(rows)


def tool_list(results: list[Result]) -> str:
    """Each tool with its version and options."""
    rows = ["| tool | version | how it is used |", "|---|---|---|"]
    for lenient in (False, True):
        for tool in columns(results, lenient):
            version = next(result.version for result in results if result.tool is tool)
            rows.append(f"| {tool.name}{', lenient' if lenient else ''} | {version} | {tool.options} |")
    return "\n".join(rows)


def summary(results: list[Result], link: bool = False) -> list[str]:
    """Two lines: with how many feeds each tool has rows that are not right, and says nothing."""
    counts = Counter({tool.name: 0 for tool in columns(results, lenient=False)})
    for result in results:
        if not result.tool.lenient and result.outcome is not None and result.outcome.is_silent_fault:
            counts[result.tool.name] += 1
    feeds = len({result.feed.name for result in results})
    parts = [f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: (item[1], item[0] != "Sluice", item[0]))]
    place = "[Whom to trust](Sources/Sluice/Sluice.docc/WhomToTrust.md)" if link else "`make trust`"
    return [f"Rows that are wrong, lost or doubled without a word, in so many of {feeds} awkward feeds ({place}):", f"{', '.join(parts)}."]


def write_between(path: Path, name: str, text: str, apart: bool = True) -> None:
    """Replaces what stands between two comments of a Markdown file; `apart` says whether the comments have lines of their own."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    whole = path.read_text()
    if whole.count(start) != 1 or whole.count(end) != 1:
        raise SystemExit(f"{path} does not have {start} and {end} once")
    before, rest = whole.split(start)
    space = "\n" if apart else ""
    path.write_text(f"{before}{start}{space}{text}{space}{end}{rest.split(end)[1]}")
