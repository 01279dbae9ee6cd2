"""A process that appends lines to a log, as a service does: in pieces that are cut anywhere, with pauses between them.

It opens the log anew after SIGHUP ("hup"), when another file has its name ("watch"), or for each write ("each"). Its journal
says which lines it has begun and ended, and how long the longest pause inside them was. SIGTERM ends it after the lines that
it is writing.

    python3 writer.py OPTIONS      a JSON object, see `Writer`
"""

import fcntl
import json
import os
import random
import signal
import sys
import time

from lines import line


class Writer:
    def __init__(self, options):
        self.options, self.name, self.path = options, options["name"], options["path"]
        self.random = random.Random(f"writer {options['shape']['seed']} {self.name}")
        self.number, self.descriptor = 0, None
        self.is_ending = self.has_to_open = False
        self.journal = os.open(options["journal"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        # Several writers of one log write whole lines in turn.
        self.lock = os.open(options["lock"], os.O_RDWR | os.O_CREAT, 0o644) if options["lock"] else None
        signal.signal(signal.SIGHUP, self.hang_up)
        signal.signal(signal.SIGTERM, self.terminate)

    def hang_up(self, number, frame):
        self.has_to_open = True

    def terminate(self, number, frame):
        self.is_ending = True

    def note(self, *values):
        os.write(self.journal, json.dumps(values).encode() + b"\n")

    def pause(self, longest):
        if self.random.random() < 0.7:
            time.sleep(self.random.random() * longest)

    def is_moved(self):
        """Whether the name of the log is that of another file, or of none."""
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            return True
        own = os.fstat(self.descriptor)
        return (now.st_dev, now.st_ino) != (own.st_dev, own.st_ino)

    def open(self):
        """Opens the log, if it is time to."""
        if self.descriptor is not None:
            mode = self.options["reopens"]
            if not (mode == "watch" and self.is_moved() or mode == "hup" and self.has_to_open):
                return
            os.close(self.descriptor)
        self.has_to_open = False
        self.descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(self, data, count):
        """Appends some lines in pieces."""
        if self.lock is not None:
            fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.open()
        # The harness must know of lines that are begun even if it kills this process now.
        self.note("begin", self.number, count, time.time())
        most = self.options["cuts"]
        places = {self.random.randrange(len(data) + 1) for _ in range(self.random.choice([0, 0, 1, 1, most]))}
        cuts = sorted(places - {0, len(data)})
        longest, before = 0.0, time.monotonic()
        for start, end in zip([0] + cuts, cuts + [len(data)]):
            now = time.monotonic()
            os.write(self.descriptor, data[start:end])
            longest, before = max(longest, time.monotonic() - before), now
            if end < len(data):
                self.pause(self.options["pause"])
        self.note("end", self.number, count, time.time(), longest)
        if self.lock is not None:
            fcntl.flock(self.lock, fcntl.LOCK_UN)
        if self.options["reopens"] == "each":
            os.close(self.descriptor)
            self.descriptor = None
        self.number += count

    def lines(self, count):
        return [line(self.options["shape"], self.name, self.number + index)[0] for index in range(count)]

    def play(self):
        self.open()
        print("ready", flush=True)
        while not self.is_ending:
            count = self.random.randrange(1, self.options["most"] + 1)
            self.append(b"".join(data + b"\n" for data in self.lines(count)), count)
            self.pause(self.options["pause"])
        if self.options["ends_open"]:
            self.append(self.lines(1)[0], 1)


if __name__ == "__main__":
    Writer(json.loads(sys.argv[1])).play()
