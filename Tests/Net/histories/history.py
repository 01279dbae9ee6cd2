"""One history: feeds, runs of the tool that read them into one database, and what happens to both meanwhile.

A seed decides everything. Runs are stopped at numbered operations (see interpose.c) and let go on one at a time, so a history is
the same each time it is played, except in races, where several runs go at once.
"""

import itertools
import json
import os
import random
import signal
import time

import crash
import oracle as oracles
from feeds import ZSTD, Feed, append, write_beside, write_in_place
from oracle import Finding, Oracle, Snapshot, file_rejections
from runs import Run, tells_of_losses_before, why_wrong


class Options:
    """What stays the same throughout a history."""

    def __init__(self, random):
        choice, chance = random.choice, random.random
        self.layout = choice(["lines", "lines", "lines", "array", "at", "documents"])
        self.packings = random.choices(["plain", "gz", "zst" if ZSTD else "gz"], weights=[6, 2, 2], k=choice([1, 1, 2, 2, 3, 4]))
        self.key = choice([None, None, None, "upsert", "ignore", "reject", "replace"])
        self.repeats = self.key is not None and chance() < 0.7
        self.rejects = choice([None, "table", "table", "file", "file"])
        self.where = 3 if chance() < 0.2 else None
        self.declares_columns = chance() < 0.4
        self.contract = choice(["evolve", "evolve", "discard-value", "discard-row", "report"])
        self.freezes = chance() < 0.15
        self.late_share = choice([0, 0.02, 0.1])
        # One damaged document would take the rest of its line with it.
        self.wrong_share = 0 if self.layout == "documents" else choice([0, 0.02, 0.1, 0.3])
        self.complete_records = 5
        self.size = int(20 * 50 ** (chance() * chance() + chance() * 0.15))
        self.has_subsets = len(self.packings) > 1 and chance() < 0.4
        self.rotates = chance() < 0.25
        # Rejections of rows that were dropped stay in their table or file, so what should be there cannot be told.
        self.resets = self.rejects is None and chance() < 0.2
        self.is_explicit = chance() < 0.3
        self.journal = choice([None, None, "wal", "delete"])
        self.batch = choice([5, 10, 20, 50])
        # Changes name rows by their key, and rows of dropped tables have no changes.
        self.changes = choice(["table", "table", "file"]) if self.key and not self.resets and chance() < 0.6 else None
        self.children = bool(self.key) and not self.declares_columns and not self.journal and chance() < 0.5
        if self.children:
            # Keys that are left out of elements are counted as those of records are, which this oracle does not know.
            self.contract, self.freezes = "evolve", False

    def arguments(self, database):
        words = ["ingest", "-o", database, "--report", "json"]
        if self.layout in ("at", "documents"):
            words += ["--at", "data.items"]
        if self.layout == "lines" and self.is_explicit:
            words += ["--format", "ndjson"]
        if self.where is not None:
            words += ["--where", f"w >= {self.where}"]
        if self.has_schema:
            words += ["--schema", "contract.json"]
        if self.rejects:
            words += ["--rejects", "bad" if self.rejects == "table" else "bad.ndjson"]
        if self.changes:
            words += ["--changes", "changed" if self.changes == "table" else "changes.ndjson"]
        if self.children:
            words += ["--children", "tables"]
        if self.declares_columns:
            for name, kind, path in oracles.COLUMNS:
                words += ["--column", f"{name}:{kind}={path}"]
        else:
            words += ["--sample-size", str(self.complete_records)]
        if self.key:
            words += ["--pk", "id"]
            if self.key != "reject":
                words += ["--" + self.key]
        return words


class History:
    def __init__(self, seed, tools):
        self.seed, self.tools = seed, tools
        self.random = random.Random(f"history {seed}")
        self.options = Options(self.random)
        # Of its own, so that the other choices of a seed stay what they were.
        self.options.has_schema = random.Random(f"schema {seed}").random() < 0.3
        if self.options.has_schema:
            with open("contract.json", "w", encoding="utf-8") as file:
                json.dump({"properties": {"w": {"maximum": oracles.GREATEST_W}}}, file)
        self.script = []
        self.versions = []
        self.counts = {"runs": 0, "kills": 0, "crashes": 0, "stops": 0, "races": 0}
        self.live = []
        ids = itertools.count(1)
        endings = {"plain": ".json", "gz": ".json.gz", "zst": ".json.zst"}
        self.feeds = [Feed(f"in{number}{endings[packing]}", packing, self.random, self.options, ids)
                      for number, packing in enumerate(self.options.packings)]
        self.oracle = Oracle(self.feeds, self.options)
        self.oracle.most_shown = {}
        self.due = {}
        self.refused = None
        # Whether a run has dropped the rows since the last check.
        self.was_reset = False
        for feed in self.feeds:
            self.put(feed, write_in_place)

    # MARK: Files

    def put(self, feed, write):
        data = feed.bytes()
        if write is append:
            size = os.path.getsize(feed.name)
            data = data[size:]
        self.versions.append(data)
        self.script.append(("put", write.__name__, feed.name, len(self.versions) - 1))
        write(feed.name, data)
        self.note_state(feed)

    def note_state(self, feed):
        key = (feed.name, feed.number)
        self.oracle.most_shown[key] = max(self.oracle.most_shown.get(key, 0), feed.shown)
        for run in self.live:
            if feed in run.feeds:
                run.states[feed.name].append(feed.state())

    def change(self, is_raced=False):
        """Changes a file as its writer might, also while runs read it."""
        chance = self.random.random
        feed = self.random.choice(self.feeds)
        is_quiet = not self.live
        if feed.is_damaged or feed.cut:
            return self.heal(feed)
        if self.options.rotates and chance() < 0.15:
            feed.begin_generation()
            return self.put(feed, write_beside)
        if feed.packing == "plain":
            if chance() < 0.12 and feed.shown:
                feed.shown = self.random.choice([0, self.random.randrange(feed.shown), feed.shown // 2])
                return self.put(feed, write_in_place if chance() < 0.7 else write_beside)
            before = feed.shown
            feed.grow(feed.some_place())
            return self.put(feed, append) if feed.shown > before else None
        kind = chance()
        if kind < 0.25 and feed.shown:
            if chance() < 0.5:
                feed.grow(feed.some_place())
            feed.pack_anew()
            return self.put(feed, write_in_place if is_quiet and chance() < 0.5 else write_beside)
        # A file without the first bytes of its first member does not look compressed.
        if kind < 0.4 and (feed.packing == "gz" or len(feed.members) > 1) and feed.members:
            feed.is_damaged = True
            feed.damages_checksum = feed.packing == "gz" and (len(feed.members) == 1 or chance() < 0.5)
            return self.put(feed, write_in_place)
        before = feed.shown
        feed.grow(feed.some_place())
        if feed.shown > before:
            if chance() < 0.3:
                feed.cut = self.random.randrange(1, 30)
            self.put(feed, append)

    def heal(self, feed):
        was_damaged, feed.is_damaged, feed.cut = feed.is_damaged, False, 0
        self.put(feed, write_in_place if was_damaged else append)

    # MARK: Runs

    def arguments(self, feeds, is_last=False, resets=False):
        options, chance = self.options, self.random.random
        words = options.arguments(self.tools.server.url if self.tools.server else "out.db") + [feed.name for feed in feeds]
        words += ["--batch", str(options.batch if chance() < 0.7 else self.random.choice([5, 10, 20, 50]))]
        words += ["--workers", self.random.choice(["1", "1", "1", "2", "3"])]
        if options.resets and resets and chance() < 0.3:
            words += [self.random.choice(["--drop", "--truncate"])]
        elif options.has_subsets or options.journal:
            words += ["--append"]
        contract = "freeze" if options.freezes and chance() < 0.3 and not is_last else options.contract
        if contract != ("discard-value" if options.declares_columns else "evolve") or chance() < 0.2:
            words += ["--contract", contract]
        if self.tools.has_wait and chance() < 0.3:
            words += ["--wait"]
        if not is_last and chance() < 0.12:
            words += ["--limit", str(self.random.randrange(1, 2 * options.size))]
        if not is_last and chance() < 0.1:
            words += ["--max-errors", str(self.random.randrange(4))]
        return words

    def some_feeds(self):
        if not self.options.has_subsets:
            return self.feeds
        count = self.random.randrange(1, len(self.feeds) + 1)
        return sorted(self.random.sample(self.feeds, count), key=lambda feed: feed.name)

    def point(self):
        return int(300 ** self.random.random())

    def make_run(self, stops=0, end=None, is_scheduled=True, feeds=None, arguments=None):
        places = sorted({self.point() for _ in range(stops)})
        actions = [f"{place}:STOP" for place in places]
        if end:
            actions.append(f"{self.point() + (places[-1] if places else 0)}:{end}")
        feeds = feeds or self.some_feeds()
        self.counts["runs"] += 1
        self.counts["stops"] += len(places)
        arguments = arguments or self.arguments(feeds, resets=bool(self.live))
        run = Run(self.tools, feeds, arguments, ",".join(actions), is_scheduled, f"run{self.counts['runs']}")
        run.second_signal = False
        for other in self.live:
            other.others.add(run)
            run.others.add(other)
        self.script.append(("run", run.name, run.actions, run.is_scheduled, run.arguments))
        self.live.append(run)
        if run.resets:
            self.oracle.may_be_reset = True
        run.start()
        return run

    def wait(self, run):
        run.wait()
        if not run.is_alive:
            self.live.remove(run)
            if self.tools.server:
                self.tools.server.settle(run.name)
            self.ended(run)
        else:
            self.script.append(("stopped", run.name))

    def proceed(self, run):
        self.script.append(("continue", run.name))
        run.proceed()
        self.wait(run)

    def ended(self, run):
        self.script.append(("ended", run.name, run.code, run.message()))
        if run.resets and run.code == 3 and not run.report():
            # A run that is refused touches nothing, and has no report. One that fails later has dropped the rows.
            self.oracle.may_be_reset = self.was_reset or any(other.resets for other in self.live)
        elif run.resets:
            self.was_reset = True
            self.due = {}
            self.oracle.promised = {name: (0, 0) for name in self.oracle.promised}
        if run.code == -signal.SIGKILL:
            self.counts["kills"] += 1
        why = why_wrong(run, self.oracle, self.options)
        if why:
            raise Finding(f"{run.name} ended with exit code {run.code}, but {why}: {run.message() or run.report()}")
        report = run.report()
        self.refused = run if run.is_refusal() and not run.others else None
        if run.code in (0, 2) and "--limit" not in run.arguments and report and report["outcome"] in ("complete", "nothing to do"):
            for feed in run.feeds:
                states = run.states[feed.name]
                if all(state[2] and state[0] == states[0][0] for state in states):
                    least = min(state[1] for state in states)
                    if states[0][0] > self.oracle.reached[feed.name][0] and not run.is_restart:
                        continue
                    count = self.oracle.expectation(feed, states[0][0]).whole_before(least)
                    if count == 0:
                        continue
                    self.due[feed.name] = max(self.due.get(feed.name, (0, 0)), (states[0][0], count))
                    if report["outcome"] == "complete":
                        self.oracle.promise(feed, states[0][0], count)

    def single(self, end=None, **more):
        run = self.make_run(end=end, **more)
        run.is_restart = False
        self.wait(run)
        while run.is_alive:
            self.proceed(run)
        return run

    def restart(self):
        """Does what a person does who is told that an input is another one: reads it from its start."""
        pending = [feed for feed in self.feeds if feed.number > self.oracle.reached[feed.name][0]]
        if not pending or self.refused is None:
            return False
        self.refused = None
        feed = self.random.choice(pending)
        words = [word for word in self.arguments([feed]) if word not in ("--append",)] + ["--append", "--restart"]
        end = self.random.choice([None, None, "KILL", "TERM"])
        self.oracle.restarted.add(feed.name)
        run = self.make_run(end=end, feeds=[feed], arguments=words)
        run.is_restart = True
        self.wait(run)
        while run.is_alive:
            self.proceed(run)
        self.check()
        return True

    # MARK: Steps

    def snapshot(self, adds_children=True):
        """What the database holds; None if that cannot be seen as long as a run goes on."""
        server = self.tools.server
        snapshot = server.snapshot() if server else Snapshot(".", self.tools.scratch, self.options)
        if snapshot is None and not self.live:
            raise Finding("a table is locked, and no run is alive")
        if snapshot and adds_children:
            snapshot.add_children()
        return snapshot

    def restart_server(self):
        """Kills the server, but not the runs."""
        self.counts["crashes"] += 1
        self.script.append(("server killed",))
        for run in self.live:
            run.lost_server = True
        self.tools.server.restart()

    def check(self, is_after_crash=False):
        snapshot = self.snapshot()
        if snapshot is None:
            return
        self.script.append(("check", {name: value[:2] for name, value in snapshot.checkpoints.items()}, len(snapshot.rows)))
        if self.oracle.check(snapshot, is_after_crash) or is_after_crash:
            self.due = {}
        if self.options.changes == "table":
            oracles.check_changes(snapshot, snapshot.changes)
        if self.live:
            return
        self.was_reset = False
        for name, (number, count) in self.due.items():
            if self.oracle.reached[name] < (number, count):
                raise Finding(f"{name}: a run ended well, and {self.oracle.reached[name]} of at least {(number, count)} records are there")
        self.due = {}

    def crash(self):
        """Kills all runs at once, and undoes a part of what was not synced."""
        self.counts["crashes"] += 1
        for run in self.live:
            run.send("STOP")
        for run in self.live:
            run.send("KILL")
        for run in list(self.live):
            while run.is_alive:
                run.wait()
            self.script.append(("ended", run.name, run.code, run.message()))
        self.live = []
        self.refused = None
        chance = self.random.randrange(10**6)
        if self.tools.server:
            self.tools.server.restart()
            self.script.append(("server killed",))
        elif os.path.exists(self.tools.log):
            changed = crash.crash(".", self.tools.log, random.Random(chance))
            self.script.append(("crash", chance, changed))
        self.check(is_after_crash=True)

    def overlap(self, most):
        """Up to `most` runs at a time, one of which goes on at a time."""
        started = 0
        may_crash = self.random.random() < 0.35
        for _ in range(60):
            if not self.live and started:
                break
            chance = self.random.random()
            if not self.live or started < most and chance < 0.3:
                started += 1
                run = self.make_run(stops=self.random.choice([1, 2, 3, 5]), end=self.random.choice([None, None, None, "KILL", "TERM", "INT", "TEAR"]))
                run.is_restart = False
                self.wait(run)
            elif chance < 0.42:
                self.change()
            elif chance < 0.47:
                self.check()
            elif chance < 0.50:
                run = self.random.choice(self.live)
                name = self.random.choice(["KILL", "TERM", "INT"])
                self.script.append(("signal", name, run.name))
                run.second_signal = run.second_signal or name in run.sent
                run.send(name)
                if name == "KILL":
                    self.wait(run)
            elif chance < 0.54 and may_crash:
                if not self.tools.server or self.random.random() < 0.5:
                    return self.crash()
                self.restart_server()
            else:
                self.proceed(self.random.choice(self.live))
        for _ in range(2000):
            if not self.live:
                break
            self.proceed(self.random.choice(self.live))
        else:
            raise Finding(f"{', '.join(run.name for run in self.live)} wait for each other, or for nothing")
        self.check()

    def race(self, most):
        """Several runs that go at once: the only step that is not the same each time."""
        self.counts["races"] += 1
        ends = self.random.random() < 0.3
        for _ in range(most):
            run = self.make_run(end=self.random.choice([None, None, "KILL", "TERM"]), is_scheduled=False)
            run.is_restart = False
            run.was_raced = True
        for _ in range(self.random.randrange(4)):
            time.sleep(self.random.random() * 0.01)
            self.change(is_raced=True)
        if ends:
            time.sleep(self.random.random() * 0.03)
            return self.crash()
        for run in list(self.live):
            self.wait(run)
        self.check()

    def play(self):
        """Plays the history, and checks its end."""
        if self.options.journal:
            self.prepare_database()
        wanted = self.random.randrange(2, 9)
        while self.counts["runs"] < wanted:
            left = wanted - self.counts["runs"]
            chance = self.random.random()
            if chance < 0.3:
                self.change()
            elif self.refused and self.random.random() < 0.7 and self.restart():
                pass
            elif chance < 0.55:
                self.single(end=self.random.choice([None, "KILL", "KILL", "TEAR", "INT", "TERM"]))
                if self.random.random() < 0.12:
                    self.crash()
                else:
                    self.check()
            elif chance < 0.92:
                self.overlap(min(left, self.random.choice([1, 2, 2, 3])))
            else:
                self.race(min(left, self.random.choice([2, 3])))
        self.finish()

    def finish(self):
        """Lets the inputs become whole, reads them to their end, and checks that nothing is missing or twice."""
        for feed in self.feeds:
            if feed.is_damaged or feed.cut:
                self.heal(feed)
            before = feed.shown
            feed.grow(len(feed.generation.text))
            if feed.shown > before:
                self.put(feed, append)
        for _ in range(3 + 4 * len(self.feeds)):
            run = self.single(arguments=self.arguments(self.feeds, is_last=True), feeds=self.feeds)
            self.check()
            if run.is_refusal() and self.restart():
                continue
            break
        if run.code == 3:
            raise Finding(f"{run.name} ended with exit code 3: {run.message()}")
        self.check_end(run)
        if self.random.random() < 0.25:
            self.check_end(self.single(arguments=self.arguments(self.feeds, is_last=True), feeds=self.feeds))

    def check_end(self, run):
        snapshot = self.snapshot()
        rejections, torn = file_rejections("bad.ndjson")
        self.oracle.check_end(snapshot, rejections)
        if self.options.changes:
            file_changes = oracles.file_changes("changes.ndjson")
            oracles.check_changes(snapshot, snapshot.changes if self.options.changes == "table" else file_changes)
        expected = 2 if any(self.oracle.expectation(feed, feed.number).rejections(len(feed.generation.records)) for feed in self.feeds) else 0
        report = run.report()
        left_out = report and self.options.contract == "report" and (report["left_out"] or tells_of_losses_before(report))
        if run.code != (2 if left_out else expected):
            raise Finding(f"{run.name} ended with exit code {run.code}, and should with {expected}")
        if not self.tools.server and snapshot.journal != (self.options.journal or "delete"):
            raise Finding(f"the journal mode is {snapshot.journal} in the end")

    def prepare_database(self):
        """The table is there before the first run."""
        if self.tools.server:
            return self.tools.server.prepare(self.options.key)
        import sqlite3
        connection = sqlite3.connect("out.db", isolation_level=None)
        connection.execute(f"PRAGMA journal_mode = {self.options.journal}")
        names = ", ".join(f"{name} {'TEXT' if kind == 'json' else kind.upper()}" for name, kind, _ in oracles.COLUMNS)
        connection.execute(f"CREATE TABLE records ({names}{', PRIMARY KEY (id)' if self.options.key else ''})")
        connection.execute("CREATE INDEX words ON records (s)")
        connection.close()

    def end(self):
        """Ends what is still running, after a finding."""
        for run in list(self.live):
            if run.is_alive and run.pid:
                os.kill(run.pid, signal.SIGKILL)
                while run.is_alive:
                    run.wait()
