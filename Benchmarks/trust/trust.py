"""Runs each tool on each feed, in a process of its own, and prints who got what right.

    python trust.py --sluice PATH --results FILE [--only FEED,…] [--tools sluice,duckdb,…] [--merge] [--article FILE] [--readme FILE] [--details]

`Benchmarks/trust/run` (`Scripts/net trust`) installs the tools and calls this. The outcomes go to FILE; with `--merge`, what was there before and
is not run now stays, so that one feed can be run again. Exit code 1: Sluice was wrong somewhere without a word.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Iterator, Optional

from article import Result, is_silent, summary, table, tool_list, write_between
from feeds import Feed, all_feeds
from judge import Outcome, judge
from tools import TOOLS, Tool, key

HERE = Path(__file__).parent
#: Seconds for one load.
TIMEOUT = 300
#: When a load is killed, as parts of the time that a whole one takes.
KILLS = (0.3, 0.5, 0.8)


def main() -> None:
    arguments = parsed()
    os.environ["SLUICE"] = str(Path(arguments.sluice).resolve())
    folder = Path(tempfile.mkdtemp(prefix="trust-")).resolve()
    file = Path(arguments.results)
    verdicts = json.loads(file.read_text()) if arguments.merge else {}
    try:
        for feed, tool, version, verdict in run_all(arguments, folder):
            verdicts.setdefault(feed, {})[tool] = [version, verdict]
            file.write_text(json.dumps(verdicts, indent=1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    results = listed(verdicts)
    print(table(results, lenient=False))
    print(table(results, lenient=True))
    print("\n".join(summary(results)))
    if arguments.article:
        write_between(Path(arguments.article), "trust-tools", tool_list(results))
        write_between(Path(arguments.article), "trust-table", table(results, lenient=False))
        write_between(Path(arguments.article), "trust-lenient", table(results, lenient=True))
        write_between(Path(arguments.article), "trust-summary", "\n".join(summary(results)))
    if arguments.readme:
        write_between(Path(arguments.readme), "trust-summary", "\n".join(summary(results, link=True)), apart=False)
    silent = [result for result in results if result.tool.package == "sluice" and is_silent(result.verdict)]
    for result in silent:
        print(f"Sluice is wrong without a word: {result.feed}: {result.verdict}", file=sys.stderr)
    sys.exit(1 if silent else 0)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sluice", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--tools", default="")
    parser.add_argument("--results", required=True)
    parser.add_argument("--merge", action="store_true")
    parser.add_argument("--article")
    parser.add_argument("--readme")
    parser.add_argument("--details", action="store_true")
    return parser.parse_args()


def listed(verdicts: dict[str, dict[str, list[Any]]]) -> list[Result]:
    """The verdicts in the order of the feeds and tools."""
    titles = {feed.name: feed.title for feed in all_feeds()}
    return [
        Result(name, titles[name], tool, *verdicts[name][key(tool)])
        for name in titles if name in verdicts for tool in TOOLS if key(tool) in verdicts[name]
    ]


def run_all(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[str, str, str, Optional[str]]]:
    """The feed, the tool, its version and the verdict, one after the other."""
    names = set(filter(None, arguments.only.split(",")))
    feeds = [feed for feed in all_feeds() if not names or feed.name in names]
    wanted = set(filter(None, arguments.tools.split(",")))
    tools = []
    for tool in TOOLS:
        if not wanted or key(tool) in wanted:
            version = installed_version(tool)
            if version is None:
                print(f"SKIPPED: {key(tool)} is not installed", file=sys.stderr)
            else:
                tools.append((tool, version))
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        for feed in feeds:
            place = folder / feed.name
            place.mkdir(parents=True, exist_ok=True)
            feed.write(place)
            # What is timed, or races with itself, runs alone.
            alone = feed.scenario in ("killed", "two")
            jobs = [(tool, version, (lambda tool=tool: run_one(tool, feed, place))) for tool, version in tools]
            done = [job() for _, _, job in jobs] if alone else list(pool.map(lambda job: job[2](), jobs))
            for (tool, version, _), outcome in zip(jobs, done):
                yield feed.name, key(tool), version, None if outcome is None else outcome.verdict
                if outcome is not None:
                    print(f"{feed.name:18} {key(tool):20} {outcome.verdict}", file=sys.stderr)
                    if arguments.details:
                        print(f"    exit {outcome.exit}; {outcome.example}\n    {outcome.words}", file=sys.stderr)
            shutil.rmtree(place)


def installed_version(tool: Tool) -> Optional[str]:
    done = child("version", key(tool))
    return done.stdout.strip() if done.returncode == 0 else None


def child(*arguments: str, timeout: float = TIMEOUT) -> subprocess.CompletedProcess[str]:
    """A task of tools.py, to its end."""
    process = started(*arguments)
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        output, errors = process.communicate()
        return subprocess.CompletedProcess(arguments, 124, output, f"no end within {timeout:.0f} s")
    return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def started(*arguments: str) -> subprocess.Popen[str]:
    # A session of its own, so that what a tool starts can be killed with it.
    return subprocess.Popen(
        [sys.executable, "-B", str(HERE / "tools.py"), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_one(tool: Tool, feed: Feed, place: Path) -> Optional[Outcome]:
    """Loads a feed, and looks at what is stored. None where the scenario asks for a store that the tool does not have."""
    if feed.scenario in ("two", "killed", "grown") and not tool.has_store:
        return None
    store = place / key(tool)
    store.mkdir()
    path = place / feed.file_name
    more = [feed.at] if feed.at else []
    load = ("load", key(tool), str(path), str(store), *more)
    done = SCENARIOS[feed.scenario](load, feed, path, store)
    rows = child("rows", key(tool), str(store))
    if rows.returncode != 0:
        return Outcome(unreadable=True, exit=f"reading the store: {rows.returncode}", words=rows.stderr[-300:])
    told = (store / "told.txt").read_text(errors="replace") if (store / "told.txt").exists() else ""
    outcome = judge(feed, found_rows(store), failed=done.returncode != 0, told=bool(told))
    outcome.exit = str(done.returncode)
    outcome.words = (told or done.stderr[-300:]).strip()[-300:]
    shutil.rmtree(store, ignore_errors=True)
    return outcome


def found_rows(store: Path) -> Iterator[dict[str, Any]]:
    with (store / "found.ndjson").open() as file:
        yield from (json.loads(line) for line in file)


def once(load: tuple[str, ...], feed: Feed, path: Path, store: Path) -> subprocess.CompletedProcess[str]:
    return child(*load)


def two_at_once(load: tuple[str, ...], feed: Feed, path: Path, store: Path) -> subprocess.CompletedProcess[str]:
    """The same load twice at the same time. It has failed only if both have: one that waits, or is refused, is as it should be, and a word
    about what may be missing."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: child(*load), range(2)))
    if any(one.returncode != 0 for one in both):
        (store / "told.txt").write_text("one of the two has failed")
    else:
        (store / "told.txt").unlink(missing_ok=True)
    return min(both, key=lambda one: abs(one.returncode))


def killed(load: tuple[str, ...], feed: Feed, path: Path, store: Path) -> subprocess.CompletedProcess[str]:
    """Loads that are killed at parts of the time that a whole one takes, and one to its end."""
    elsewhere = store.with_name(store.name + "-timed")
    elsewhere.mkdir()
    start = time.monotonic()
    child(*load[:3], str(elsewhere), *load[4:])
    duration = time.monotonic() - start
    shutil.rmtree(elsewhere, ignore_errors=True)
    for part in KILLS:
        process = started(*load)
        try:
            process.communicate(timeout=duration * part)
        except subprocess.TimeoutExpired:
            kill(process)
            process.communicate()
    (store / "told.txt").unlink(missing_ok=True)
    return child(*load)


def grown(load: tuple[str, ...], feed: Feed, path: Path, store: Path) -> subprocess.CompletedProcess[str]:
    """The first half of the feed, and then all of it, under the same name."""
    half = store / path.name
    half.write_bytes(feed.join(feed.lines[: len(feed.lines) // 2]))
    load = (*load[:2], str(half), *load[3:])
    child(*load)
    (store / "told.txt").unlink(missing_ok=True)
    half.write_bytes(feed.join(feed.lines))
    return child(*load)


def cut(load: tuple[str, ...], feed: Feed, path: Path, store: Path) -> subprocess.CompletedProcess[str]:
    """A file that ends too early: records are missing whatever is done, and what counts is whether that is said."""
    return child(*load)


SCENARIOS = {"once": once, "two": two_at_once, "killed": killed, "grown": grown, "cut": cut}

if __name__ == "__main__":
    main()
