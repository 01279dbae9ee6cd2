#!/usr/bin/env python3
"""Plays histories of logs that are written, rotated and read at the same time, and checks that each line is in the table
once. See README.md.

    logs.py SLUICE LIBRARY N SEED              with SQLite
    logs.py SLUICE LIBRARY N SEED postgres     with the server of Scripts/with-postgres
"""

import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
# What a loss of power undoes, and the server, are those of the histories of plain inputs.
sys.path.append(os.path.join(HERE, "..", "histories"))

from oracle import Finding  # noqa: E402
from played import Play  # noqa: E402
from tables import PostgresTable, SQLiteTable  # noqa: E402

LIMIT = 180
SHOWN = 40


class Tools:
    """Where the programs are, and the folders of a history: the logs and the database in one, all else in the other."""

    def __init__(self, sluice, library, folder, server=None):
        self.sluice, self.library, self.server = os.path.abspath(sluice), os.path.abspath(library), server
        self.base = folder
        self.folder, self.scratch = os.path.join(folder, "play"), os.path.join(folder, "scratch")
        self.log = os.path.join(self.scratch, "log")
        self.environment = {"PATH": os.environ["PATH"], "NO_COLOR": "1"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        # With the library that counts operations, and keeps what they replace.
        self.counting = {"LD_PRELOAD": self.library, "HISTORIES_FOLDER": self.folder, "HISTORIES_LOG": self.log}

    def clear(self):
        for folder in [self.folder, self.scratch]:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        os.chdir(self.folder)
        if self.server:
            self.server.clear()

    def table(self, play):
        if self.server:
            return PostgresTable(self.server)
        return SQLiteTable("db/out.db", dict(self.environment, **(self.counting if play.options.is_counted else {})))


def overdue(number, frame):
    raise Finding(f"the history takes more than {LIMIT} seconds")


def places():
    """Where histories are played. A disk gives the number of a removed file to the next one, which memory does not."""
    disk = os.path.abspath(".build/logs-played")
    os.makedirs(disk, exist_ok=True)
    memory = "/dev/shm"
    return [disk, memory if os.path.isdir(memory) and os.access(memory, os.W_OK) else disk]


def kept(play, tools, path, words):
    """Keeps what a history has left, with its steps."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    for folder in ["play", "scratch"]:
        shutil.copytree(os.path.join(tools.base, folder), os.path.join(path, folder), symlinks=True)
    with open(os.path.join(path, "steps.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(play.steps + [words]) + "\n")


def played(seed):
    """Plays a history. Returns its seed, what it has found, its steps, its counts, and how long it took to catch up."""
    sluice, library, folders, keep, has_server = played.settings
    if has_server:
        from postgres import Server
        played.server = played.server or Server()
    place = random.Random(f"place {seed}").choice(folders)
    tools = Tools(sluice, library, tempfile.mkdtemp(prefix="sluice-logs-", dir=place), played.server)
    signal.signal(signal.SIGALRM, overdue)
    # A shell's background job ignores SIGINT, and so would the runs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    words, play = None, None
    try:
        tools.clear()
        play = Play(seed, tools)
        signal.alarm(LIMIT)
        try:
            play.play()
        except Finding as finding:
            words = str(finding)
        except Exception:
            words = "the harness failed:\n" + traceback.format_exc()
        finally:
            signal.alarm(0)
            play.end()
        if words:
            kept(play, tools, os.path.join(keep, str(seed)), words)
    finally:
        os.chdir("/")
        shutil.rmtree(tools.base, ignore_errors=True)
    return seed, words, play.steps, play.counts, play.longest_wait


played.server = None


def results(seeds, jobs):
    if jobs == 1:
        yield from map(played, seeds)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(played, seeds)


def main():
    sluice, library, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    has_server = sys.argv[5:] == ["postgres"]
    again = " postgres" if has_server else ""
    keep = os.path.abspath(".build/logs" + ("/postgres" if has_server else ""))
    jobs = 1 if has_server else int(os.environ.get("JOBS", "1"))
    played.settings = (os.path.abspath(sluice), os.path.abspath(library), places(), keep, has_server)
    totals, findings, longest = {}, 0, (0.0, seed)
    begin = time.monotonic()
    for number, words, steps, counts, wait in results(range(seed, seed + count), jobs):
        longest = max(longest, (wait, number))
        for name, value in counts.items():
            totals[name] = totals.get(name, 0) + value
        if not words:
            continue
        findings += 1
        shown = steps if os.environ.get("LOGS_SHOW") else steps[-SHOWN:]
        print(f"seed {number}: {words}\n  its last steps, by the second:\n    " + "\n    ".join(shown))
        print(f"  to play it again: Scripts/net logs 1 {number}{again}\n  its files, its database and all steps: {keep}/{number}",
              flush=True)
    text = ", ".join(f"{value} {name}" for name, value in totals.items())
    print(f"{count} histories of logs {'with PostgreSQL ' if has_server else ''}({text}): {findings} findings; "
          f"{longest[0]:.1f} s at most until all was read (seed {longest[1]}), {time.monotonic() - begin:.0f} s in all")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
