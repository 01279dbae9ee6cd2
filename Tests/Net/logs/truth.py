"""What must be in the table: the files of the logs say it, read by Python; nothing of Sluice is asked.

A line that is complete in a file of a log at the end must be there once. A line that no file has any more may be missing only
if rotation has removed or cut it (`Removal`, `windows`) before it was seen in the table; a row that was seen must stay.
"""

import collections
import gzip
import json
import os
import subprocess

import lines
from oracle import Finding, parse

# After so many seconds without a change, the last line of an older file is complete.
SETTLE = 0.5


def text_of(path, data=None):
    """The text of a file, which may be compressed."""
    if data is None:
        with open(path, "rb") as file:
            data = file.read()
    if path.endswith(".gz"):
        return gzip.decompress(data)
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq"], input=data, capture_output=True, check=True).stdout
    return data


class Content:
    """The lines of a text: their numbers, and where they end."""

    def __init__(self, text):
        self.size = len(text)
        self.good, self.bad, self.spoiled, self.tail = {}, [], set(), None
        end = 0
        *whole, last = text.split(b"\n")
        for line in whole:
            end += len(line) + 1
            self.add(line, end)
        record = parse(last)
        if isinstance(record, dict) and "id" in record:
            self.tail = record["id"]
        else:
            self.spoil(last)

    def add(self, line, end):
        record = parse(line)
        if isinstance(record, dict) and "id" in record:
            self.good.setdefault(record["id"], end)
            return
        marks = lines.MARK.findall(line)
        # A line that others have spoiled has the beginning of one and the whole of another.
        if len(marks) == 1 and line.startswith((b"{", b"oops")):
            self.bad.append((marks[0].decode(), line))
        self.spoil(line)

    def spoil(self, line):
        self.spoiled.update(mark.decode() for mark in lines.MARK.findall(line))

    @property
    def ids(self):
        return set(self.good) | ({self.tail} if self.tail else set())

    def read_before(self, seen):
        """How many bytes of the text are in the table for sure: up to the first record that is not."""
        length = 0
        for name, end in self.good.items():
            if name not in seen:
                break
            length = end
        return length


class Removal:
    """A file that was removed, or cut to nothing: what it held, and what a checkpoint knew of it by then."""

    def __init__(self, path, content, known):
        self.path, self.content, self.known = path, content, known
        # A run that is killed afterwards, or fails, may take what it would have said with it.
        self.is_excused = False


class Journals:
    """What the writers say that they have begun and ended."""

    def __init__(self, shape, writers):
        self.shape = shape
        self.begun, self.ended, self.spans, self.gaps = set(), set(), {}, {}
        for writer in writers:
            self.read(writer)

    def read(self, writer):
        with open(writer.journal, "rb") as file:
            notes = [json.loads(line) for line in file if line.endswith(b"\n")]
        ends = {note[1]: note for note in notes if note[0] == "end"}
        for kind, number, count, time, *_ in notes:
            if kind != "begin":
                continue
            _, _, _, until, gap = ends.get(number, (None, None, None, writer.ended_at, writer.ended_at - time))
            for index in range(number, number + count):
                name = lines.name(writer.name, index)
                self.begun.add(name)
                self.spans[name], self.gaps[name] = (writer.log, time, until), gap
                if number in ends:
                    self.ended.add(name)

    def line(self, name):
        writer, number = name.split("-")
        return lines.line(self.shape, writer, int(number))

    def record(self, name):
        writer, number = name.split("-")
        return lines.record(self.shape, writer, int(number))[0]


class Truth:
    def __init__(self):
        # The rows that were seen; None after a loss of power, which may have taken some.
        self.seen = set()
        self.removals = []
        # Times in which lines may have been cut off: the log, and from when to when.
        self.windows = []
        # Descriptors of removed files that a writer may still hold.
        self.kept = []

    def look(self, found):
        """Checks what a look has found: each row once, and those that were there before."""
        ids = set(found["ids"])
        if len(ids) < len(found["ids"]):
            twice = [name for name, count in collections.Counter(found["ids"]).items() if count > 1]
            raise Finding(f"{len(twice)} lines are in the table twice, such as {', '.join(sorted(twice)[:5])}")
        if self.seen is not None and self.seen - ids:
            gone = self.seen - ids
            raise Finding(f"{len(gone)} rows were in the table and are gone, such as {', '.join(sorted(gone)[:5])}")
        self.seen = ids
        marked = [text for text in found["rejects"] if lines.MARK.search(text.encode())]
        if len(set(marked)) < len(marked):
            twice = [text for text, count in collections.Counter(marked).items() if count > 1]
            raise Finding(f"{len(twice)} records were rejected twice, such as {twice[0][:200]!r}")

    # MARK: What rotation removes

    def remove(self, path, content, known):
        removal = Removal(path, content, known)
        self.removals.append(removal)
        return removal

    def keep(self, descriptor, removal):
        """Keeps a removed file open, because a writer does so, too: it may still append to it."""
        self.kept.append((os.dup(descriptor), removal))

    def release(self):
        """Takes what was appended to removed files into account."""
        for descriptor, removal in self.kept:
            with os.fdopen(descriptor, "rb") as file:
                file.seek(0)
                removal.content = Content(text_of(removal.path, file.read()))
        self.kept = []

    def removed(self):
        return set().union(*(removal.content.ids for removal in self.removals))

    def excuse(self):
        """A run was killed, or has failed: what it would have said of losses may be gone."""
        for removal in self.removals:
            removal.is_excused = True

    # MARK: The end

    def is_slow(self, journals, name):
        """Whether the line came with a pause in it after which a run may have taken its beginning as a record."""
        return journals.gaps.get(name, 0) > SETTLE - 0.05

    def is_cut(self, journals, name):
        """Whether the line was written while a log was copied and truncated."""
        log, begin, end = journals.spans[name]
        return any(other == log and begin <= to and end >= start for other, start, to in self.windows)

    def check_rows(self, found, journals):
        """Whether each row is a line that a writer has written, with its values."""
        for name, number, text in found["rows"]:
            if name not in journals.begun or not journals.line(name)[1]:
                raise Finding(f"a row that no writer has written: {name!r}, {number}")
            if name not in journals.ended:
                # Its writer was killed inside of it: what the next one has added may make a record of its beginning (seed 585).
                continue
            record = journals.record(name)
            if (number, text) != (record["n"], record["t"]):
                raise Finding(f"the row {name} has other values than its line: {number}, {str(text)[:100]!r}")

    def check_losses(self, journals, held, spoiled, may_lose):
        """Whether the lines that are not in the table were lost by rotation itself. Returns how many were."""
        lost = {name for name in journals.ended - self.seen if journals.line(name)[1]} - held
        removed = self.removed()
        gone = set().union(*(removal.content.spoiled for removal in self.removals))
        for name in lost:
            if name in spoiled or name in gone or self.is_cut(journals, name) or self.is_slow(journals, name):
                continue
            if name not in removed:
                raise Finding(f"{name} is neither in the table nor in a file, and nothing has removed it: is the harness wrong?")
            if not may_lose:
                raise Finding(f"{name} is not in the table, and its file was removed only after it was seen there")
        return len(lost)

    def check_words(self, held, said):
        """Whether a run has named each loss that a checkpoint knew of. Returns how many there were."""
        count = 0
        for removal in self.removals:
            if not removal.known or removal.is_excused:
                continue
            length, size = removal.known
            names = [name for name, end in removal.content.good.items() if length < end <= size and name not in self.seen]
            # A copy, whole or in part, may have been taken for the file.
            has_copy = any(other is not removal and other.content.ids & removal.content.ids for other in self.removals)
            if not names or has_copy or held & removal.content.ids:
                continue
            count += 1
            if "had not been read" not in said:
                raise Finding(f"{removal.path} was removed when {length} of {size} bytes had been read, and no run has said so: "
                              f"{len(names)} lines are lost, such as {names[0]}")
        return count
