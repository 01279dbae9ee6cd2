"""Events of the shape that JSONBench loads: Bluesky's jetstream, generated, the same in each run, with some lines that are no JSON.

jetstream.py PATH RECORDS: writes the feed, and prints what a loader must have stored, as JSON:
    lines      in all
    broken     that are not JSON
    records    that are
    text       records with `commit.record.text`
    subject    records with `commit.record.subject`, a string in some and an object in others
    late       records with `commit.record.bridgyOriginalText`, a key that comes only in the last fifth
    seq        records with `identity.seq`: an integer, and in some of the last fifth a text
"""

import json
import random
import sys

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
WORDS = ("morning coffee the a sky is blue over here and nobody knows why release notes train delayed again 今日 は いい 天気 "
         "guten Tag bom dia gente photo of my cat 🐈 reading about parsers tonight").split()


class Feed:
    def __init__(self, records):
        self.random, self.records = random.Random(1), records
        self.dids = [f"did:plc:{self.key(24)}" for _ in range(max(1, records // 20))]
        self.truth = dict.fromkeys(["lines", "broken", "records", "text", "subject", "late", "seq"], 0)

    def key(self, length):
        return "".join(self.random.choices(LETTERS, k=length))

    def did(self):
        return self.random.choice(self.dids)

    def link(self, collection):
        return {"cid": "bafyrei" + self.key(52), "uri": f"at://{self.did()}/{collection}/{self.key(13)}"}

    def words(self, count):
        return " ".join(self.random.choices(WORDS, k=count))

    def post(self, is_late):
        record = {"langs": [self.random.choice(["en", "ja", "de", "pt"])]}
        chance = self.random.random()
        if chance < 0.4:
            record["reply"] = {"parent": self.link("app.bsky.feed.post"), "root": self.link("app.bsky.feed.post")}
        elif chance < 0.6:
            record["embed"] = {"$type": "app.bsky.embed.images", "images": [
                {"alt": self.words(3), "aspectRatio": {"height": 900, "width": 1600},
                 "image": {"$type": "blob", "ref": {"$link": "bafkrei" + self.key(52)}, "mimeType": "image/jpeg",
                           "size": self.random.randrange(10_000, 999_999)}}]}
        elif chance < 0.7:
            record["embed"] = {"$type": "app.bsky.embed.external", "external": {
                "description": self.words(9), "title": self.words(4), "uri": f"https://example.org/{self.key(9)}"}}
        record["text"] = self.words(self.random.randrange(1, 30))
        if is_late and self.random.random() < 0.05:
            record["bridgyOriginalText"] = f"<p>{record['text']}</p>"
        return record

    def event(self, number):
        """One event, as its fields come."""
        is_late = number >= self.records * 4 // 5
        event = {"did": self.did(), "time_us": 1_732_206_349_000_167 + number * 700, "kind": "commit"}
        time = f"2024-11-21T16:{number // 60 % 60:02}:{number % 60:02}.{number % 1000:03}Z"
        chance = self.random.random()
        if chance < 0.01:
            seq = 1_409_752_997 + number
            handle = f"{self.key(8)}.bsky.social"
            event |= {"kind": "identity", "identity": {
                "did": event["did"], "handle": handle, "seq": f"{seq}-b" if is_late and number % 10 == 0 else seq, "time": time}}
            return event
        if chance < 0.015:
            event |= {"kind": "account", "account": {"active": True, "did": event["did"], "seq": 1_409_752_997 + number, "time": time}}
            return event
        commit = {"rev": self.key(13), "operation": "create"}
        kinds = ["app.bsky.feed.like", "app.bsky.feed.post", "app.bsky.graph.follow", "app.bsky.feed.repost"]
        commit |= {"collection": self.random.choices(kinds, [50, 20, 20, 10])[0], "rkey": self.key(13)}
        event["commit"] = commit
        if chance < 0.1:
            commit["operation"] = "delete"
            return event
        record = {"$type": commit["collection"], "createdAt": time}
        if commit["collection"] == "app.bsky.feed.post":
            record |= self.post(is_late)
        elif commit["collection"] == "app.bsky.graph.follow":
            record["subject"] = self.did()
        else:
            record["subject"] = self.link("app.bsky.feed.post")
        commit |= {"record": record, "cid": "bafyrei" + self.key(52)}
        return event

    def broken(self, line, number):
        """The line, damaged: cut off, with a bare quote, with a number that JSON does not have, or with a byte that is not UTF-8."""
        if number % 4 == 0:
            return line[: len(line) * 2 // 3]
        before, after = [(b'"kind":"', b'"kind":""'), (b'"time_us":', b'"time_us":0'), (b'"kind":"c', b'"kind":"\xffc')][number % 4 - 1]
        return line.replace(before, after, 1)

    def count(self, event):
        record = event.get("commit", {}).get("record", {})
        self.truth["records"] += 1
        for name, is_there in [("text", "text" in record), ("subject", "subject" in record), ("late", "bridgyOriginalText" in record),
                               ("seq", "identity" in event)]:
            self.truth[name] += is_there

    def write(self, path):
        with open(path, "wb") as file:
            for number in range(self.records):
                event = self.event(number)
                line = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
                # None at the beginning, where loaders look at a sample: it is those further on that are lost.
                if number % 4999 == 4998 and number > 25_000 and event["kind"] == "commit":
                    line = self.broken(line, self.truth["broken"])
                    self.truth["broken"] += 1
                else:
                    self.count(event)
                file.write(line + b"\n")
                self.truth["lines"] += 1


if __name__ == "__main__":
    feed = Feed(int(sys.argv[2]))
    feed.write(sys.argv[1])
    print(json.dumps(feed.truth))
