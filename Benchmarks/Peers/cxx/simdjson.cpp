// simdjson, version 4 or newer: on-demand into structs, as one would write it by hand, in the order in which the keys come; its builder for writing.

#include "lanes.hpp"

#include <simdjson.h>

namespace {

namespace od = simdjson::ondemand;

template <typename Value>
void read_value(od::value value, Value &result) {
    if constexpr (std::is_same_v<Value, std::string>) {
        result = std::string_view(value.get_string());
    } else if constexpr (std::is_same_v<Value, bool>) {
        result = value.get_bool();
    } else if constexpr (std::is_same_v<Value, int64_t>) {
        result = value.get_int64();
    } else if constexpr (std::is_same_v<Value, double>) {
        result = value.get_double();
    } else if constexpr (std::is_same_v<Value, Point>) {
        size_t index = 0;
        for (auto element : value.get_array()) {
            if (index < 2) result[index++] = element.get_double();
        }
    } else if constexpr (is_nullable<Value>) {
        if (!value.is_null()) read_value(value, emplace(result));
    } else if constexpr (is_vector<Value>) {
        for (auto element : value.get_array()) read_value(element.value(), result.emplace_back());
    } else if constexpr (is_map<Value>) {
        for (auto field : value.get_object()) {
            std::string_view key = field.unescaped_key();
            read_value(field.value(), result[std::string(key)]);
        }
    } else {
        for (auto field : value.get_object()) {
            // No key of these documents has an escape.
            std::string_view key = field.escaped_key();
            with_field(result, key, [&](auto &member) { read_value(field.value(), member); });
        }
    }
}

using Builder = simdjson::builder::string_builder;

/// `"key":` of a field.
template <typename Model, size_t Index>
constexpr auto quoted_key = [] {
    constexpr std::string_view key = keys_of<Model>[Index];
    std::array<char, key.size() + 3> text{};
    text[0] = text[key.size() + 1] = '"';
    text[key.size() + 2] = ':';
    for (size_t index = 0; index < key.size(); index++) text[index + 1] = key[index];
    return text;
}();

template <typename Value>
void write_value(Builder &builder, const Value &value) {
    if constexpr (std::is_same_v<Value, std::string>) {
        builder.escape_and_append_with_quotes(std::string_view(value));
    } else if constexpr (std::is_arithmetic_v<Value>) {
        builder.append(value);
    } else if constexpr (is_nullable<Value>) {
        write_value(builder, *value);
    } else if constexpr (is_vector<Value> || std::is_same_v<Value, Point>) {
        bool is_first = true;
        builder.start_array();
        for (const auto &element : value) {
            if (!std::exchange(is_first, false)) builder.append_comma();
            write_value(builder, element);
        }
        builder.end_array();
    } else if constexpr (is_map<Value>) {
        bool is_first = true;
        builder.start_object();
        for (const auto &[key, element] : value) {
            if (!std::exchange(is_first, false)) builder.append_comma();
            builder.escape_and_append_with_quotes(std::string_view(key));
            builder.append_colon();
            write_value(builder, element);
        }
        builder.end_object();
    } else {
        bool is_first = true;
        builder.start_object();
        for_each_field(value, [&]<size_t Index, typename Member>(std::integral_constant<size_t, Index>, const Member &member) {
            if constexpr (is_nullable<Member>) {
                if (!member) return;
            }
            if (!std::exchange(is_first, false)) builder.append_comma();
            constexpr auto &key = quoted_key<Value, Index>;
            builder.append_raw(key.data(), key.size());
            write_value(builder, member);
        });
        builder.end_object();
    }
}

struct Simdjson : Questions<Simdjson> {
    static od::parser &parser() {
        static od::parser parser;
        return parser;
    }

    static std::string version() {
        return "simdjson " + std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
            std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." + std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
    }

    template <typename Model>
    static bool read(const Text &text, Model &model) {
        try {
            od::document document = parser().iterate(simdjson::padded_string_view(text.bytes.data(), text.size, text.bytes.size()));
            read_value(document.get_value().value(), model);
            return document.at_end();
        } catch (const simdjson::simdjson_error &) {
            return false;
        }
    }

    struct Output {
        Builder builder;
        std::string tree;

        std::string_view view() const { return tree.empty() ? std::string_view(builder) : tree; }
    };

    /// A value in the parser's own memory, which the next document takes.
    struct Tree {
        simdjson::dom::element root;
    };

    static bool read(const Text &text, Tree &tree) {
        static simdjson::dom::parser parser;
        return parser.parse(text.bytes.data(), text.size, false).get(tree.root) == simdjson::SUCCESS;
    }

    static void write(const Tree &tree, Output &output) {
        output.tree = simdjson::minify(tree.root);
    }

    template <typename Model, typename Receiver>
    static bool read_lines(const Text &text, Receiver receive) {
        try {
            od::document_stream stream = parser().iterate_many(text.bytes.data(), text.size, 1 << 20);
            for (auto document : stream) {
                Model model{};
                read_value(document.get_value().value(), model);
                receive(model);
            }
            return true;
        } catch (const simdjson::simdjson_error &) {
            return false;
        }
    }

    static bool find_tweet(const Text &text, std::string &result) {
        return for_each_tweet(text, [&](od::object tweet) {
            if (int64_t(tweet["id"].get_int64()) != wanted_tweet) return true;
            result = std::string_view(tweet["text"].get_string());
            return false;
        });
    }

    static bool top_tweet(const Text &text, std::string &result) {
        int64_t most = -1;
        std::string_view best;
        bool is_read = for_each_tweet(text, [&](od::object tweet) {
            std::string_view words = tweet["text"].get_string();
            int64_t count = tweet["retweet_count"].get_int64();
            if (count > most) most = count, best = words;
            return true;
        });
        result = best;
        return is_read;
    }

    static bool distinct_user_id(const Text &text, std::string &result) {
        std::vector<int64_t> ids;
        bool is_read = for_each_tweet(text, [&](od::object tweet) {
            ids.push_back(tweet["user"]["id"].get_int64());
            auto repeated = tweet["retweeted_status"];
            if (!repeated.error()) ids.push_back(repeated["user"]["id"].get_int64());
            return true;
        });
        result = std::to_string(distinct(ids));
        return is_read;
    }

    static bool mean(const Text &text, Place &mean) {
        try {
            od::document document = parser().iterate(simdjson::padded_string_view(text.bytes.data(), text.size, text.bytes.size()));
            size_t count = 0;
            for (od::object place : document["coordinates"].get_array()) {
                mean.x += place["x"].get_double();
                mean.y += place["y"].get_double();
                mean.z += place["z"].get_double();
                count++;
            }
            return divide(mean, count), true;
        } catch (const simdjson::simdjson_error &) {
            return false;
        }
    }

    /// Calls `look` for each tweet, until it returns false.
    template <typename Look>
    static bool for_each_tweet(const Text &text, Look look) {
        try {
            od::document document = parser().iterate(simdjson::padded_string_view(text.bytes.data(), text.size, text.bytes.size()));
            for (auto tweet : document["statuses"].get_array()) {
                if (!look(tweet.get_object().value())) break;
            }
            return true;
        } catch (const simdjson::simdjson_error &) {
            return false;
        }
    }

    template <typename Model>
    static void write(const Model &model, Output &output) {
        output.builder.clear();
        write_value(output.builder, model);
    }
};

}

int main(int count, char **arguments) {
    return answer<Simdjson>(count, arguments, {"simdjson", "simdjsonKept", true});
}
