"""Any cut of a file into ranges gives each record exactly once, in order."""

import os
import random

import pytest

import records
import sluice
from sluice._ranges import cut

# 200 feeds are enough for a push; SLUICE_SEEDS asks for more.
SEEDS = int(os.environ.get("SLUICE_SEEDS", "200"))



def in_ranges(path, cuts):
    """The rows and the rejected records of all ranges, one range after the other. Lines count from the start of each range."""
    rows, wrong = [], []
    for span in cuts:
        rows += records.read(sluice.scan(path, records.COLUMNS, range=span, invalid_records="skip", format="lines"))
        for row in sluice.rejects(path, records.COLUMNS, range=span, format="lines").read_all().to_pylist():
            wrong.append((row["start"], row["end"], row["path"]))
    return rows, wrong


def whole(path):
    rows = records.read(sluice.scan(path, records.COLUMNS, invalid_records="skip", format="lines"))
    wrong = sluice.rejects(path, records.COLUMNS, format="lines").read_all().to_pylist()
    return rows, [(row["start"], row["end"], row["path"]) for row in wrong]


def random_cuts(source, length):
    """Ranges from 0 to the end: often short ones, equal places, and an end after that of the file."""
    places = sorted(source.randrange(length + 1) for _ in range(source.randrange(0, 12)))
    places = [0, *places, source.choice([length, length + 100, None])]
    return list(zip(places, places[1:]))


@pytest.mark.parametrize("seed", range(0, SEEDS, 20))
def test_random_cuts_give_each_record_once_in_order(tmp_path, seed):
    for seed in range(seed, seed + 20):
        source = random.Random(seed)
        data = records.feed(seed=seed, count=source.randrange(0, 40), wrong=source.choice([0, 0, 0.2]))
        path = tmp_path / f"{seed}.ndjson"
        path.write_bytes(data)
        cuts = random_cuts(source, len(data))
        assert in_ranges(path, cuts) == whole(path), (seed, cuts)


def test_a_cut_at_every_byte_gives_each_record_once(tmp_path):
    data = '\ufeff{"id":1}\r\n\n{"id":2,"score":3}\n{"id":\n \n{"id":4,"tags":["é"]}\r{"id":5}\n{"id":6}'.encode()
    path = tmp_path / "small.ndjson"
    path.write_bytes(data)
    expected = whole(path)
    assert [row["id"] for row in expected[0]] == [1, 2, 6]
    # A lone CR ends no line, so one line holds records 4 and 5.
    assert len(expected[1]) == 2
    for place in range(len(data) + 2):
        assert in_ranges(path, [(0, place), (place, None)]) == expected, place
    places = list(range(len(data) + 1))
    assert in_ranges(path, list(zip(places, places[1:])) + [(len(data), None)]) == expected


def test_ranges_cover_the_file_in_its_order(tmp_path):
    path = tmp_path / "some.ndjson"
    data = records.feed(seed=5, count=300, wrong=0)
    path.write_bytes(data)
    for spans in [sluice.ranges(path, count=7), sluice.ranges(path, size=1000), sluice.ranges(path, size=10**9)]:
        assert spans[0][0] == 0 and spans[-1][1] == len(data)
        assert all(end == start for (_, end), (start, _) in zip(spans, spans[1:]))
        assert in_ranges(path, spans)[0] == records.rows(data)


def test_lines_that_are_documents_are_cut_between_lines(tmp_path):
    path = tmp_path / "pages.ndjson"
    path.write_text("".join('{"items": [{"id": %d}, {"id": %d}]}\n' % (2 * page, 2 * page + 1) for page in range(50)))
    for count in (1, 3, 8):
        parts = [sluice.scan(path, {"id": "int64"}, at="items", format="lines", range=span) for span in sluice.ranges(path, count=count)]
        assert [row for part in parts for row in part.read_all()["id"].to_pylist()] == list(range(100))


def test_ranges_have_nearly_one_length():
    for length, count in [(0, 3), (1, 3), (10, 3), (1000, 7)]:
        spans = cut(length, count=count)
        sizes = [end - start for start, end in spans]
        assert sum(sizes) == length and max(sizes) - min(sizes) <= 1 and len(spans) <= max(count, 1)
    assert len(cut(1000, size=100)) == 10 and len(cut(1001, size=100)) == 11
    assert max(end - start for start, end in cut(1001, size=100)) <= 100


def test_wrong_sizes_of_ranges_are_refused():
    for arguments in [{}, {"size": 0}, {"count": 0}, {"size": 1, "count": 1}]:
        with pytest.raises(sluice.SluiceError):
            cut(10, **arguments)
