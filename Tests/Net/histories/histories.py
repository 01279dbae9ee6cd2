#!/usr/bin/env python3
"""Plays histories of `sluice ingest`, and checks after each that every record is there once. See README.md.

    histories.py SLUICE LIBRARY N SEED              with SQLite
    histories.py SLUICE LIBRARY N SEED postgres     with the server of Scripts/with-postgres
"""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from history import History
from oracle import Finding
from postgres import Server
from snapshots import SnapshotHistory
import script

LIMIT = 120


class Tools:
    """Where the programs are, and the folders of a history: the inputs and the database in one, all else in the other."""

    def __init__(self, sluice, library, folder, server=None):
        self.server = server
        self.sluice, self.library = os.path.abspath(sluice), os.path.abspath(library)
        self.folder = os.path.join(folder, "play")
        self.scratch = os.path.join(folder, "scratch")
        self.log = os.path.join(self.scratch, "log")
        self.environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": self.library, "HISTORIES_FOLDER": self.folder, "HISTORIES_LOG": self.log, "NO_COLOR": "1"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        text = subprocess.run([self.sluice, "ingest", "--help"], capture_output=True, text=True, check=True).stdout
        self.has_wait = "--wait" in text

    def clear(self):
        for folder in [self.folder, self.scratch]:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        os.chdir(self.folder)
        if self.server:
            self.server.clear()


def overdue(number, frame):
    raise Finding(f"the history takes more than {LIMIT} seconds")


def processor_time():
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, [resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN]))


def main():
    sluice, library, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    has_server = sys.argv[5:] == ["postgres"]
    kept = os.path.abspath(".build/histories" + ("/postgres" if has_server else ""))
    again = " postgres" if has_server else ""
    place = "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="sluice-histories-", dir=place)
    tools = Tools(sluice, library, folder, Server() if has_server else None)
    signal.signal(signal.SIGALRM, overdue)
    totals, findings, longest = {}, [], 0.0
    begin = time.monotonic()
    try:
        for number in range(seed, seed + count):
            before = processor_time()
            tools.clear()
            # Every fifth history, more or less, is one of complete snapshots.
            is_of_snapshots = random.Random(f"kind {number}").random() < 0.2
            history = (SnapshotHistory if is_of_snapshots else History)(number, tools)
            signal.alarm(LIMIT)
            try:
                history.play()
            except Finding as finding:
                findings.append((number, str(finding)))
            except (KeyboardInterrupt, SystemExit):
                raise
            except Exception:
                findings.append((number, "the harness failed:\n" + traceback.format_exc()))
            finally:
                signal.alarm(0)
                history.end()
            if findings and findings[-1][0] == number:
                path = script.keep(history, tools, os.path.join(kept, str(number)))
                print(f"seed {number}: {findings[-1][1]}\n  to play it again: Scripts/net histories 1 {number}{again}\n  its commands: {path}", flush=True)
                if os.environ.get("HISTORIES_SHOW"):
                    print(script.text(history), flush=True)
            longest = max(longest, processor_time() - before)
            for name, value in history.counts.items():
                totals[name] = totals.get(name, 0) + value
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    used = processor_time()
    words = ", ".join(f"{value} {name}" for name, value in totals.items())
    print(f"{count} histories {'with PostgreSQL ' if has_server else ''}({words}): {len(findings)} findings; {used / count:.2f} s of processor time each, {longest:.2f} s at most, "
          f"{time.monotonic() - begin:.0f} s in all")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
