// The frame of each peer's program. It answers PeerProcess.swift, which asks line by line:
//
//     lanes                                             →  glaze reading twitter.json;glaze writing twitter.json;…
//     run glaze reading 20 /path twitter.json           →  41520381              nanoseconds of 20 times
//     show glaze reading /path /result twitter.json     →  done                  what was read, or written, is in the file /result
//
// `glaze-peer once LANE DIRECTION COUNT PATH NAME` does the work and nothing else: for callgrind. `glaze-peer coordinates PATH` is the
// program of kostya/benchmarks: it prints the mean of the coordinates in a file (Benchmarks/programs).
//
// A peer is a struct that inherits Questions<itself>, or LineByLine<itself>, with
//     static std::string version();
//     template <typename Model> static bool read(const Text &, Model &);           one text
//     template <typename Model> static bool read_lines(const Text &, Receiver);    calls the receiver with a Model for each line
//     struct Tree;                                                                 any document; read and write take it, too
//     struct Output;                                                               memory for a text, and its `std::string_view view()`
//     template <typename Model> static void write(const Model &, Output &);        which may hold the text before

#pragma once

#include "models.hpp"

#include <algorithm>
#include <ctime>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

/// A text with 64 zeros after it, which simdjson wants.
struct Text {
    std::string bytes;
    size_t size;

    explicit Text(const std::string &path) {
        std::ifstream file(path, std::ios::binary | std::ios::ate);
        size = file ? size_t(file.tellg()) : 0;
        bytes.resize(size + 64);
        file.seekg(0).read(bytes.data(), std::streamsize(size));
    }

    std::string_view view() const { return {bytes.data(), size}; }
    operator std::string_view() const { return view(); }
};

/// Nanoseconds of this thread's work, as the other lanes count them.
inline double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

/// Makes the compiler believe that somebody looks at the value.
template <typename Value> void keep(Value &value) { asm volatile("" : : "r"(&value) : "memory"); }

/// How the memory for a text is got.
enum class Memory { fresh, kept };

/// One subject of the benchmark, as the peer does it.
struct Subject {
    /// Does it so often; nanoseconds, or -1 if the text is rejected.
    double (*read)(const Text &, long count, std::string *shown);
    double (*write)(const Text &, long count, Memory memory, std::string *shown);
};

/// A model as the peer writes it.
template <typename Peer, typename Model>
std::string written(const Model &model) {
    typename Peer::Output output;
    Peer::write(model, output);
    return std::string(output.view());
}

template <typename Peer, typename Model>
Subject document() {
    return {
        [](const Text &text, long count, std::string *shown) {
            double start = now();
            for (long index = 0; index < count; index++) {
                Model model{};
                if (!Peer::read(text, model)) return -1.0;
                keep(model);
                if (shown) *shown = written<Peer>(model);
            }
            return now() - start;
        },
        [](const Text &text, long count, Memory memory, std::string *shown) {
            Model model{};
            if (!Peer::read(text, model)) return -1.0;
            typename Peer::Output kept;
            double start = now();
            for (long index = 0; index < count; index++) {
                if (memory == Memory::kept) {
                    Peer::write(model, kept);
                    keep(kept);
                } else {
                    typename Peer::Output fresh;
                    Peer::write(model, fresh);
                    keep(fresh);
                }
            }
            double time = now() - start;
            if (shown) *shown = memory == Memory::kept ? std::string(kept.view()) : written<Peer>(model);
            return time;
        }};
}

template <typename Peer, typename Model>
Subject lines() {
    return {
        [](const Text &text, long count, std::string *shown) {
            double start = now();
            for (long index = 0; index < count; index++) {
                bool is_read = Peer::template read_lines<Model>(text, [&](Model &model) {
                    keep(model);
                    if (shown) *shown += written<Peer>(model) + "\n";
                });
                if (!is_read) return -1.0;
            }
            return now() - start;
        },
        nullptr};
}

/// A question to twitter.json whose answer is a text.
template <bool (*answer)(const Text &, std::string &)>
Subject question() {
    return {
        [](const Text &text, long count, std::string *shown) {
            double start = now();
            for (long index = 0; index < count; index++) {
                std::string result;
                if (!answer(text, result)) return -1.0;
                keep(result);
                if (shown) *shown = result;
            }
            return now() - start;
        },
        nullptr};
}

/// The questions of simdjson's benchmark, for a peer that reads all tweets before it looks at one. simdjson has its own.
template <typename Peer>
struct Questions {
    static bool find_tweet(const Text &text, std::string &result) {
        TweetTexts tweets{};
        if (!Peer::read(text, tweets)) return false;
        for (const TweetText &tweet : tweets.statuses) {
            if (tweet.id == wanted_tweet) return result = tweet.text, true;
        }
        return true;
    }

    static bool top_tweet(const Text &text, std::string &result) {
        TweetTexts tweets{};
        if (!Peer::read(text, tweets)) return false;
        int64_t most = -1;
        for (const TweetText &tweet : tweets.statuses) {
            if (tweet.retweet_count > most) most = tweet.retweet_count, result = tweet.text;
        }
        return true;
    }

    static bool distinct_user_id(const Text &text, std::string &result) {
        Writers writers{};
        if (!Peer::read(text, writers)) return false;
        std::vector<int64_t> ids;
        for (const RepeatingTweet &tweet : writers.statuses) {
            ids.push_back(tweet.user.id);
            if (tweet.retweeted_status) ids.push_back(tweet.retweeted_status->user.id);
        }
        return result = std::to_string(distinct(ids)), true;
    }

    /// kostya's program, for a peer that reads all coordinates before it adds them up.
    static bool mean(const Text &text, Place &mean) {
        Places places{};
        if (!Peer::read(text, places)) return false;
        for (const Place &place : places.coordinates) mean.x += place.x, mean.y += place.y, mean.z += place.z;
        return divide(mean, places.coordinates.size()), true;
    }

    static void divide(Place &sum, size_t count) { sum.x /= double(count), sum.y /= double(count), sum.z /= double(count); }

    static constexpr int64_t wanted_tweet = 505874901689851904;

    static size_t distinct(std::vector<int64_t> &ids) {
        std::sort(ids.begin(), ids.end());
        return size_t(std::unique(ids.begin(), ids.end()) - ids.begin());
    }
};

/// Memory for a text, of peers that write into a string.
struct StringOutput {
    std::string text;

    std::string_view view() const { return text; }
};

/// A peer without a reader for lines, which has `read(std::string_view, Model &)`.
template <typename Peer>
struct LineByLine : Questions<Peer> {
    template <typename Model, typename Receiver>
    static bool read_lines(const Text &text, Receiver receive) {
        std::string_view rest = text.view();
        while (!rest.empty()) {
            size_t end = rest.find('\n');
            Model model{};
            if (!Peer::read(rest.substr(0, end), model)) return false;
            receive(model);
            rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        }
        return true;
    }
};

template <typename Peer>
const std::map<std::string, Subject> &subjects() {
    static const std::map<std::string, Subject> subjects = {
        {"twitter.json", document<Peer, TwitterTimeline>()},
        {"twitter.json, partial_tweets", document<Peer, PartialTweets>()},
        {"twitter.json, find_tweet", question<Peer::find_tweet>()},
        {"twitter.json, top_tweet", question<Peer::top_tweet>()},
        {"twitter.json, distinct_user_id", question<Peer::distinct_user_id>()},
        {"kostya's coordinates", document<Peer, Coordinates>()},
        {"json_performance", document<Peer, PerformanceObject>()},
        {"json_performance, keys reversed", document<Peer, PerformanceObject>()},
        {"citm_catalog.json", document<Peer, TicketCatalogue>()},
        {"twitter.json, tree", document<Peer, typename Peer::Tree>()},
        {"canada.json, tree", document<Peer, typename Peer::Tree>()},
        {"citm_catalog.json, tree", document<Peer, typename Peer::Tree>()},
        {"twitter.json, every key", document<Peer, TwitterArchive>()},
        {"canada.json", document<Peer, CanadaMap>()},
        {"canada.json, lists", document<Peer, CanadaLists>()},
        {"github_user.json", document<Peer, GitHubUser>()},
        {"github_events.json", document<Peer, std::vector<GitHubEvent>>()},
        {"github_events.ndjson, five keys", lines<Peer, GitHubEventFive>()},
        {"feed.ndjson", lines<Peer, FeedEvent>()},
        {"feed.json, an array", document<Peer, std::vector<FeedEvent>>()},
        {"catalogue, pretty-printed", document<Peer, Catalogue>()},
        {"programme, four spaces a level", document<Peer, Programme>()},
        {"small objects, blanks before colons", document<Peer, std::vector<SmallObject>>()},
        {"texts, escaped", document<Peer, std::vector<Letter>>()},
        {"builds, pretty-printed", document<Peer, BuildServer>()},
        {"people", document<Peer, People>()},
        {"meshes", document<Peer, Mesh>()},
        {"a tick of 14 bytes", document<Peer, Tick>()},
        {"a measurement of 20 bytes", document<Peer, SensorReading>()},
        {"a book of 60 bytes", document<Peer, Book>()},
        {"a log entry of 120 bytes", document<Peer, LogEntry>()},
        {"lines: a tick of 14 bytes", lines<Peer, Tick>()},
        {"lines: a measurement of 20 bytes", lines<Peer, SensorReading>()},
        {"lines: a book of 60 bytes", lines<Peer, Book>()},
        {"lines: a log entry of 120 bytes", lines<Peer, LogEntry>()},
    };
    return subjects;
}

/// The lanes of a peer: one that reads, one that writes into fresh memory, one that writes into memory that it keeps.
struct LaneNames {
    const char *plain, *kept;
    bool writes;
};

template <typename Peer>
std::string run(const LaneNames &names, const std::string &lane, const std::string &direction, long count, const Text &text,
    const std::string &name, std::string *shown = nullptr) {
    auto found = subjects<Peer>().find(name);
    if (found == subjects<Peer>().end()) return "no such document";
    Memory memory = lane == names.kept ? Memory::kept : Memory::fresh;
    double time = direction == "reading" ? found->second.read(text, count, shown) : found->second.write(text, count, memory, shown);
    return time < 0 ? "rejected" : std::to_string(static_cast<long long>(time));
}

template <typename Peer>
std::string list(const LaneNames &names) {
    std::string list;
    for (const auto &[name, subject] : subjects<Peer>()) {
        list += std::string(list.empty() ? "" : ";") + names.plain + " reading " + name;
        if (!names.writes || !subject.write) continue;
        list += std::string(";") + names.plain + " writing " + name;
        // Of a tree only glaze could write into memory that is kept.
        if (!name.ends_with(", tree")) list += std::string(";") + names.kept + " writing " + name;
    }
    return list;
}

template <typename Peer>
int answer(int count, char **arguments, const LaneNames &names) {
    if (count == 7 && std::string_view(arguments[1]) == "once") {
        std::string reply = run<Peer>(names, arguments[2], arguments[3], std::stol(arguments[4]), Text(arguments[5]), arguments[6]);
        std::cout << reply << std::endl;
        return reply[0] < '0' || reply[0] > '9';
    }
    if (count == 3 && std::string_view(arguments[1]) == "coordinates") {
        Place mean{};
        if (!Peer::mean(Text(arguments[2]), mean)) return 1;
        return std::printf("%.17g %.17g %.17g\n", mean.x, mean.y, mean.z) < 0;
    }
    std::map<std::string, Text> texts;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string verb, lane, direction, number, path, result, name, reply;
        words >> verb;
        if (verb == "lanes") {
            reply = list<Peer>(names);
        } else if (verb == "versions") {
            reply = Peer::version();
        } else if (verb == "run") {
            words >> lane >> direction >> number >> path >> std::ws;
            std::getline(words, name);
            const Text &text = texts.try_emplace(path, path).first->second;
            reply = run<Peer>(names, lane, direction, std::stol(number), text, name);
        } else if (verb == "show") {
            words >> lane >> direction >> path >> result >> std::ws;
            std::getline(words, name);
            std::string shown;
            reply = run<Peer>(names, lane, direction, 1, Text(path), name, &shown);
            std::ofstream(result, std::ios::binary) << shown;
        } else {
            reply = "what is '" + verb + "'?";
        }
        std::cout << reply << std::endl;
    }
    return 0;
}
