"""msgspec and orjson as lanes of the benchmark: requests come in on lines, times go out on lines (see PeerProcess.swift).

Whatever is not installed offers no lanes. The models are those of the Swift lanes, and so are the fingerprints.
"""

import sys
import time
from typing import List, Optional, Tuple

try:
    import msgspec
except ImportError:
    msgspec = None
try:
    import orjson
except ImportError:
    orjson = None

lanes = {}
TWITTER, CANADA, USER = "twitter.json", "canada.json", "github_user.json"
FIVE, FEED = "github_events.ndjson, five keys", "feed.ndjson"


def size(text):
    return len(text.encode())


if msgspec:

    class Metadata(msgspec.Struct):
        result_type: str
        iso_language_code: str

    class Hashtag(msgspec.Struct):
        text: str
        indices: List[int]

    class Link(msgspec.Struct):
        url: str
        expanded_url: str
        display_url: str
        indices: List[int]

    class Mention(msgspec.Struct):
        screen_name: str
        name: str
        id: int
        id_str: str
        indices: List[int]

    class Entities(msgspec.Struct):
        hashtags: List[Hashtag]
        urls: List[Link]
        user_mentions: List[Mention]

    class TwitterUser(msgspec.Struct, omit_defaults=True):
        id: int
        name: str
        screen_name: str
        location: str
        description: str
        followers_count: int
        friends_count: int
        created_at: str
        verified: bool
        statuses_count: int
        lang: str
        profile_image_url: str
        url: Optional[str] = None

    class Status(msgspec.Struct, omit_defaults=True):
        metadata: Metadata
        created_at: str
        id: int
        text: str
        source: str
        truncated: bool
        user: TwitterUser
        retweet_count: int
        favorite_count: int
        entities: Entities
        favorited: bool
        retweeted: bool
        lang: str
        in_reply_to_status_id: Optional[int] = None

    class SearchMetadata(msgspec.Struct):
        completed_in: float
        max_id: int
        max_id_str: str
        next_results: str
        query: str
        refresh_url: str
        count: int
        since_id: int
        since_id_str: str

    class Archive(msgspec.Struct):
        statuses: List[Status]
        search_metadata: SearchMetadata

    class MapProperties(msgspec.Struct):
        name: str

    class Polygon(msgspec.Struct):
        type: str
        coordinates: List[List[Tuple[float, float]]]

    class Feature(msgspec.Struct):
        type: str
        properties: MapProperties
        geometry: Polygon

    class Map(msgspec.Struct):
        type: str
        features: List[Feature]

    class GitHubUser(msgspec.Struct, omit_defaults=True, kw_only=True):
        login: str
        id: int
        avatar_url: str
        gravatar_id: str
        url: str
        html_url: str
        followers_url: str
        following_url: str
        gists_url: str
        starred_url: str
        subscriptions_url: str
        organizations_url: str
        repos_url: str
        events_url: str
        received_events_url: str
        type: str
        site_admin: bool
        name: str
        company: Optional[str] = None
        blog: str
        location: str
        email: Optional[str] = None
        hireable: Optional[bool] = None
        bio: str
        public_repos: int
        public_gists: int
        followers: int
        following: int

    class Actor(msgspec.Struct):
        login: str

    class Repository(msgspec.Struct):
        name: str

    class Five(msgspec.Struct):
        id: str
        type: str
        actor: Actor
        repo: Repository
        created_at: str


def of_twitter(a):
    return [
        len(a.statuses),
        sum(size(s.text) + size(s.user.name) for s in a.statuses),
        sum(s.user.followers_count + s.retweet_count for s in a.statuses),
        sum(i for s in a.statuses for m in s.entities.user_mentions for i in m.indices),
    ]


def of_canada(a):
    points, total = 0, 0.0
    for ring in a.features[0].geometry.coordinates:
        for point in ring:
            points += 1
            for number in point:
                total += number
    return [points, total]


def of_user(a):
    return [a.id, size(a.bio) + size(a.received_events_url), a.public_repos]


def of_five(a):
    return [
        len(a),
        sum(size(e.actor.login) + size(e.repo.name) for e in a),
        sum(size(e.id) + size(e.type) + size(e.created_at) for e in a),
    ]


def repeat(work, count):
    start = time.thread_time_ns()
    for _ in range(count):
        result = work()
    return time.thread_time_ns() - start, result


def reading(decode, fingerprint):
    def run(text, count):
        time_taken, result = repeat(lambda: decode(text), count)
        return [time_taken] + (fingerprint(result) if fingerprint else [])

    return run


def writing(decode, encode):
    def run(text, count):
        value = decode(text)
        return [repeat(lambda: encode(value), count)[0]]

    return run


if msgspec:
    encode = msgspec.json.Encoder().encode
    for name, model, fingerprint in [(TWITTER, Archive, of_twitter), (CANADA, Map, of_canada), (USER, GitHubUser, of_user)]:
        decode = msgspec.json.Decoder(model).decode
        lanes[f"msgspec reading {name}"] = reading(decode, fingerprint)
        lanes[f"msgspec writing {name}"] = writing(decode, encode)
    lanes[f"msgspec reading {FIVE}"] = reading(msgspec.json.Decoder(Five).decode_lines, of_five)
if orjson:
    for name in (TWITTER, CANADA, USER):
        lanes[f"orjson reading {name}"] = reading(orjson.loads, None)
        lanes[f"orjson writing {name}"] = writing(orjson.loads, orjson.dumps)

texts = {}
for line in sys.stdin:
    words = line.rstrip("\n").split(" ", 5)
    if words[0] == "lanes":
        print(";".join(lanes), flush=True)
    elif words[0] == "versions":
        print(";".join(f"{m.__name__} {m.__version__} (Python {sys.version.split()[0]})" for m in (msgspec, orjson) if m), flush=True)
    else:
        # run msgspec reading 20 /path name
        _, lane, direction, count, path, name = words
        if path not in texts:
            with open(path, "rb") as file:
                texts[path] = file.read()
        print(*lanes[f"{lane} {direction} {name}"](texts[path], int(count)), flush=True)
