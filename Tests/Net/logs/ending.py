"""The end of a history: everything comes to rest, and the table is compared with the files."""

import os
import signal
import time

from oracle import Finding
from rotation import ending_of
from truth import SETTLE, Content, Journals, text_of
from writers import state, wait_for

# How long runs may take to read what is there, and to end. A machine may be busy.
PATIENCE = 30


class Ending:
    def __init__(self, play):
        self.play, self.truth, self.options, self.table = play, play.truth, play.options, play.table

    def come(self):
        """Lets all come to its end, and checks that nothing is missing or twice."""
        self.end_jobs()
        self.end_writers()
        if self.play.random.random() < 0.4:
            self.begin_new_files()
        for log in self.play.logs:
            if not os.path.exists(log.path):
                # A folder tells of a log by a file in it.
                os.close(os.open(log.path, os.O_WRONLY | os.O_CREAT, 0o644))
        self.truth.release()
        self.contents = self.files()
        self.journals = Journals(self.options.shape, self.play.all_writers)
        self.catch_up()
        self.end_runs()
        self.last_runs()
        self.check()

    def end_jobs(self):
        """Lets rotations, and what comes later, come to their end."""
        while self.play.jobs or self.play.due:
            self.play.tick()
            for job in list(self.play.jobs):
                if job[2] <= time.monotonic():
                    self.play.go_on(job)
            time.sleep(0.002)

    def end_writers(self):
        for writer in self.play.writers:
            writer.send(signal.SIGTERM)
        for writer in self.play.writers:
            writer.wait()
        self.play.writers.clear()
        self.play.note("all writers have ended")

    def begin_new_files(self):
        """Rotates all logs once more, and appends to them: then the last lines of the old files are complete in any case."""
        for log in self.play.logs:
            self.play.begin("rotate", log)
        self.end_jobs()
        for log in self.play.logs:
            writer = self.play.start_writer(log)
            writer.wait_until_ready()
            wait_for(f"a line of {writer.name}", lambda: writer.has_appended)
        self.end_writers()

    def files(self):
        """The files of the logs, by their paths."""
        found = {}
        for folder in ["logs"] + (["archive"] if self.options.has_archive else []):
            for name in sorted(os.listdir(folder)):
                found[f"{folder}/{name}"] = Content(text_of(f"{folder}/{name}"))
        return found

    # MARK: The lines that must be there

    def is_slow(self, name):
        return self.truth.is_slow(self.journals, name)

    def wanted(self):
        """The complete lines that must be in the table."""
        good = set().union(*(content.good for content in self.contents.values()))
        return {name for name in good if not self.is_slow(name)}

    def tails(self):
        """The last lines without a line break that must be in the table, too: those of files that are compressed, and of files
        beside which the log has a newer one with bytes."""
        found = set()
        for log in self.play.logs:
            own = {path: content for path, content in self.contents.items() if log.has(path)}
            plain = [path for path, content in own.items() if content.size and not ending_of(path)]
            newest = max((os.stat(path).st_mtime_ns for path in plain), default=0)
            for path, content in own.items():
                is_older = ending_of(path) or os.stat(path).st_mtime_ns < newest
                if content.tail and is_older and not self.is_slow(content.tail):
                    found.add(content.tail)
        return found

    def places(self, missing):
        """Where some of the missing lines are."""
        words = []
        for name in sorted(missing)[:5]:
            places = [f"{path} (up to byte {content.good.get(name, content.size)} of {content.size})"
                      for path, content in self.contents.items() if name in content.ids]
            words.append(f"{name} in {' and '.join(places)}")
        return "; ".join(words)

    # MARK: The last runs

    def catch_up(self):
        """Waits until followers have read all lines that are complete."""
        wanted = self.wanted()
        missing = wanted
        begin = time.monotonic()
        while missing:
            if time.monotonic() > begin + PATIENCE:
                raise Finding(f"{len(missing)} lines are in the files and not in the table after {PATIENCE} seconds: "
                              + self.places(missing))
            self.play.tick()
            self.wake_all()
            main = self.play.slots[0]
            if not main or not main.is_alive or main.is_ending:
                self.play.started(0, may_end=False)
            if self.play.look():
                missing = wanted - self.truth.seen
            time.sleep(0.02)
        self.play.longest_wait = time.monotonic() - begin
        self.play.note(f"the table has all {len(wanted)} lines of the files, {len(self.truth.seen or [])} in all")

    def wake_all(self):
        for run in self.play.live():
            if run.is_stopped:
                self.play.let_go(run)

    def end_runs(self):
        """Ends all runs by SIGTERM."""
        for run in self.play.live():
            if not run.is_ending:
                run.send("TERM")
                self.play.note(f"{run.name} gets SIGTERM")
        limit = time.monotonic() + PATIENCE
        while self.play.live():
            if time.monotonic() > limit:
                names = ", ".join(f"{run.name} ({state(run.pid)})" for run in self.play.live())
                raise Finding(f"{names} do not end within {PATIENCE} seconds after SIGTERM")
            self.wake_all()
            self.play.check_runs()
            time.sleep(0.005)

    def last_runs(self):
        """Two runs without --follow, after the time in which a file may still change: the first takes last lines without a line
        break, and the second has nothing to do."""
        newest = max(os.stat(path).st_mtime for path in self.contents)
        time.sleep(max(0, newest + SETTLE + 0.1 - time.time()))
        for _ in range(2):
            run = self.play.start_run(self.play.names[0], False, may_end=False)
            wait_for(f"the end of {run.name}", lambda: run.poll() and not run.is_alive, 2 * PATIENCE)
            self.play.ended(run)
            report = run.report()
            if not report or run.code not in (0, 2):
                raise Finding(f"{run.name}, alone with files that stay as they are, has ended with {run.code}: {run.message()}")
        if report["outcome"] != "nothing to do" or report["added"]:
            raise Finding(f"{run.name} should have nothing to do: {report['outcome']}, {report['added']} rows added")

    # MARK: The table

    def check(self):
        found = None
        while not found:
            # Nobody else is there who could have locked it for long.
            found = self.play.look("all")
        if found["integrity"] != "ok":
            raise Finding(f"PRAGMA integrity_check: {found['integrity']}")
        self.check_wanted("lines are", self.wanted())
        self.check_wanted("last lines without a line break are", self.tails())
        self.truth.check_rows(found, self.journals)
        if self.options.rejects:
            self.check_rejects(found)
        self.check_losses()
        self.play.counts["lines"] = len(self.truth.seen)
        self.play.counts["slow"] = sum(map(self.is_slow, self.journals.begun))

    def check_wanted(self, what, wanted):
        missing = wanted - self.truth.seen
        if missing:
            raise Finding(f"{len(missing)} {what} in the files and not in the table: {self.places(missing)}")

    def check_rejects(self, found):
        """Whether each complete line that is no JSON is rejected; that none is rejected twice, each look checks."""
        marks = {mark for content in self.contents.values() for mark, _ in content.bad}
        rejects = "\n".join(found["rejects"])
        missing = [mark for mark in marks if f'"{mark}"' not in rejects and not self.is_slow(mark)]
        if missing:
            raise Finding(f"{len(missing)} damaged lines are not rejected, such as {missing[0]}")

    def check_losses(self):
        """Whether what is nowhere any more was lost by rotation itself, and whether the tool has said so where it could know."""
        held = set().union(*(content.ids for content in self.contents.values()))
        spoiled = set().union(*(content.spoiled for content in self.contents.values()))
        # A loss of power may take rows that were seen.
        may_lose = self.options.loses or self.options.has_power_losses and not self.play.tools.server
        self.play.counts["lost"] = self.truth.check_losses(self.journals, held, spoiled, may_lose)
        self.truth.check_words(held, "".join(run.words() for run in self.play.runs))
