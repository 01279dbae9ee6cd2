"""The judge of `Scripts/net trust` is judged first: what it calls right, wrong, lost, doubled and invented."""

import unittest
from decimal import Decimal

from feeds import Feed, all_feeds
from judge import judge, same

LINES = [b'{"id": 1, "score": 0.1}', b'{"id": 2, "score": nul}', b'{"id": 3, "big": 9223372036854775809}']
ROWS = [{"id": 1, "score": 0.1}, {"id": 3, "big": "9223372036854775809"}]


def verdict(rows, failed=False, told=False, **feed):
    return judge(Feed("a", "", LINES, damaged={2: {"id": 2, "score": 7}}, **feed), rows, failed, told).verdict


class JudgeTests(unittest.TestCase):
    def test_rows_with_a_word_about_the_damage_are_right(self):
        self.assertEqual(verdict(ROWS, told=True), "right, told")
        self.assertEqual(verdict(ROWS, failed=True), "right, told")

    def test_a_damaged_record_without_a_word_is_lost(self):
        self.assertEqual(verdict(ROWS), "LOST 1")

    def test_a_row_of_nulls_is_no_word(self):
        self.assertEqual(verdict([*ROWS, {"id": None, "score": None}]), "ROWS OF NULLS 1")

    def test_missing_rows_are_lost_unless_that_is_said(self):
        self.assertEqual(verdict(ROWS[:1]), "LOST 2")
        self.assertEqual(verdict(ROWS[:1], told=True), "left out 1, told")
        self.assertEqual(verdict(ROWS[:1], failed=True), "stopped after 1")
        self.assertEqual(verdict([], failed=True), "refused")

    def test_an_error_at_the_end_of_a_load_that_went_on_is_a_word(self):
        self.assertEqual(verdict(ROWS[1:], failed=True), "left out 1, told")

    def test_other_values_are_wrong(self):
        self.assertEqual(verdict([ROWS[0], {"id": 3, "big": 9223372036854775808.0}], told=True), "wrong 1, told")
        self.assertEqual(verdict([ROWS[0], {"id": 3, "big": 9223372036854775808.0}]), "WRONG 1, LOST 1")
        self.assertEqual(verdict([{"id": 1, "score": None}], failed=True), "stopped after 1, wrong 1")

    def test_rows_more_than_once_are_doubled_and_rows_of_no_record_invented(self):
        self.assertEqual(verdict([*ROWS, *ROWS], told=True), "doubled 2, told")
        self.assertEqual(verdict([*ROWS, {"id": 4}], told=True), "invented 1, told")

    def test_a_damaged_record_that_comes_back_as_it_was_is_right(self):
        self.assertEqual(verdict([*ROWS, {"id": 2, "score": 7}]), "right")
        self.assertEqual(verdict([*ROWS, {"id": 2, "score": None}]), "WRONG 1")

    def test_what_may_be_refused_is_lost_only_without_a_word(self):
        self.assertEqual(verdict(ROWS[:1], told=True, may_be_refused={3}), "left out 1, told")
        self.assertEqual(verdict(ROWS[:1], may_be_refused={3}), "LOST 2")

    def test_values_are_compared_to_the_last_digit(self):
        for value, found in [(1, 1), (1, 1.0), (1, "1"), (True, 1), (True, "true"), (None, None), (Decimal("0.1"), 0.1), (Decimal("1e400"), "1e400")]:
            self.assertTrue(same(value, found), f"{value} {found}")
        for value, found in [
            (2**63 + 1, float(2**63)), (Decimal("1e400"), float("inf")), (Decimal("1e400"), None), ("01234", 1234), ("12.5", 12.5),
            (1, True), (None, ""), ("", None), ("a\0z", "a"), ("a\ud800z", "a\ufffdz"),
        ]:
            self.assertFalse(same(value, found), f"{value} {found}")
        self.assertTrue(same("12.5", 12.5, numbers_in_strings=True))

    def test_every_feed_has_the_records_that_it_says(self):
        feeds = all_feeds()
        plain = feeds[0].join(feeds[0].lines)
        for feed in feeds:
            ids = [record["id"] for record in feed.truth()]
            self.assertEqual(len(ids), len(set(ids)), feed.name)
            whole = len(feed.lines) + (feed.name == "glued")
            self.assertEqual(len(ids), whole - len(feed.damaged), feed.name)
            self.assertTrue(feed.may_be_refused <= set(ids), feed.name)
            # Each has a file that is not the plain one, or a scenario.
            if feed.name != "plain" and feed.scenario == "once":
                self.assertNotEqual(feed.join(feed.lines), plain, feed.name)


if __name__ == "__main__":
    unittest.main()
