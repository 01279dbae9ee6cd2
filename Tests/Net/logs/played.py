"""One history: writers that append to logs, rotations of these, and runs of the tool that read them into one table.

A seed decides what is done, in which order and with which pauses. The processes themselves go at their own speed, so a
history is not quite the same each time it is played.
"""

import json
import os
import random
import signal
import time

import crash
from ending import Ending
from followers import Run
from oracle import Finding
from rotation import Log
from truth import SETTLE, Truth
from writers import Writer, wait_for

# The ending of hard links by which runs may know a log.
LINKED = ".900"


class Options:
    """What stays the same throughout a history."""

    def __init__(self, random, has_server):
        chance, choice = random.random, random.choice
        self.inputs = choice(["folder", "folder", "files", "pattern"])
        names = ["app.ndjson", "orders.jsonl", "web.ndjson"] if self.inputs == "folder" else ["app.log", "app.ndjson", "web.json"]
        self.names = random.sample(names, choice([1, 1, 2, 3]))
        self.has_archive = chance() < 0.3
        self.begins_late = chance() < 0.15
        self.is_prepared = chance() < 0.2
        # Whether rotation removes lines that nobody has read.
        self.loses = chance() < 0.3
        self.followers = choice([1, 1, 1, 2, 2])
        self.rejects = "bad" if chance() < 0.5 else None
        self.poll = choice([None, None, 0.05, 0.3])
        # Whether a library counts the operations of runs, stops and kills them at some, and knows what a loss of power undoes.
        self.is_counted = chance() < 0.5
        self.stops_at_operations = self.is_counted and chance() < 0.7
        self.has_power_losses = chance() < (0.6 if has_server else 0.5) and (has_server or self.is_counted)
        self.seconds = choice([1, 1.5, 2, 3])
        # Where all lines begin alike, a file may not hold a mere beginning of one for long: it would be that of any other.
        head = choice([0, 0, 0, 0, 40, 900])
        self.cuts_lines = head == 0
        self.loses = self.loses and self.cuts_lines
        self.shape = {"seed": random.randrange(10**9), "head": head, "bad": choice([0, 0.01, 0.05]),
                      "large": choice([0, 0, 0.002, 0.01]) if self.cuts_lines else 0}
        # Few lines at once with short pauses between them, or many with long ones; and where there are few, batches may be small.
        self.most, self.pause = choice([(1, 0.002), (1, 0.02), (3, 0.02), (3, 0.05), (30, 0.05)])
        self.batches = choice([[None], [None], [1, 5] if self.most == 1 else [10, 50], [50, 1000]])
        self.cuts = choice([2, 5, 20])


class Play:
    def __init__(self, seed, tools):
        self.seed, self.tools = seed, tools
        self.random = random.Random(f"logs {seed}")
        self.options = Options(self.random, bool(tools.server))
        self.counts = dict.fromkeys(["lines", "lost", "slow", "rotations", "runs", "kills", "crashes", "looks"], 0)
        self.longest_wait = 0.0
        self.steps, self.start = [], time.monotonic()
        self.truth, self.table = Truth(), tools.table(self)
        self.logs = [Log(self, name, self.options) for name in self.options.names]
        self.writers, self.all_writers, self.writers_made = [], [], 0
        # For each way to name the inputs, the run that reads them so; and all runs.
        self.slots, self.runs = [None] * self.options.followers, []
        self.names = [self.inputs(True)] + [self.inputs(False) for _ in self.slots[1:]]
        # What is under way, each with its log and the time before which nothing more happens to it; and what comes later.
        self.jobs, self.due = [], []

    def note(self, words):
        self.steps.append(f"{time.monotonic() - self.start:8.3f}  {words}")

    def later(self, seconds, action):
        self.due.append((time.monotonic() + seconds, action))

    # MARK: Writers

    def writers_of(self, log):
        return [writer for writer in self.writers if writer.log == log.name]

    def start_writers(self):
        for log in self.logs:
            for _ in range(log.writers_at_once):
                self.start_writer(log)
        for writer in self.writers:
            writer.wait_until_ready()

    def start_writer(self, log):
        self.writers_made += 1
        chance = self.random
        lock = os.path.join(self.tools.scratch, f"{log.name}.lock") if log.writers_at_once > 1 else None
        options = {"name": f"w{self.writers_made}", "path": os.path.abspath(log.path), "lock": lock, "reopens": log.reopens,
                   "shape": self.options.shape, "pause": self.options.pause, "most": chance.choice([1, self.options.most]),
                   "cuts": self.options.cuts, "ends_open": chance.random() < 0.3 and self.options.cuts_lines}
        writer = Writer(options, log.name, self.tools.scratch)
        self.writers.append(writer)
        self.all_writers.append(writer)
        self.note(f"{log.name}: the writer {writer.name} begins ({log.reopens})")
        return writer

    def kill_writer(self):
        """A service dies in the middle of a line, and another one goes on."""
        log = self.random.choice(self.logs)
        writers = self.writers_of(log)
        if log.is_busy or not writers or not self.options.cuts_lines:
            return
        writer = self.random.choice(writers)
        writer.kill()
        self.writers.remove(writer)
        self.note(f"{log.name}: the writer {writer.name} is killed")
        self.start_writer(log).wait_until_ready()

    # MARK: Runs

    def inputs(self, is_main):
        """The inputs of a run by some of their names; those of the main one are all logs."""
        if self.options.inputs == "folder":
            others = [["alias"], [os.path.abspath("logs")], self.some_files(), ["./logs/"]]
            return ["logs"] if is_main else self.random.choice(others)
        if self.options.inputs == "pattern" and is_main:
            return sorted({f"logs/{os.path.splitext(name)[0]}*" for name in self.options.names})
        return [f"logs/{name}" for name in self.options.names] if is_main else self.some_files()

    def some_files(self):
        """Some logs by their files' names in a folder that has several names, or by hard links that are made later."""
        count = self.random.randrange(1, len(self.options.names) + 1)
        return [self.random.choice(["logs/", "alias/", os.path.abspath("logs") + "/"]) + name
                + self.random.choice(["", "", LINKED]) for name in self.random.sample(self.options.names, count)]

    def arguments(self, inputs, follows):
        words = ["ingest", "--follow" if follows else "--rotated"] + inputs + ["-o", self.table.url]
        words += ["--table", "lines", "--append", "--settle", f"{SETTLE}s", "--report", "json"]
        if follows:
            words += ["--every", "0.05s"] + (["--poll", f"{self.options.poll}s"] if self.options.poll else [])
        if self.options.has_archive:
            words += ["--rotated-to", "archive"]
        if self.options.rejects:
            words += ["--rejects", self.options.rejects]
        batch = self.random.choice(self.options.batches)
        return words + (["--batch", str(batch)] if batch else [])

    def start_run(self, inputs, follows, may_end=True):
        environment, actions = dict(self.tools.environment), []
        if self.options.is_counted:
            environment.update(self.tools.counting)
        if self.options.stops_at_operations and may_end:
            actions = [f"{int(2000 ** self.random.random())}:{self.random.choice(['STOP'] * 4 + ['KILL', 'TEAR'])}"
                       for _ in range(self.random.randrange(1, 5))]
            environment["HISTORIES_ACTIONS"] = ",".join(actions)
        self.counts["runs"] += 1
        name = f"run{self.counts['runs']}"
        arguments = self.arguments(inputs, follows)
        run = Run(self.tools, name, arguments, environment, follows, any("STOP" not in action for action in actions))
        for other in self.live():
            other.had_others = run.had_others = True
        self.runs.append(run)
        self.note(f"{name} begins: sluice {' '.join(arguments)}" + (f" ({', '.join(actions)})" if actions else ""))
        return run

    def live(self):
        return [run for run in self.runs if run.is_alive]

    def started(self, slot, may_end=True):
        """Starts the run of a slot. The one before may not have ended yet."""
        self.slots[slot] = self.start_run(self.names[slot], True, may_end)

    def check_runs(self):
        """Takes notice of runs that have stopped or ended, and lets those go on that have been stopped long enough."""
        now = time.monotonic()
        for run in self.live():
            if run.poll() and not run.is_alive:
                self.ended(run)
            elif run.is_stopped and run.wakes is None:
                self.note(f"{run.name} has stopped itself")
                run.wakes = now + self.random.choice([0, 0.02, 0.2, 0.6])
            elif run.is_stopped and now >= run.wakes:
                self.let_go(run)

    def let_go(self, run):
        run.send("CONT")
        run.wakes = None
        self.note(f"{run.name} goes on")

    def ended(self, run):
        self.note(f"{run.name} has ended with {run.code}" + (f": {run.message()[:300]}" if run.message() else ""))
        if run.code == -signal.SIGKILL:
            self.counts["kills"] += 1
        if run.code not in (0, 2):
            self.truth.excuse()
        why = run.why_wrong()
        if why:
            raise Finding(f"{run.name} has ended with exit code {run.code}, and should not: {why}: {run.message()}")

    # MARK: What happens

    def step_job(self):
        """Goes on with something that is under way."""
        ready = [job for job in self.jobs if job[2] <= time.monotonic()]
        if ready:
            self.go_on(self.random.choice(ready))

    def go_on(self, job):
        try:
            pause = next(job[1])
        except StopIteration:
            self.jobs.remove(job)
            job[0].is_busy = any(other[0] is job[0] for other in self.jobs)
            return
        job[2] = time.monotonic() + pause

    def begin(self, word, log=None):
        """Begins something with a log to whose files nothing else is being done."""
        log = log or self.random.choice(self.logs)
        if log.is_busy:
            return None
        log.is_busy = True
        job = [log, getattr(log, word)(), 0.0]
        self.jobs.append(job)
        if word == "rotate":
            self.counts["rotations"] += 1
        self.go_on(job)
        return job if job in self.jobs else None

    def step_stop(self):
        running = [run for run in self.live() if not run.is_stopped and not run.is_ending]
        if running:
            self.stop(self.random.choice(running), self.random.choice([0.05, 0.2, 0.6]))

    def stop(self, run, seconds):
        run.send("STOP")
        run.wakes = time.monotonic() + seconds
        self.note(f"{run.name} is stopped")

    def step_stall(self):
        """Stops runs, rotates a log, and lets the runs go on: perhaps between their look at the files and their reading."""
        for run in self.live():
            if not run.is_stopped and not run.is_ending:
                self.stop(run, 0.05)
        job = self.begin("rotate")
        while job in self.jobs:
            time.sleep(max(0, job[2] - time.monotonic()))
            self.go_on(job)

    def step_end(self):
        """Ends a run by a signal, or kills it, and mostly begins it again at once."""
        slot = self.random.randrange(len(self.slots))
        run = self.slots[slot]
        if not run or run.is_ending or not run.is_alive:
            return
        word = self.random.choice(["TERM", "TERM", "INT", "KILL", "KILL", "KILL"])
        self.note(f"{run.name} gets SIG{word}")
        run.send(word)
        if self.random.random() < 0.7:
            self.started(slot)

    def step_start(self):
        for slot, run in enumerate(self.slots):
            if (not run or run.is_ending or not run.is_alive) and self.random.random() < 0.5:
                self.started(slot)

    def step_once(self):
        """A run that reads all that is there, and ends."""
        if sum(not run.follows for run in self.live()) < 2:
            self.start_run(self.names[0], False)

    def step_crash(self):
        if not self.options.has_power_losses or self.random.random() < 0.5:
            return
        self.counts["crashes"] += 1
        if self.tools.server:
            self.kill_server()
        else:
            self.lose_power()

    def kill_server(self):
        """Kills the server, and sometimes all runs with it."""
        with_runs = self.random.random() < 0.4
        self.note("the server is killed" + (", and all runs" if with_runs else ""))
        for run in self.live():
            run.lost_server = True
            if with_runs:
                run.send("KILL")
        self.tools.server.restart()
        self.note("the server is there again")

    def lose_power(self):
        """Kills all runs at once, and undoes a part of what was not synced."""
        self.table.close()
        for run in self.live():
            run.send("KILL")
        killed = self.live()
        wait_for("the end of killed runs", lambda: not [run.poll() for run in killed] or not self.live())
        for run in killed:
            self.ended(run)
        changed = []
        if os.path.exists(self.tools.log):
            changed = crash.crash("db", self.tools.log, random.Random(self.random.randrange(10**6)))
        self.truth.seen = None
        self.truth.excuse()
        self.note(f"the power is lost; other bytes than before: {', '.join(changed) or 'none'}")
        self.look()

    def step_look(self):
        self.look()

    def look(self, word="look"):
        """Looks at the table, and checks what is always so. Returns what it has; None if it is locked."""
        found = self.table.look(word)
        if found:
            self.counts["looks"] += 1
            self.truth.look(found)
        return found

    def known_of(self, path):
        """How much of a file had been read, and how large it was, by its checkpoint; None if nothing tells."""
        found = self.table.look("checkpoints")
        status = os.stat(path)
        for _, text in (found or {}).get("checkpoints", []):
            # A run that has only claimed a file has stored nothing of it.
            content = (json.loads(text or "{}") if isinstance(text, (str, type(None))) else text).get("content")
            if content and not content.get("is_compressed") and int(content["inode"], 16) == status.st_ino:
                return content["length"], content["size"]
        return None

    # What may happen, and how often.
    STEPS = {"job": 8, "rotate": 3, "compress": 2, "drop": 1.5, "back_up": 0.7, "restore": 0.7, "link": 0.4, "look": 2, "stop": 1,
             "stall": 0.8, "end": 1.2, "start": 2, "once": 0.4, "crash": 0.5, "writer": 0.3}

    def step(self):
        name = self.random.choices(list(self.STEPS), self.STEPS.values())[0]
        if name == "writer":
            self.kill_writer()
        elif hasattr(self, f"step_{name}"):
            getattr(self, f"step_{name}")()
        else:
            self.begin(name)

    def tick(self):
        """What is due by the clock."""
        self.check_runs()
        now = time.monotonic()
        ripe = [action for at, action in self.due if at <= now]
        self.due = [entry for entry in self.due if entry[0] > now]
        for action in ripe:
            action()

    def play(self):
        """Plays the history, and checks its end."""
        self.prepare()
        until = time.monotonic() + self.options.seconds
        while time.monotonic() < until:
            self.tick()
            self.step()
            time.sleep(self.random.random() * 0.03)
        Ending(self).come()

    def prepare(self):
        for folder in ["db"] + (["archive"] if self.options.has_archive and not self.options.begins_late else []):
            os.mkdir(folder)
        os.symlink("logs", "alias")
        self.note(f"{vars(self.options)}")
        for log in self.logs:
            self.note(f"{log.name}: {log.scheme} in {log.folder}, {'/'.join(log.methods)}, keeps {log.keeps}, {log.reopens}")
        if self.options.is_prepared:
            self.table.prepare()
        if self.options.begins_late:
            # The run is there before the folder.
            self.started(0)
            time.sleep(self.random.random() * 0.2)
        os.mkdir("logs")
        if self.options.has_archive:
            os.makedirs("archive", exist_ok=True)
        self.start_writers()
        for log in self.logs:
            if any(name.endswith(log.name + LINKED) for names in self.names for name in names):
                log.link_to(log.path, f"logs/{log.name}{LINKED}")

    def end(self):
        """Ends what is still running, after a finding too."""
        self.table.close()
        for writer in self.all_writers:
            if writer.is_alive:
                writer.process.kill()
                writer.process.wait()
        for run in self.runs:
            if run.is_alive:
                os.kill(run.pid, signal.SIGKILL)
                while run.is_alive:
                    run.poll()
                    time.sleep(0.001)
        for descriptor, _ in self.truth.kept:
            os.close(descriptor)
