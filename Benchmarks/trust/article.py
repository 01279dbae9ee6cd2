"""Turns the outcomes into the tables of the article, and the summary of the README."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from tools import Tool


@dataclass
class Result:
    """One cell."""

    feed: str
    title: str
    tool: Tool
    version: str
    #: None where the tool has no store, and the feed asks for one.
    verdict: Optional[str]


def columns(results: list[Result], lenient: bool) -> list[Tool]:
    found: list[Tool] = []
    for result in results:
        if result.tool.lenient == lenient and result.tool not in found:
            found.append(result.tool)
    return found


def is_silent(verdict: Optional[str]) -> bool:
    """Whether something is wrong without a message: such words are in capitals."""
    return verdict is not None and any(character.isupper() for character in verdict)


def cell(verdict: Optional[str]) -> str:
    """What is silent is bold."""
    if verdict is None:
        return "–"
    return f"**{verdict}**" if is_silent(verdict) else verdict


def table(results: list[Result], lenient: bool) -> str:
    """A row for each feed, a column for each tool."""
    tools = columns(results, lenient)
    rows = ["| what is wrong with the feed | " + " | ".join(tool.name for tool in tools) + " |", "|---" * (len(tools) + 1) + "|"]
    for name, title in dict.fromkeys((result.feed, result.title) for result in results):
        found = {result.tool.name: result.verdict for result in results if result.feed == name and result.tool.lenient == lenient}
        rows.append(f"| {title} | " + " | ".join(cell(found.get(tool.name)) for tool in tools) + " |")
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
        if not result.tool.lenient and is_silent(result.verdict):
            counts[result.tool.name] += 1
    feeds = len({result.feed for result in results})
    parts = [f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: (item[1], item[0] != "Sluice", item[0]))]
    place = "[Whom to trust](Sources/Engine/Sluice/Sluice.docc/WhomToTrust.md)" if link else "`Scripts/net trust`"
    return [f"For each tool, how many of the {feeds} awkward feeds give rows that are wrong, lost or doubled without a message ({place}):", f"{', '.join(parts)}."]


def write_between(path: Path, name: str, text: str, apart: bool = True) -> None:
    """Replaces what stands between two comments of a Markdown file; `apart` says whether the comments have lines of their own."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    whole = path.read_text()
    if whole.count(start) != 1 or whole.count(end) != 1:
        raise SystemExit(f"{path} does not have {start} and {end} once")
    before, rest = whole.split(start)
    space = "\n" if apart else ""
    path.write_text(f"{before}{start}{space}{text}{space}{end}{rest.split(end)[1]}")
