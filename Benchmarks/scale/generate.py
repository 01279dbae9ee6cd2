"""Makes files of GitHub's events: the elements of github_events.json over and over, with changed ids, a record a line."""

import json
import os
import pathlib
import re


def corpus() -> pathlib.Path:
    """github_events.json, where the other benchmarks look for it."""
    root = pathlib.Path(__file__).resolve().parents[2]
    places = [os.environ.get("SLUICE_CORPUS"), root / "Benchmarks/.build/corpus", root.parent / "shared/corpus"]
    for place in places:
        if place and (pathlib.Path(place) / "github_events.json").exists():
            return pathlib.Path(place) / "github_events.json"
    raise SystemExit("github_events.json is not there: Scripts/fetch-corpus gets it, or SLUICE_CORPUS names its folder")


def pieces() -> list[tuple[bytes, bytes]]:
    """Each event as what stands before and after the digits of its id."""
    result = []
    for event in json.loads(corpus().read_text()):
        line = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        # The id of the event itself is the last one that is a text.
        place = list(re.finditer(rb'"id":"\d+"', line))[-1]
        result.append((line[: place.start() + 6], line[place.end() - 1 :]))
    return result


def generate(folder: pathlib.Path, megabytes: int, files: int) -> list[pathlib.Path]:
    """Files of one size, together `megabytes` of 10⁶ bytes; those that are there already are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    events, number, paths = pieces(), 10_000_000_000, []
    for index in range(files):
        path = folder / f"events-{megabytes}-{files}-{index:03}.ndjson"
        paths.append(path)
        wanted = megabytes * 1_000_000 // files
        if path.exists() and path.stat().st_size >= wanted:
            number += wanted
            continue
        with path.with_suffix(".part").open("wb") as output:
            written = 0
            while written < wanted:
                lines = []
                for before, after in events:
                    number += 1
                    lines.append(before + b"%d" % number + after)
                written += output.write(b"".join(lines))
        path.with_suffix(".part").rename(path)
    return paths
