"""Runs of the tool that read logs: those that follow them, and those that read them once."""

import json
import os
import signal
import subprocess
import time

# What a run says that could not go on because of another one, or of a server that was down.
OTHERS = ["another run", "locked"]
ABSENT = ["has no file that ends in", "No such file", "no file matches"]


def catches(pid, number):
    """Whether a process has a handler for a signal by now."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return False


class Run:
    """A process of `sluice ingest`."""

    def __init__(self, tools, name, arguments, environment, follows, kills_itself=False):
        self.name, self.arguments, self.follows = name, arguments, follows
        self.out, self.err = (os.path.join(tools.scratch, f"{name}.{end}") for end in ("out", "err"))
        self.sent, self.code, self.is_stopped = set(), None, False
        # The signals that came before the process could take them.
        self.early = set()
        # Whether it may end by itself with an error: the server was killed, or another run was in its way.
        self.lost_server = self.had_others = False
        self.kills_itself = kills_itself
        # When it goes on, if it is stopped.
        self.wakes = None
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen([tools.sluice] + arguments, env=dict(environment, PGAPPNAME=name),
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        self.pid = self.process.pid
        self.began = time.monotonic()

    @property
    def is_alive(self):
        return self.code is None

    @property
    def is_ending(self):
        return bool(self.sent & {"TERM", "INT", "KILL"})

    def send(self, word):
        """Sends a signal. The process may have ended, but nobody has waited for it, so its number is its own."""
        if not self.is_alive:
            return
        number = getattr(signal, "SIG" + word)
        if word in ("TERM", "INT") and not catches(self.pid, number):
            self.early.add(word)
        self.sent.add(word)
        os.kill(self.pid, number)
        if word == "STOP":
            self.is_stopped = True
        elif word == "CONT":
            self.is_stopped = False

    def poll(self):
        """Takes notice if the process has stopped itself, or has ended. Returns whether it has done so."""
        if not self.is_alive:
            return False
        pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
        if pid == 0:
            return False
        if os.WIFSTOPPED(status):
            self.is_stopped = True
        else:
            self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
            self.is_stopped = False
        return True

    def words(self):
        """All that the run has printed."""
        text = ""
        for path in [self.out, self.err]:
            with open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()
        return text

    def message(self):
        with open(self.err, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def report(self):
        """The last report in JSON; None if there is none."""
        try:
            with open(self.out, encoding="utf-8") as file:
                return json.loads(file.read().rstrip("\n").rpartition("\n")[2])
        except ValueError:
            return None

    def why_wrong(self):
        """Why the exit code is not true; None if it may be."""
        code = self.code
        if code < 0:
            return self.why_wrong_signal(-code)
        if code in (0, 2):
            if self.follows and not self.sent & {"TERM", "INT"}:
                return "it ended by itself"
            return self.why_wrong_report()
        if not self.follows and code in (128 + signal.SIGTERM, 128 + signal.SIGINT) and self.sent & {"TERM", "INT"}:
            return None
        if code == 3 and self.may_fail():
            return None
        return "no such exit code is expected"

    def why_wrong_signal(self, number):
        name = signal.Signals(number).name[3:]
        if name == "KILL" and (self.kills_itself or "KILL" in self.sent) or name in self.early:
            return None
        return f"it was ended by SIG{name}"

    def why_wrong_report(self):
        report = self.report()
        if not report:
            return None
        if report["exit_code"] != self.code:
            return f"its report says {report['exit_code']}"
        is_whole = not any(report[name] for name in ["rejected", "rejected_before", "not_read", "left_out", "lost_digits"])
        if is_whole != (self.code == 0):
            return f"its report has {'nothing' if is_whole else 'something'} that is not in the table"
        return None

    def may_fail(self):
        """Whether a run may have failed."""
        message = self.message()
        if self.follows:
            # Once it has begun, nothing that passes may end it; but a signal ends it also while it cannot store anything.
            is_paused = "trying again" in message and bool(self.sent & {"TERM", "INT"})
            return is_paused or self.lost_server and self.report() is None
        return (self.lost_server or self.had_others and any(word in message for word in OTHERS)
                or any(word in message for word in ABSENT))
