"""Inputs of a history: what they contain when it ends, how much of that they contain now, and how it is packed.

A feed has a text that is fixed when it is made: records, some of them wrong, in one of four layouts. At any time the file shows a
beginning of that text, which grows (a writer appends) and may shrink and grow back (a copy that is begun anew); it may be
compressed, in several members, packed anew, cut inside a member or damaged for a while. Rotation begins another text in another file
of the same name: another generation.
"""

import ctypes
import ctypes.util
import gzip
import json
import os

# With one of these in the place of a value, a record is not JSON, but its brackets and quotes are in order, so only this record is lost.
WRONG_VALUES = [
    b"nul", b"NaN", b"-Infinity", b"01", b"1.", b".5", b"+1", b"-", b"0x1F", b"1e", b"tru", b'"\\x"', b'"\\ud800"', b'"\\udc00\\ud800"',
    b'"a\x01b"', b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', b"[1,]", b'{"y":1,}', b"[,]", b'{"y" 1}', b"1 2", b"1,,\"q\":2", b'"\\u12g4"',
]
WORDS = ["", "a", "plain", "two words", "quote \" and \\ backslash", "line\nbreak", "tab\t", "Zürich", "日本", "\U0001f600", "€ 5", "[1,{\"a\":2}]", "null", "12"]


class Record:
    """A record of a feed: its bytes, its number (the value of `id`), and where it begins in the feed's text."""

    __slots__ = ("text", "id", "start", "end", "is_wrong")

    def __init__(self, text, id, is_wrong):
        self.text, self.id, self.is_wrong = text, id, is_wrong
        self.start = self.end = 0


def written(random, value):
    """A string as JSON, in one of the ways that there are to write it."""
    if random.random() < 0.3:
        return json.dumps(value)
    return json.dumps(value, ensure_ascii=False)


def make_record(random, options, id, place):
    """A record; the first ones of a feed have all keys, so that the columns do not depend on how many are looked at."""
    is_first = place < options.complete_records
    members = [f'"id":{id}', f'"w":{random.randrange(3, 9) if is_first else random.randrange(10)}']
    rest = [
        '"s":' + written(random, random.choice(WORDS) + (str(id) if random.random() < 0.5 else "x")),
        f'"f":{random.randrange(-10**6, 10**6) / 64 + 0.25}',
        '"b":' + random.choice(["true", "false"]),
        '"n":{"x":%d,"y":%s}' % (random.randrange(100), written(random, random.choice(WORDS) + "y")),
        # A single object with an array of objects looks like an envelope of records, which the tool asks about. In a child table of
        # PostgreSQL, a column of numbers takes no text.
        '"a":' + random.choice(["[]", "[1,2]", "[3]" if is_first else '[{"k":5}]', "[4]" if is_first else '[{"k":6,"l":[7,8]},{"l":[]}]'] if options.children else ["[]", "[1,2]", '["\\u00e9"]', "[[null]]", "[1]" if is_first else '[{"k":[]}]']),
    ]
    is_wrong = not is_first and random.random() < options.wrong_share
    if not is_first:
        random.shuffle(rest)
        rest = rest[random.choice([0, 0, 0, 1, 2, 4]):]
        if random.random() < 0.1:
            rest.append('"s":null')
        if random.random() < 0.1:
            rest.append('"f":%s' % random.choice(["-0.5", "2.5e3", "1E-2", "0.1"]))
        if random.random() < options.late_share:
            rest.append(random.choice(['"late1":%d' % id, '"late2":"text%d"' % id, '"n2":{"z":1.5}']))
        if random.random() < 0.02:
            rest.append('"s":' + json.dumps("long " * random.randrange(200, 2000)))
    space = random.choice(["", "", " "])
    text = ("{" + ("," + space).join(members + rest) + "}").encode()
    if is_wrong:
        wrong = random.choice(["value", "value", "end", "column"])
        if wrong == "value":
            text = text[:-1] + b',"f":' + random.choice(WRONG_VALUES) + b"}"
        elif wrong == "column" and options.declares_columns:
            text = text[:-1] + b',"f":"no number"}'
        else:
            text = text[:-1] + random.choice([b",}", b',"q" 1}', b",'q':1}", b',"q":}', b',"q"}', b',"\\ud800":1}'])
            if options.layout == "lines" and random.random() < 0.3:
                text = random.choice([b'{"id":%d,"w":5,"s":"ab' % id, b'{"id":%d,"w":5,"a":[1,2}' % id])
    return Record(text, id, is_wrong)


class Generation:
    """The text of a feed, from its first byte to its last, with the places of its records."""

    def __init__(self, random, options, ids, size):
        self.records = []
        pieces, length = [], 0

        def put(text):
            nonlocal length
            pieces.append(text)
            length += len(text)

        layout = options.layout
        opening, closing = {"lines": ("", ""), "array": ("[", "]\n"), "at": ('{"meta":{"x":[1]},"data":{"items":[', ']},"end":true}\n'),
                            "documents": ("", "")}[layout]
        ending = random.choice([b"\n", b"\n", b"\r\n"])
        put(opening.encode())
        for place in range(size):
            if self.records and options.repeats and random.random() < 0.3:
                id = random.choice(self.records).id
            else:
                id = next(ids)
            record = make_record(random, options, id, place)
            if layout == "documents":
                put(b'{"data":{"items":[' if place % 3 == 0 else b",")
            elif layout != "lines" and place:
                put(random.choice([b",", b",\n", b" , "]))
            record.start = length
            put(record.text)
            record.end = length
            self.records.append(record)
            if layout == "lines":
                put(ending)
                if random.random() < 0.02:
                    put(ending)
            elif layout == "documents" and (place % 3 == 2 or place == size - 1):
                put(b"]}}\n")
        put(closing.encode())
        self.text = b"".join(pieces)
        # A last line that is cut off is read again by each run, unless a line break says that nothing follows.
        if layout == "lines" and random.random() < 0.2 and not self.records[-1].is_wrong:
            self.text = self.text.rstrip(b"\r\n")


class Feed:
    """A file that shows a beginning of a generation's text."""

    def __init__(self, name, packing, random, options, ids):
        self.name, self.packing, self.random, self.options, self.ids = name, packing, random, options, ids
        self.generation = None
        self.number = -1
        self.generations = []
        self.begin_generation()

    def begin_generation(self):
        size = max(self.options.complete_records, int(self.options.size * self.random.uniform(0.3, 1)))
        self.generation = Generation(self.random, self.options, self.ids, size)
        self.generations.append(self.generation)
        self.number += 1
        self.shown = 0
        # Where the members of a compressed file end in the text, and how each is packed.
        self.members = []
        self.is_damaged = False
        self.cut = 0
        self.grow(0 if self.random.random() < 0.05 else self.some_place())

    def some_place(self):
        """A place in the text: after a record, inside one, or the end."""
        records = self.generation.records
        record = self.random.choice(records)
        kind = self.random.random()
        if kind < 0.5:
            index = self.random.randrange(len(records))
            return records[index + 1].start if index + 1 < len(records) else len(self.generation.text)
        return self.random.randrange(record.start, record.end + 1) if kind < 0.85 else len(self.generation.text)

    def grow(self, end):
        if end <= self.shown:
            return
        if self.packing != "plain":
            middle = self.random.randrange(self.shown, end)
            for place in [middle, end] if middle > self.shown and self.random.random() < 0.4 else [end]:
                self.members.append((self.shown, place, self.random.choice([0, 1, 6, 9])))
                self.shown = place
        self.shown = end

    def pack_anew(self):
        count = self.random.choice([1, 1, 2, 3])
        places = sorted({self.random.randrange(1, self.shown) for _ in range(count - 1)} | {self.shown})
        self.members = []
        start = 0
        for place in places:
            self.members.append((start, place, self.random.choice([0, 1, 6, 9])))
            start = place

    def bytes(self):
        text = self.generation.text
        if self.packing == "plain":
            return text[: self.shown]
        packed = [compress(self.packing, text[start:end], level) for start, end, level in self.members]
        if self.cut:
            packed[-1] = packed[-1][: max(1, len(packed[-1]) - self.cut)]
        whole = b"".join(packed)
        if self.is_damaged:
            # The first byte of the last member, or the last one of its checksum. A byte between them would change the text, and a
            # reader of a stream has passed that text on before it comes to the checksum.
            place = len(whole) - (8 if self.damages_checksum else len(packed[-1]))
            whole = whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1:]
        return whole

    def state(self):
        """What a run that looks now can see: generation, end of the text, and whether the file is packed as it should be."""
        return (self.number, self.shown, not (self.is_damaged or self.cut))


def library():
    name = ctypes.util.find_library("zstd")
    if not name:
        return None
    zstd = ctypes.CDLL(name)
    zstd.ZSTD_compressBound.restype = zstd.ZSTD_compress.restype = ctypes.c_size_t
    zstd.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    zstd.ZSTD_compress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    return zstd


ZSTD = library()


def compress(packing, text, level):
    if packing == "gz":
        return gzip.compress(text, level, mtime=0)
    room = ctypes.create_string_buffer(ZSTD.ZSTD_compressBound(len(text)))
    size = ZSTD.ZSTD_compress(room, len(room), text, len(text), max(1, level))
    return room.raw[:size]


def write_in_place(path, data):
    """Writes over a file, as a shell's `>` does."""
    with open(path, "wb") as file:
        file.write(data)


def write_beside(path, data):
    """Puts another file in the place of this one."""
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.rename(path + ".new", path)


def append(path, data):
    with open(path, "ab") as file:
        file.write(data)
