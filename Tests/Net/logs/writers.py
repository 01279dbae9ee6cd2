"""The writers of logs, as the harness starts, stops and ends them."""

import json
import os
import signal
import subprocess
import sys
import time

from oracle import Finding

HERE = os.path.dirname(os.path.abspath(__file__))


def state(pid):
    """The state of a process, as /proc has it: T is stopped, Z ended."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2][:1].decode()


def wait_for(what, condition, seconds=30):
    """Waits until something is so."""
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise Finding(f"after {seconds} seconds, {what} has not come about")
        time.sleep(0.002)


class Writer:
    """A process of writer.py."""

    def __init__(self, options, log, scratch):
        self.log, self.name, self.reopens = log, options["name"], options["reopens"]
        self.journal = os.path.join(scratch, f"{self.name}.journal")
        options = dict(options, journal=self.journal)
        # It says when it can take signals.
        self.process = subprocess.Popen([sys.executable, "-S", "-E", "-B", os.path.join(HERE, "writer.py"), json.dumps(options)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.is_ready = False
        self.ended_at = None

    def wait_until_ready(self):
        if not self.is_ready and self.process.stdout.readline() != b"ready\n":
            raise Finding(f"the writer {self.name} has not begun")
        self.is_ready = True

    @property
    def is_alive(self):
        return self.ended_at is None

    @property
    def has_appended(self):
        """Whether it has written lines to their end."""
        with open(self.journal, "rb") as file:
            return b'["end"' in file.read()

    def send(self, number):
        if self.is_alive:
            self.process.send_signal(number)

    def stop(self):
        """Stops the process, and waits until it does nothing more."""
        self.send(signal.SIGSTOP)
        wait_for(f"the stop of {self.name}", lambda: state(self.process.pid) in "TZ")

    def go_on(self):
        self.send(signal.SIGCONT)

    def wait(self):
        """Waits until the process has ended."""
        try:
            code = self.process.wait(30)
        except subprocess.TimeoutExpired:
            raise Finding(f"the writer {self.name} does not end") from None
        self.process.stdout.close()
        self.ended_at = time.time()
        if code not in (0, -signal.SIGKILL):
            raise Finding(f"the writer {self.name} has ended with {code}")

    def kill(self):
        if self.is_alive:
            self.process.kill()
            self.wait()

    def holds(self, status):
        """Whether the process has a file open."""
        if not self.is_alive:
            return False
        folder = f"/proc/{self.process.pid}/fd"
        try:
            for number in os.listdir(folder):
                try:
                    own = os.stat(f"{folder}/{number}")
                except FileNotFoundError:
                    continue
                if (own.st_dev, own.st_ino) == (status.st_dev, status.st_ino):
                    return True
        except FileNotFoundError:
            pass
        return False
