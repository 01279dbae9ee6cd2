"""Logs, and what rotation does to their files. Each change is a generator: where it yields, anything else may happen, for at
least so many seconds."""

import datetime
import gzip
import os
import random
import shutil
import signal
import subprocess
import time

from truth import Content, text_of

HAS_ZSTD = bool(shutil.which("zstd"))
FIRST_DAY = datetime.date(2026, 1, 1)
# What is restored from a backup has a date of its own.
FIRST_RESTORED = datetime.date(2024, 1, 1)
# The least text by which a file with the name of another one is known.
KNOWN_TEXT = 1_100


def ending_of(path):
    """The ending of a compressed file; empty for others."""
    return next((ending for ending in (".gz", ".zst") if path.endswith(ending)), "")


class Log:
    """A log and its rotated files."""

    def __init__(self, play, name, options):
        self.play, self.name, self.random = play, name, random.Random(f"log {play.seed} {name}")
        self.path = f"logs/{name}"
        choice = self.random.choice
        self.scheme = choice(["number", "number", "number", "date", "date", "time", "number-ext", "date-ext"])
        methods = choice([["create"], ["create"], ["copytruncate"], ["create", "copytruncate"]])
        self.methods = methods if options.cuts_lines else ["create"]
        self.folder = "archive" if options.has_archive and self.random.random() < 0.8 else "logs"
        self.reopens = choice(["hup", "hup", "watch", "each"])
        self.writers_at_once = choice([1, 1, 2])
        self.keeps = choice([2, 3, 5])
        self.packings = choice([[], ["gz"], ["gz", "zst"], ["zst"]]) if HAS_ZSTD else choice([[], ["gz"]])
        # The paths of rotated files, the newest first; and copies, links and what came back.
        self.rotated, self.extra, self.backups = [], [], []
        self.rotations = self.links = self.restored = 0
        self.is_busy = False

    # MARK: Names

    def named(self, index, folder=None):
        """The name of a rotated file, by its number or by the day of its rotation."""
        stem, ending = os.path.splitext(self.name)
        day = FIRST_DAY + datetime.timedelta(days=index)
        names = {"number": f"{self.name}.{index}", "number-ext": f"{stem}.{index}{ending}",
                 "date": f"{self.name}-{day:%Y%m%d}", "date-ext": f"{stem}-{day:%Y%m%d}{ending}",
                 "time": f"{self.name}-{day:%Y-%m-%d}T{index % 24:02}:00:00"}
        return f"{folder or self.folder}/{names[self.scheme]}"

    @property
    def is_numbered(self):
        return self.scheme.startswith("number")

    def has(self, path):
        """Whether a file is one of the log, by its name."""
        stem, ending = os.path.splitext(self.name)
        name = os.path.basename(path)
        return name == self.name or name.startswith((self.name + ".", self.name + "-")) or (
            name.startswith((stem + ".", stem + "-")) and ending in name)

    def holders(self, status):
        return [writer for writer in self.play.writers if writer.log == self.name and writer.holds(status)]

    def do(self, words):
        self.play.note(f"{self.name}: {words}")

    def pause(self):
        """How long nothing more happens to the log at least."""
        return self.random.choice([0, 0, 0, 0.005, 0.02, 0.1])

    # MARK: What removes text

    def may_remove(self, path):
        """Whether nothing is lost with a file: its lines are in the table, and no writer has it open."""
        if self.play.options.loses:
            return True
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if status.st_nlink > 1:
                return True
            if self.holders(status) or self.play.truth.seen is None:
                return False
            return Content(text_of(path, file.read())).ids <= self.play.truth.seen

    def note_removed(self, file, path, known):
        """Says what a file held that has just lost its name."""
        status = os.fstat(file.fileno())
        if status.st_nlink > 0:
            return
        # Nobody can open it any more. So if no writer has it now, what is read is all.
        is_held = bool(self.holders(status))
        removal = self.play.truth.remove(path, Content(text_of(path, file.read())), known)
        if is_held:
            self.play.truth.keep(file.fileno(), removal)

    def remove(self, path):
        known = self.play.known_of(path) if self.play.options.loses else None
        with open(path, "rb") as file:
            os.unlink(path)
            self.do(f"removes {path}")
            self.note_removed(file, path, known)

    def rename(self, path, to):
        """Renames a file, perhaps over another one."""
        if not os.path.exists(to):
            os.rename(path, to)
            return self.do(f"renames {path} to {to}")
        known = self.play.known_of(to) if self.play.options.loses else None
        with open(to, "rb") as file:
            os.rename(path, to)
            self.do(f"renames {path} to {to}, over another file")
            self.note_removed(file, to, known)

    # MARK: Rotation

    def rotate(self):
        """Rotates the log once."""
        if not os.path.exists(self.path) or os.path.getsize(self.path) == 0 and self.random.random() < 0.8:
            return
        self.rotations += 1
        method = self.random.choice(self.methods)
        if self.is_numbered:
            yield from self.shift()
        to = self.named(1 if self.is_numbered else self.rotations)
        if method == "create":
            yield from self.create(to)
        else:
            yield from self.copy_and_truncate(to)

    def shift(self):
        """Gives each rotated file the number after its own."""
        for index in reversed(range(len(self.rotated))):
            path = self.rotated[index]
            # Where the last one may not be lost, the chain grows.
            if index + 1 >= self.keeps and index + 1 == len(self.rotated) and self.may_remove(path):
                self.rotated.pop()
                # Some remove the last one, and some rename the next one over it.
                if index == 0 or ending_of(path) != ending_of(self.rotated[-1]) or self.random.random() < 0.5:
                    self.remove(path)
            else:
                to = self.named(index + 2) + ending_of(path)
                self.rename(path, to)
                self.rotated[index] = to
            if self.random.random() < 0.5:
                yield self.pause()

    def create(self, to):
        """Renames the log, and mostly makes a new one."""
        if not os.path.exists(self.path):
            return
        if self.folder == "logs" or self.random.random() < 0.6:
            self.rename(self.path, to)
            self.rotated.insert(0, to)
            yield self.pause()
        else:
            yield from self.move(to)
        if self.reopens == "hup" or self.random.random() < 0.5:
            # A writer may have made it already.
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644))
            self.do("makes a new file")
            yield self.pause()
        if self.reopens == "hup":
            # The writers keep the old file for a while.
            self.play.later(self.random.choice([0, 0.01, 0.1, 0.3]), self.hang_up)

    def hang_up(self):
        if self.reopens != "hup":
            return
        for writer in self.play.writers_of(self):
            writer.send(signal.SIGHUP)
        self.do("tells its writers to open it anew")

    def move(self, to):
        """Moves the log to another file system: by a copy, after its writers have a new file."""
        aside = self.path + ".1" if not self.is_numbered else self.named(1, "logs")
        self.rename(self.path, aside)
        self.rotated.insert(0, aside)
        yield self.pause()
        if not self.play.options.loses:
            # Nothing may be appended after the copy.
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644))
            self.hang_up()
            status = os.stat(aside)
            while self.holders(status):
                yield 0.005
        with open(aside, "rb") as file:
            data = file.read()
        hidden = self.random.random() < 0.5
        place = os.path.join(os.path.dirname(to), f".{os.path.basename(to)}.tmp") if hidden else to
        yield from self.write(place, data)
        if hidden:
            self.rename(place, to)
            yield self.pause()
        self.remove(aside)
        self.rotated[0] = to

    def write(self, path, data, most=4):
        """Writes a file in a few pieces."""
        self.do(f"writes {path}, {len(data)} bytes")
        cuts = sorted(self.random.randrange(len(data) + 1) for _ in range(self.random.randrange(most)))
        with open(path, "wb", buffering=0) as file:
            for start, end in zip([0] + cuts, cuts + [len(data)]):
                file.write(data[start:end])
                yield self.pause()

    def copy_and_truncate(self, to):
        """Copies the log, and cuts it to nothing. What is appended in between is lost, unless the writers stand still."""
        begin = time.time()
        with open(self.path, "rb") as file:
            data = file.read()
            yield from self.write(to, data)
            self.rotated.insert(0, to)
            writers = self.play.writers_of(self)
            stops = not self.play.options.loses or self.random.random() < 0.3
            known = self.play.known_of(self.path) if self.play.options.loses else None
            if stops:
                begin = time.time()
                for writer in writers:
                    writer.stop()
                rest = file.read()
                with open(to, "ab", buffering=0) as copy:
                    copy.write(rest)
            file.seek(0)
            held = file.read()
            os.truncate(self.path, 0)
            self.play.truth.windows.append((self.name, begin, time.time()))
            if stops:
                for writer in writers:
                    writer.go_on()
        self.do(f"is cut to nothing after {len(held)} bytes{', its writers standing still' if stops else ''}")
        self.play.truth.remove(self.path, Content(held), known)
        yield self.pause()

    # MARK: Rotated files

    def compress(self):
        """Compresses a rotated file, and removes it."""
        chosen = [index for index, path in enumerate(self.rotated) if not ending_of(path)]
        if not chosen or not self.packings:
            return
        index = self.random.choice(chosen)
        path = self.rotated[index]
        with open(path, "rb") as file:
            # Only where lines may be lost is a file compressed that a writer still has open.
            if not self.play.options.loses and self.holders(os.fstat(file.fileno())):
                return
            data = file.read()
        packing = self.random.choice(self.packings)
        packed, to = self.packed(data, packing), f"{path}.{packing}"
        if self.random.random() < 0.1:
            # The program was killed, and is started again.
            begun = packed[:self.random.randrange(len(packed))]
            yield from self.write(to, begun)
            yield self.random.choice([0.05, 0.7])
        hidden = self.random.random() < 0.3
        place = os.path.join(os.path.dirname(to), f".{os.path.basename(to)}.tmp") if hidden else to
        yield from self.write(place, packed, most=6)
        if hidden:
            # Over what a program has left that was killed: nothing is lost with it.
            os.rename(place, to)
            self.do(f"renames {place} to {to}")
        elif self.random.random() < 0.5:
            # gzip and logrotate give it the time of the file.
            status = os.stat(path)
            os.utime(to, ns=(status.st_atime_ns, status.st_mtime_ns))
        yield self.pause()
        self.remove(path)
        self.rotated[index] = to

    def packed(self, data, packing):
        if packing == "gz":
            # Several members are one file, too.
            middle = self.random.randrange(len(data) + 1) if self.random.random() < 0.3 else 0
            parts = [data[:middle], data[middle:]] if middle else [data]
            return b"".join(gzip.compress(part, self.random.choice([1, 6])) for part in parts)
        words = ["zstd", "-qc"] + self.random.choice([[], ["--no-check"], ["-1"]])
        return subprocess.run(words, input=data, capture_output=True, check=True).stdout

    def drop(self):
        """Removes an old file, or one that came back."""
        places = [(self.extra, index) for index in range(len(self.extra))]
        if self.rotated:
            places.append((self.rotated, len(self.rotated) - 1))
        if not places:
            return
        paths, index = self.random.choice(places)
        if self.may_remove(paths[index]):
            self.remove(paths.pop(index))
        yield 0

    def some_path(self):
        paths = [path for path in [self.path] + self.rotated if os.path.exists(path)]
        return self.random.choice(paths) if paths else None

    def back_up(self):
        """Copies a file out of the folders."""
        path = self.some_path()
        if not path or os.path.getsize(path) < KNOWN_TEXT:
            return
        with open(path, "rb") as file:
            data = file.read()
        self.backups.append((data, ending_of(path), path))
        self.do(f"a copy of {path} is made elsewhere, {len(data)} bytes")
        yield 0

    def restore(self):
        """Brings a copy back, under a name of its own or under the old one."""
        if not self.backups:
            return
        data, ending, old = self.random.choice(self.backups)
        day = FIRST_RESTORED + datetime.timedelta(days=self.restored)
        to = f"{os.path.dirname(old)}/{self.name}-{day:%Y%m%d}{ending}"
        if self.random.random() < 0.3 and self.may_have_old_name(data, old):
            to = old
        self.restored += 1
        if self.random.random() < 0.5:
            yield from self.write(to, data)
        else:
            place = f"{os.path.dirname(to)}/.{os.path.basename(to)}.tmp"
            yield from self.write(place, data)
            self.rename(place, to)
        self.extra.append(to)
        self.do(f"{to} is back")

    def may_have_old_name(self, data, old):
        """Whether a copy may come back under the name that it had: a file of the same name is known by its text only if enough
        of it was read, and nothing may be there or come there."""
        seen = self.play.truth.seen
        if seen is None or os.path.exists(old) or old == self.path or self.is_numbered:
            return False
        return Content(text_of(old, data)).read_before(seen) >= KNOWN_TEXT

    def link(self):
        """Gives a file another name."""
        path = self.some_path()
        if not path or ending_of(path):
            return
        self.links += 1
        self.link_to(path, f"{os.path.dirname(path)}/{self.name}.{900 + self.links}")
        yield 0

    def link_to(self, path, to):
        os.link(path, to)
        self.extra.append(to)
        self.do(f"{path} is also called {to}")
