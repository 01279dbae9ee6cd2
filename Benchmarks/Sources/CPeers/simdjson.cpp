#include "CPeers.h"

#if __has_include(<simdjson.h>)
#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The same models as in Swift, filled by hand in the order in which on-demand finds the keys. Strings are copied: so are Swift's.
using namespace simdjson;
namespace od = simdjson::ondemand;

namespace {

struct Metadata { std::string result_type, iso_language_code; };
struct Hashtag { std::string text; std::vector<int64_t> indices; };
struct Link { std::string url, expanded_url, display_url; std::vector<int64_t> indices; };
struct Mention { std::string screen_name, name, id_str; int64_t id; std::vector<int64_t> indices; };
struct Entities { std::vector<Hashtag> hashtags; std::vector<Link> urls; std::vector<Mention> user_mentions; };
struct User {
    int64_t id, followers_count, friends_count, statuses_count;
    std::string name, screen_name, location, description, created_at, lang, profile_image_url;
    std::optional<std::string> url;
    bool verified;
};
struct Status {
    Metadata metadata;
    std::string created_at, text, source, lang;
    int64_t id, retweet_count, favorite_count;
    std::optional<int64_t> in_reply_to_status_id;
    bool truncated, favorited, retweeted;
    User user;
    Entities entities;
};
struct SearchMetadata {
    double completed_in;
    int64_t max_id, count, since_id;
    std::string max_id_str, next_results, query, refresh_url, since_id_str;
};
struct Archive { std::vector<Status> statuses; SearchMetadata search_metadata; };

std::string text_of(od::value value) { return std::string(std::string_view(value.get_string())); }

std::optional<std::string> optional_text_of(od::value value) {
    if (value.is_null()) return std::nullopt;
    return text_of(value);
}

std::vector<int64_t> integers_of(od::value value) {
    std::vector<int64_t> result;
    for (auto element : value.get_array()) result.push_back(int64_t(element.get_int64()));
    return result;
}

Metadata metadata_of(od::value value) {
    Metadata result;
    for (auto field : value.get_object()) {
        std::string_view key = field.unescaped_key();
        if (key == "result_type") result.result_type = text_of(field.value());
        else if (key == "iso_language_code") result.iso_language_code = text_of(field.value());
    }
    return result;
}

User user_of(od::value value) {
    User result;
    for (auto field : value.get_object()) {
        std::string_view key = field.unescaped_key();
        if (key == "id") result.id = field.value().get_int64();
        else if (key == "name") result.name = text_of(field.value());
        else if (key == "screen_name") result.screen_name = text_of(field.value());
        else if (key == "location") result.location = text_of(field.value());
        else if (key == "description") result.description = text_of(field.value());
        else if (key == "url") result.url = optional_text_of(field.value());
        else if (key == "followers_count") result.followers_count = field.value().get_int64();
        else if (key == "friends_count") result.friends_count = field.value().get_int64();
        else if (key == "created_at") result.created_at = text_of(field.value());
        else if (key == "verified") result.verified = field.value().get_bool();
        else if (key == "statuses_count") result.statuses_count = field.value().get_int64();
        else if (key == "lang") result.lang = text_of(field.value());
        else if (key == "profile_image_url") result.profile_image_url = text_of(field.value());
    }
    return result;
}

Entities entities_of(od::value value) {
    Entities result;
    for (auto field : value.get_object()) {
        std::string_view key = field.unescaped_key();
        if (key == "hashtags") {
            for (auto element : field.value().get_array()) {
                Hashtag hashtag;
                for (auto part : element.get_object()) {
                    std::string_view name = part.unescaped_key();
                    if (name == "text") hashtag.text = text_of(part.value());
                    else if (name == "indices") hashtag.indices = integers_of(part.value());
                }
                result.hashtags.push_back(std::move(hashtag));
            }
        } else if (key == "urls") {
            for (auto element : field.value().get_array()) {
                Link link;
                for (auto part : element.get_object()) {
                    std::string_view name = part.unescaped_key();
                    if (name == "url") link.url = text_of(part.value());
                    else if (name == "expanded_url") link.expanded_url = text_of(part.value());
                    else if (name == "display_url") link.display_url = text_of(part.value());
                    else if (name == "indices") link.indices = integers_of(part.value());
                }
                result.urls.push_back(std::move(link));
            }
        } else if (key == "user_mentions") {
            for (auto element : field.value().get_array()) {
                Mention mention;
                for (auto part : element.get_object()) {
                    std::string_view name = part.unescaped_key();
                    if (name == "screen_name") mention.screen_name = text_of(part.value());
                    else if (name == "name") mention.name = text_of(part.value());
                    else if (name == "id") mention.id = part.value().get_int64();
                    else if (name == "id_str") mention.id_str = text_of(part.value());
                    else if (name == "indices") mention.indices = integers_of(part.value());
                }
                result.user_mentions.push_back(std::move(mention));
            }
        }
    }
    return result;
}

Status status_of(od::value value) {
    Status result;
    for (auto field : value.get_object()) {
        std::string_view key = field.unescaped_key();
        if (key == "metadata") result.metadata = metadata_of(field.value());
        else if (key == "created_at") result.created_at = text_of(field.value());
        else if (key == "id") result.id = field.value().get_int64();
        else if (key == "text") result.text = text_of(field.value());
        else if (key == "source") result.source = text_of(field.value());
        else if (key == "truncated") result.truncated = field.value().get_bool();
        else if (key == "in_reply_to_status_id") {
            od::value number = field.value();
            if (!number.is_null()) result.in_reply_to_status_id = int64_t(number.get_int64());
        }
        else if (key == "user") result.user = user_of(field.value());
        else if (key == "retweet_count") result.retweet_count = field.value().get_int64();
        else if (key == "favorite_count") result.favorite_count = field.value().get_int64();
        else if (key == "entities") result.entities = entities_of(field.value());
        else if (key == "favorited") result.favorited = field.value().get_bool();
        else if (key == "retweeted") result.retweeted = field.value().get_bool();
        else if (key == "lang") result.lang = text_of(field.value());
    }
    return result;
}

SearchMetadata search_metadata_of(od::value value) {
    SearchMetadata result;
    for (auto field : value.get_object()) {
        std::string_view key = field.unescaped_key();
        if (key == "completed_in") result.completed_in = field.value().get_double();
        else if (key == "max_id") result.max_id = field.value().get_int64();
        else if (key == "max_id_str") result.max_id_str = text_of(field.value());
        else if (key == "next_results") result.next_results = text_of(field.value());
        else if (key == "query") result.query = text_of(field.value());
        else if (key == "refresh_url") result.refresh_url = text_of(field.value());
        else if (key == "count") result.count = field.value().get_int64();
        else if (key == "since_id") result.since_id = field.value().get_int64();
        else if (key == "since_id_str") result.since_id_str = text_of(field.value());
    }
    return result;
}

/// Runs a reader so often; exceptions of simdjson are a rejected text.
template <typename Read>
bool repeat(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, Read read) {
    static od::parser parser;
    try {
        padded_string_view view(reinterpret_cast<const char *>(text), size_t(length), size_t(length) + SIMDJSON_PADDING);
        for (ptrdiff_t index = 0; index < iterations; index++) {
            od::document document = parser.iterate(view);
            read(document);
        }
        return true;
    } catch (const simdjson_error &) {
        return false;
    }
}

} // namespace

bool peers_have_simdjson(void) { return true; }
#define TEXT_OF(words) #words
#define TEXT_OF_VALUE(macro) TEXT_OF(macro)
const char *peers_simdjson_version(void) { return TEXT_OF_VALUE(SIMDJSON_VERSION); }

bool peers_simdjson_twitter(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint) {
    Archive archive;
    bool is_read = repeat(text, length, iterations, [&](od::document &document) {
        archive = Archive();
        for (auto field : document.get_object()) {
            std::string_view key = field.unescaped_key();
            if (key == "statuses") {
                for (auto element : field.value().get_array()) archive.statuses.push_back(status_of(element.value()));
            } else if (key == "search_metadata") {
                archive.search_metadata = search_metadata_of(field.value());
            }
        }
    });
    fingerprint[0] = double(archive.statuses.size());
    fingerprint[1] = fingerprint[2] = fingerprint[3] = 0;
    for (const Status &status : archive.statuses) {
        fingerprint[1] += double(status.text.size() + status.user.name.size());
        fingerprint[2] += double(status.user.followers_count + status.retweet_count);
        for (const Mention &mention : status.entities.user_mentions) {
            for (int64_t index : mention.indices) fingerprint[3] += double(index);
        }
    }
    return is_read;
}

bool peers_simdjson_canada(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint) {
    struct Point { double longitude, latitude; };
    struct Feature { std::string type, name, geometry; std::vector<std::vector<Point>> coordinates; };
    struct Map { std::string type; std::vector<Feature> features; } map;
    bool is_read = repeat(text, length, iterations, [&](od::document &document) {
        map = Map();
        for (auto field : document.get_object()) {
            std::string_view key = field.unescaped_key();
            if (key == "type") { map.type = text_of(field.value()); continue; }
            if (key != "features") continue;
            for (auto element : field.value().get_array()) {
                Feature feature;
                for (auto part : element.get_object()) {
                    std::string_view name = part.unescaped_key();
                    if (name == "type") feature.type = text_of(part.value());
                    else if (name == "properties") feature.name = std::string(std::string_view(part.value()["name"]));
                    else if (name == "geometry") {
                        for (auto shape : part.value().get_object()) {
                            std::string_view inner = shape.unescaped_key();
                            if (inner == "type") { feature.geometry = text_of(shape.value()); continue; }
                            if (inner != "coordinates") continue;
                            for (auto ring : shape.value().get_array()) {
                                std::vector<Point> points;
                                for (auto point : ring.get_array()) {
                                    double numbers[2] = {0, 0};
                                    size_t count = 0;
                                    for (auto number : point.get_array()) {
                                        double value = double(number.get_double());
                                        if (count < 2) numbers[count++] = value;
                                    }
                                    points.push_back({numbers[0], numbers[1]});
                                }
                                feature.coordinates.push_back(std::move(points));
                            }
                        }
                    }
                }
                map.features.push_back(std::move(feature));
            }
        }
    });
    fingerprint[0] = fingerprint[1] = 0;
    if (!is_read || map.features.empty()) return false;
    for (const auto &ring : map.features[0].coordinates) {
        for (const auto &point : ring) {
            fingerprint[0] += 1;
            fingerprint[1] += point.longitude;
            fingerprint[1] += point.latitude;
        }
    }
    return true;
}

bool peers_simdjson_user(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint) {
    struct GitHubUser {
        std::string texts[20];
        std::optional<std::string> company, email;
        std::optional<bool> hireable;
        int64_t id, public_repos, public_gists, followers, following;
        bool site_admin;
    } user;
    bool is_read = repeat(text, length, iterations, [&](od::document &document) {
        user = GitHubUser();
        for (auto field : document.get_object()) {
            static const std::string_view keys[20] = {
                "login", "avatar_url", "gravatar_id", "url", "html_url", "followers_url", "following_url", "gists_url",
                "starred_url", "subscriptions_url", "organizations_url", "repos_url", "events_url", "received_events_url",
                "type", "name", "blog", "location", "bio", "",
            };
            // The keys come in the order of the model: the next one first, as a generated parser would do.
            static thread_local int next;
            std::string_view key = field.unescaped_key();
            if (key == "login") next = 0;
            if (key == keys[next]) { user.texts[next++] = text_of(field.value()); continue; }
            if (key == "id") user.id = field.value().get_int64();
            else if (key == "site_admin") user.site_admin = field.value().get_bool();
            else if (key == "company") user.company = optional_text_of(field.value());
            else if (key == "email") user.email = optional_text_of(field.value());
            else if (key == "hireable") {
                od::value flag = field.value();
                if (!flag.is_null()) user.hireable = bool(flag.get_bool());
            }
            else if (key == "public_repos") user.public_repos = field.value().get_int64();
            else if (key == "public_gists") user.public_gists = field.value().get_int64();
            else if (key == "followers") user.followers = field.value().get_int64();
            else if (key == "following") user.following = field.value().get_int64();
        }
    });
    fingerprint[0] = double(user.id);
    fingerprint[1] = double(user.texts[18].size() + user.texts[13].size());
    fingerprint[2] = double(user.public_repos);
    return is_read;
}

bool peers_simdjson_five(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint) {
    static od::parser parser;
    struct Event { std::string id, type, login, repository, created_at; };
    try {
        for (ptrdiff_t index = 0; index < iterations; index++) {
            fingerprint[0] = fingerprint[1] = fingerprint[2] = 0;
            od::document_stream stream = parser.iterate_many(text, size_t(length));
            for (auto document : stream) {
                Event event;
                for (auto field : document.get_object()) {
                    std::string_view key = field.unescaped_key();
                    if (key == "id") event.id = text_of(field.value());
                    else if (key == "type") event.type = text_of(field.value());
                    else if (key == "actor") event.login = std::string(std::string_view(field.value()["login"]));
                    else if (key == "repo") event.repository = std::string(std::string_view(field.value()["name"]));
                    else if (key == "created_at") event.created_at = text_of(field.value());
                }
                fingerprint[0] += 1;
                fingerprint[1] += double(event.login.size() + event.repository.size());
                fingerprint[2] += double(event.id.size() + event.type.size() + event.created_at.size());
            }
        }
        return true;
    } catch (const simdjson_error &) {
        return false;
    }
}
#else
bool peers_have_simdjson(void) { return false; }
const char *peers_simdjson_version(void) { return ""; }
bool peers_simdjson_twitter(const uint8_t *, ptrdiff_t, ptrdiff_t, double *) { return false; }
bool peers_simdjson_canada(const uint8_t *, ptrdiff_t, ptrdiff_t, double *) { return false; }
bool peers_simdjson_user(const uint8_t *, ptrdiff_t, ptrdiff_t, double *) { return false; }
bool peers_simdjson_five(const uint8_t *, ptrdiff_t, ptrdiff_t, double *) { return false; }
#endif
