"""Runs of the tool: processes with the library of interpose.c in front of the C library, and what their exit codes may be."""

import json
import os
import signal


class Run:
    """A process, stopped or ended."""

    def __init__(self, tools, feeds, arguments, actions, is_scheduled, name):
        self.tools, self.feeds, self.arguments, self.name = tools, feeds, arguments, name
        self.actions = actions
        self.sent = {action.split(":")[1] for action in actions.split(",") if action}
        self.is_scheduled = is_scheduled
        # The runs that were alive at some time of this one's life, and the states that its inputs have had.
        self.others = set()
        self.states = {feed.name: [feed.state()] for feed in feeds}
        self.was_raced = False
        # Whether the server was killed while the run was alive.
        self.lost_server = False
        self.code = None
        self.pid = None

    @property
    def resets(self):
        return "--drop" in self.arguments or "--truncate" in self.arguments

    @property
    def is_alive(self):
        return self.code is None

    def start(self):
        environment = dict(self.tools.environment, PGAPPNAME=self.name)
        if self.actions:
            environment["HISTORIES_ACTIONS"] = self.actions
        if self.is_scheduled:
            environment["HISTORIES_SCHEDULED"] = "1"
        self.out = os.path.join(self.tools.scratch, self.name + ".out")
        self.err = os.path.join(self.tools.scratch, self.name + ".err")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        files = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, self.out, flags, 0o644),
                 (os.POSIX_SPAWN_OPEN, 2, self.err, flags, 0o644)]
        # Python ignores SIGPIPE, and a shell's background job SIGINT.
        self.pid = os.posix_spawn(self.tools.sluice, [self.tools.sluice] + self.arguments, environment, file_actions=files,
                                  setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGPIPE])

    def wait(self):
        """Waits until the process stops or ends."""
        _, status = os.waitpid(self.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            self.code = os.waitstatus_to_exitcode(status)

    def proceed(self):
        os.kill(self.pid, signal.SIGCONT)

    def send(self, name):
        self.sent.add(name)
        os.kill(self.pid, getattr(signal, "SIG" + name))

    def report(self):
        """The report in JSON; None if the run has printed none."""
        try:
            with open(self.out, encoding="utf-8") as file:
                return json.loads(file.read())
        except ValueError:
            return None

    def message(self):
        with open(self.err, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def is_refusal(self):
        return self.code == 3 and "is not the input of which" in self.message()


def why_wrong_signal(run):
    """Why a run should not have ended by a signal, as its exit code says; None if it may have."""
    if run.code in (130, 143):
        return None if {130: "INT", 143: "TERM"}[run.code] in run.sent else "no signal was sent"
    name = signal.Signals(-run.code).name[3:]
    if name == "KILL" and run.sent & {"KILL", "TEAR"}:
        return None
    # A second signal of the same kind ends the process at once.
    return None if name in run.sent and name in ("INT", "TERM") and run.second_signal else f"killed by SIG{name}"


def tells_of_losses_before(report):
    """Whether a report says that values are still missing which earlier runs have left out."""
    return bool(report) and any("by earlier runs" in note for note in report["notes"])


def why_wrong(run, oracle, options):
    """Why a run's exit code is not true; None if it may be."""
    code, report = run.code, run.report()
    if report and report["exit_code"] != code:
        return f"the report says {report['exit_code']}"
    if code < 0 or code in (130, 143):
        return why_wrong_signal(run)
    if code == 0:
        return why_not_complete(run, oracle, options, report)
    if code == 2:
        return None if may_reject(run, oracle, options) or run.was_raced or tells_of_losses_before(report) else "nothing is wrong with the inputs"
    if code == 3:
        return None if may_fail(run, oracle, options) else "no other run is in the way, and the inputs are in order"
    if code == 4:
        return None if "--max-errors" in run.arguments and may_reject(run, oracle, options) or run.was_raced else "no --max-errors was exceeded"
    if code == 5:
        return None if "freeze" in run.arguments else "--contract freeze was not given"
    return "no such exit code is expected"


def why_not_complete(run, oracle, options, report):
    for feed in run.feeds if "--limit" not in run.arguments else []:
        states = run.states[feed.name]
        if any(not state[2] or state[0] != states[0][0] for state in states):
            continue
        least = min(state[1] for state in states)
        if oracle.expectation(feed, states[0][0]).wrong_before(least):
            return f"{feed.name} has records that were rejected"
    if report and report["left_out"] and "report" in run.arguments:
        return "values were left out"
    return None


def may_reject(run, oracle, options):
    for feed in run.feeds:
        for number, shown, is_whole in run.states[feed.name]:
            expectation = oracle.expectation(feed, number)
            generation = feed.generations[number]
            if not is_whole or expectation.wrong_before(shown):
                return True
            # The text ends inside a record or a document.
            end = len(generation.text)
            if shown < end and (options.layout != "lines" or any(record.start < shown < record.end for record in generation.records)):
                return True
            # All that is there may be no record with a key.
            if shown == 0:
                return True
        # A cut-off record stays rejected until a run sees its rest; this run may have seen less than one before.
        if any(shown < oracle.most_shown.get((feed.name, number), 0) for number, shown, _ in run.states[feed.name]):
            return True
    return options.contract == "report" and bool(run.report() and run.report()["left_out"])


def may_fail(run, oracle, options):
    names = {feed.name for feed in run.feeds}
    if run.lost_server:
        return True
    for other in run.others:
        if "--wait" not in run.arguments and names & {feed.name for feed in other.feeds}:
            return True
        if "--append" not in run.arguments and options.key in (None, "reject") or run.resets or other.resets:
            return True
    for feed in run.feeds:
        for number, shown, is_whole in run.states[feed.name]:
            if not is_whole or number > oracle.reached[feed.name][0] or number < feed.number:
                return True
            if shown < oracle.most_shown.get((feed.name, number), 0):
                return True
    return False
