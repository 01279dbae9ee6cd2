// The models of the Swift lanes, in C++. glaze learns their members by itself; the other peers have FIELDS.
//
// A property behind an adapter is what stands in the text: dates are strings here.

#pragma once

#include "fields.hpp"

// canada.json: points of two numbers.
using Point = std::array<double, 2>;

struct StatusMetadata {
    std::string result_type, iso_language_code;
    FIELDS(result_type, iso_language_code)
};

struct TimelineUser {
    int64_t id;
    std::string name, screen_name, location, description;
    std::optional<std::string> url;
    int64_t followers_count, friends_count;
    std::string created_at;
    bool verified;
    int64_t statuses_count;
    std::string lang, profile_image_url;
    FIELDS(id, name, screen_name, location, description, url, followers_count, friends_count, created_at, verified, statuses_count, lang,
        profile_image_url)
};

struct Hashtag {
    std::string text;
    std::vector<int64_t> indices;
    FIELDS(text, indices)
};

struct Link {
    std::string url, expanded_url, display_url;
    std::vector<int64_t> indices;
    FIELDS(url, expanded_url, display_url, indices)
};

struct UserMention {
    std::string screen_name, name;
    int64_t id;
    std::string id_str;
    std::vector<int64_t> indices;
    FIELDS(screen_name, name, id, id_str, indices)
};

struct TimelineEntities {
    std::vector<Hashtag> hashtags;
    std::vector<Link> urls;
    std::vector<UserMention> user_mentions;
    FIELDS(hashtags, urls, user_mentions)
};

struct TimelineStatus {
    StatusMetadata metadata;
    std::string created_at;
    int64_t id;
    std::string text, source;
    bool truncated;
    std::optional<int64_t> in_reply_to_status_id;
    TimelineUser user;
    int64_t retweet_count, favorite_count;
    TimelineEntities entities;
    bool favorited, retweeted;
    std::string lang;
    FIELDS(metadata, created_at, id, text, source, truncated, in_reply_to_status_id, user, retweet_count, favorite_count, entities,
        favorited, retweeted, lang)
};

struct SearchMetadata {
    double completed_in;
    int64_t max_id;
    std::string max_id_str, next_results, query, refresh_url;
    int64_t count, since_id;
    std::string since_id_str;
    FIELDS(completed_in, max_id, max_id_str, next_results, query, refresh_url, count, since_id, since_id_str)
};

struct TwitterTimeline {
    std::vector<TimelineStatus> statuses;
    SearchMetadata search_metadata;
    FIELDS(statuses, search_metadata)
};

struct LinkList {
    std::vector<Link> urls;
    FIELDS(urls)
};

struct UserEntities {
    LinkList description;
    std::optional<LinkList> url;
    FIELDS(description, url)
};

struct TwitterUser {
    int64_t id;
    std::string id_str, name, screen_name, location, description;
    std::optional<std::string> url;
    UserEntities entities;
    bool protected_;
    int64_t followers_count, friends_count, listed_count;
    std::string created_at;
    int64_t favourites_count;
    std::optional<int64_t> utc_offset;
    std::optional<std::string> time_zone;
    bool geo_enabled, verified;
    int64_t statuses_count;
    std::string lang;
    bool contributors_enabled, is_translator, is_translation_enabled;
    std::string profile_background_color, profile_background_image_url, profile_background_image_url_https;
    bool profile_background_tile;
    std::string profile_image_url, profile_image_url_https;
    std::optional<std::string> profile_banner_url;
    std::string profile_link_color, profile_sidebar_border_color, profile_sidebar_fill_color, profile_text_color;
    bool profile_use_background_image, default_profile, default_profile_image, following, follow_request_sent, notifications;
    FIELDS(id, id_str, name, screen_name, location, description, url, entities, protected_, followers_count, friends_count, listed_count,
        created_at, favourites_count, utc_offset, time_zone, geo_enabled, verified, statuses_count, lang, contributors_enabled,
        is_translator, is_translation_enabled, profile_background_color, profile_background_image_url, profile_background_image_url_https,
        profile_background_tile, profile_image_url, profile_image_url_https, profile_banner_url, profile_link_color,
        profile_sidebar_border_color, profile_sidebar_fill_color, profile_text_color, profile_use_background_image, default_profile,
        default_profile_image, following, follow_request_sent, notifications)
};

struct MediaSize {
    int64_t w, h;
    std::string resize;
    FIELDS(w, h, resize)
};

struct MediaSizes {
    MediaSize medium, small, thumb, large;
    FIELDS(medium, small, thumb, large)
};

struct Media {
    int64_t id;
    std::string id_str;
    std::vector<int64_t> indices;
    std::string media_url, media_url_https, url, display_url, expanded_url, type;
    MediaSizes sizes;
    std::optional<int64_t> source_status_id;
    std::optional<std::string> source_status_id_str;
    FIELDS(id, id_str, indices, media_url, media_url_https, url, display_url, expanded_url, type, sizes, source_status_id,
        source_status_id_str)
};

struct StatusEntities {
    std::vector<Hashtag> hashtags, symbols;
    std::vector<Link> urls;
    std::vector<UserMention> user_mentions;
    std::optional<std::vector<Media>> media;
    FIELDS(hashtags, symbols, urls, user_mentions, media)
};

struct TwitterStatus {
    StatusMetadata metadata;
    std::string created_at;
    int64_t id;
    std::string id_str, text, source;
    bool truncated;
    std::optional<int64_t> in_reply_to_status_id;
    std::optional<std::string> in_reply_to_status_id_str;
    std::optional<int64_t> in_reply_to_user_id;
    std::optional<std::string> in_reply_to_user_id_str, in_reply_to_screen_name;
    TwitterUser user;
    int64_t retweet_count, favorite_count;
    StatusEntities entities;
    bool favorited, retweeted;
    std::string lang;
    std::unique_ptr<TwitterStatus> retweeted_status;
    std::optional<bool> possibly_sensitive;
    FIELDS(metadata, created_at, id, id_str, text, source, truncated, in_reply_to_status_id, in_reply_to_status_id_str, in_reply_to_user_id,
        in_reply_to_user_id_str, in_reply_to_screen_name, user, retweet_count, favorite_count, entities, favorited, retweeted, lang,
        retweeted_status, possibly_sensitive)
};

struct TwitterArchive {
    std::vector<TwitterStatus> statuses;
    SearchMetadata search_metadata;
    FIELDS(statuses, search_metadata)
};

struct GitHubUser {
    std::string login;
    int64_t id;
    std::string avatar_url, gravatar_id, url, html_url, followers_url, following_url, gists_url, starred_url, subscriptions_url,
        organizations_url, repos_url, events_url, received_events_url, type;
    bool site_admin;
    std::string name;
    std::optional<std::string> company;
    std::string blog, location;
    std::optional<std::string> email;
    std::optional<bool> hireable;
    std::string bio;
    int64_t public_repos, public_gists, followers, following;
    FIELDS(login, id, avatar_url, gravatar_id, url, html_url, followers_url, following_url, gists_url, starred_url, subscriptions_url,
        organizations_url, repos_url, events_url, received_events_url, type, site_admin, name, company, blog, location, email, hireable,
        bio, public_repos, public_gists, followers, following)
};

struct GitHubActor {
    std::string gravatar_id, login, avatar_url, url;
    int64_t id;
    FIELDS(gravatar_id, login, avatar_url, url, id)
};

struct GitHubRepositoryName {
    std::string url;
    int64_t id;
    std::string name;
    FIELDS(url, id, name)
};

struct GitHubCommitAuthor {
    std::string email, name;
    FIELDS(email, name)
};

struct GitHubCommit {
    std::string url, message;
    bool distinct;
    std::string sha;
    GitHubCommitAuthor author;
    FIELDS(url, message, distinct, sha, author)
};

struct GitHubAccount {
    std::string url, gists_url, gravatar_id, type, avatar_url, subscriptions_url, received_events_url, organizations_url, repos_url,
        login;
    int64_t id;
    std::string starred_url, events_url, followers_url, following_url;
    FIELDS(url, gists_url, gravatar_id, type, avatar_url, subscriptions_url, received_events_url, organizations_url, repos_url, login, id,
        starred_url, events_url, followers_url, following_url)
};

struct GitHubRepository {
    std::string description;
    bool fork;
    std::string url, language, stargazers_url, clone_url, tags_url, full_name, merges_url;
    int64_t forks;
    bool private_;
    std::string git_refs_url, archive_url, collaborators_url;
    GitHubAccount owner;
    std::string languages_url, trees_url, labels_url, html_url, pushed_at, created_at;
    bool has_issues;
    std::string forks_url, branches_url, commits_url, notifications_url;
    int64_t open_issues;
    std::string contents_url, blobs_url, issues_url, compare_url, issue_events_url, name, updated_at, statuses_url;
    int64_t forks_count;
    std::string assignees_url, ssh_url;
    bool public_, has_wiki;
    std::string subscribers_url;
    std::optional<std::string> mirror_url;
    int64_t watchers_count, id;
    bool has_downloads;
    std::string git_commits_url, downloads_url, pulls_url;
    std::optional<std::string> homepage;
    std::string issue_comment_url, hooks_url, subscription_url, milestones_url, svn_url, events_url, git_tags_url, teams_url,
        comments_url;
    int64_t open_issues_count;
    std::string keys_url, git_url, contributors_url;
    int64_t size, watchers;
    FIELDS(description, fork, url, language, stargazers_url, clone_url, tags_url, full_name, merges_url, forks, private_, git_refs_url,
        archive_url, collaborators_url, owner, languages_url, trees_url, labels_url, html_url, pushed_at, created_at, has_issues, forks_url,
        branches_url, commits_url, notifications_url, open_issues, contents_url, blobs_url, issues_url, compare_url, issue_events_url, name,
        updated_at, statuses_url, forks_count, assignees_url, ssh_url, public_, has_wiki, subscribers_url, mirror_url, watchers_count, id,
        has_downloads, git_commits_url, downloads_url, pulls_url, homepage, issue_comment_url, hooks_url, subscription_url, milestones_url,
        svn_url, events_url, git_tags_url, teams_url, comments_url, open_issues_count, keys_url, git_url, contributors_url, size, watchers)
};

struct GitHubPullRequestLinks {
    std::optional<std::string> html_url, patch_url, diff_url;
    FIELDS(html_url, patch_url, diff_url)
};

struct GitHubIssue {
    GitHubAccount user;
    std::string url;
    std::vector<std::string> labels;
    std::string html_url, labels_url;
    GitHubPullRequestLinks pull_request;
    std::string created_at;
    std::optional<std::string> closed_at, milestone;
    std::string title, body, updated_at;
    int64_t number;
    std::string state;
    std::optional<GitHubAccount> assignee;
    int64_t id;
    std::string events_url, comments_url;
    int64_t comments;
    FIELDS(user, url, labels, html_url, labels_url, pull_request, created_at, closed_at, milestone, title, body, updated_at, number, state,
        assignee, id, events_url, comments_url, comments)
};

struct GitHubComment {
    GitHubAccount user;
    std::string url, issue_url, created_at, body, updated_at;
    int64_t id;
    FIELDS(user, url, issue_url, created_at, body, updated_at, id)
};

struct GitHubPage {
    std::string page_name, html_url, title, sha;
    std::optional<std::string> summary;
    std::string action;
    FIELDS(page_name, html_url, title, sha, summary, action)
};

struct GitHubPayload {
    std::optional<std::vector<GitHubCommit>> commits;
    std::optional<int64_t> distinct_size;
    std::optional<std::string> ref;
    std::optional<int64_t> push_id;
    std::optional<std::string> head, before;
    std::optional<int64_t> size;
    std::optional<std::string> description, master_branch, ref_type;
    std::optional<GitHubRepository> forkee;
    std::optional<std::string> action;
    std::optional<GitHubIssue> issue;
    std::optional<GitHubComment> comment;
    std::optional<std::vector<GitHubPage>> pages;
    FIELDS(commits, distinct_size, ref, push_id, head, before, size, description, master_branch, ref_type, forkee, action, issue, comment,
        pages)
};

struct GitHubEvent {
    std::string type, created_at;
    GitHubActor actor;
    GitHubRepositoryName repo;
    bool public_;
    GitHubPayload payload;
    std::string id;
    std::optional<GitHubActor> org;
    FIELDS(type, created_at, actor, repo, public_, payload, id, org)
};

struct FeedActor {
    int64_t id;
    std::string login;
    std::optional<std::string> gravatar_id;
    std::string url, avatar_url;
    FIELDS(id, login, gravatar_id, url, avatar_url)
};

struct FeedRepository {
    int64_t id;
    std::string name, url;
    FIELDS(id, name, url)
};

struct FeedAuthor {
    std::string email, name;
    FIELDS(email, name)
};

struct FeedCommit {
    std::string sha;
    FeedAuthor author;
    std::string message;
    bool distinct;
    std::string url;
    FIELDS(sha, author, message, distinct, url)
};

struct FeedUser {
    std::string login;
    std::optional<int64_t> id;
    FIELDS(login, id)
};

struct FeedLabel {
    std::string name, color;
    FIELDS(name, color)
};

struct FeedIssue {
    std::optional<int64_t> id;
    int64_t number;
    std::string title;
    std::optional<FeedUser> user;
    std::optional<std::vector<FeedLabel>> labels;
    std::optional<std::string> state;
    std::optional<int64_t> comments;
    std::optional<std::string> closed_at, body;
    FIELDS(id, number, title, user, labels, state, comments, closed_at, body)
};

struct FeedReactions {
    int64_t likes, dislikes, total_count;
    FIELDS(likes, dislikes, total_count)
};

struct FeedComment {
    int64_t id;
    FeedUser user;
    FeedReactions reactions;
    std::string body;
    FIELDS(id, user, reactions, body)
};

struct FeedBranch {
    std::string ref, sha;
    FIELDS(ref, sha)
};

struct FeedPullRequest {
    int64_t id;
    std::string title;
    std::optional<bool> merged;
    int64_t additions, deletions, balance;
    double coverage;
    FeedBranch base;
    FIELDS(id, title, merged, additions, deletions, balance, coverage, base)
};

struct FeedFork {
    int64_t id;
    std::string full_name;
    bool private_;
    int64_t size;
    std::vector<std::string> topics;
    std::optional<std::string> description;
    FIELDS(id, full_name, private_, size, topics, description)
};

struct FeedAsset {
    std::string name;
    int64_t size;
    FIELDS(name, size)
};

struct FeedRelease {
    int64_t id;
    std::string tag_name;
    bool draft, prerelease;
    std::vector<FeedAsset> assets;
    std::string body;
    FIELDS(id, tag_name, draft, prerelease, assets, body)
};

struct FeedPayload {
    std::optional<int64_t> push_id, size, distinct_size;
    std::optional<std::string> ref, before;
    std::optional<std::vector<FeedCommit>> commits;
    std::optional<std::string> head, action, ref_type, master_branch, description, pusher_type;
    std::optional<FeedIssue> issue;
    std::optional<FeedComment> comment;
    std::optional<int64_t> number;
    std::optional<FeedPullRequest> pull_request;
    std::optional<FeedFork> forkee;
    std::optional<FeedRelease> release;
    FIELDS(push_id, size, distinct_size, ref, before, commits, head, action, ref_type, master_branch, description, pusher_type, issue,
        comment, number, pull_request, forkee, release)
};

struct FeedMetrics {
    double latency_ms, skew;
    int64_t delta;
    FIELDS(latency_ms, skew, delta)
};

struct FeedOrganization {
    int64_t id;
    std::string login, gravatar_id, url;
    FIELDS(id, login, gravatar_id, url)
};

struct FeedSponsor {
    std::string tier;
    double amount;
    FIELDS(tier, amount)
};

struct FeedEvent {
    int64_t id;
    std::string type;
    FeedActor actor;
    FeedRepository repo;
    FeedPayload payload;
    bool public_;
    std::string created_at;
    FeedMetrics metrics;
    std::optional<FeedOrganization> org;
    std::optional<FeedSponsor> sponsor;
    std::optional<std::vector<int64_t>> trace;
    std::optional<int64_t> legacy_id;
    FIELDS(id, type, actor, repo, payload, public_, created_at, metrics, org, sponsor, trace, legacy_id)
};

struct MapProperties {
    std::string name;
    FIELDS(name)
};

struct MapPolygon {
    std::string type;
    std::vector<std::vector<Point>> coordinates;
    FIELDS(type, coordinates)
};

struct MapFeature {
    std::string type;
    MapProperties properties;
    MapPolygon geometry;
    FIELDS(type, properties, geometry)
};

struct CanadaMap {
    std::string type;
    std::vector<MapFeature> features;
    FIELDS(type, features)
};

struct CanadaGeometry {
    std::vector<std::vector<std::vector<double>>> coordinates;
    FIELDS(coordinates)
};

struct CanadaFeature {
    CanadaGeometry geometry;
    FIELDS(geometry)
};

struct CanadaLists {
    std::vector<CanadaFeature> features;
    FIELDS(features)
};

struct EventActor {
    std::string login;
    FIELDS(login)
};

struct EventRepository {
    std::string name;
    FIELDS(name)
};

struct GitHubEventFive {
    std::string id, type;
    EventActor actor;
    EventRepository repo;
    std::string created_at;
    FIELDS(id, type, actor, repo, created_at)
};

struct Size {
    int64_t width, height, depth;
    FIELDS(width, height, depth)
};

struct Product {
    int64_t id;
    std::string name;
    double price;
    bool inStock;
    Size size;
    std::vector<std::string> tags;
    FIELDS(id, name, price, inStock, size, tags)
};

struct Section {
    std::string name;
    std::vector<Product> products;
    FIELDS(name, products)
};

struct Catalogue {
    std::string title;
    std::vector<Section> sections;
    FIELDS(title, sections)
};

struct Tick {
    int64_t id;
    FIELDS(id)
};

struct SensorReading {
    int64_t id;
    double t;
    FIELDS(id, t)
};

struct LogEntry {
    std::string time, level, host, message;
    int64_t status, size;
    FIELDS(time, level, host, message, status, size)
};

struct Book {
    std::string title, author;
    int64_t pages;
    bool isLent;
    FIELDS(title, author, pages, isLent)
};

struct Show {
    int64_t id;
    std::string name;
    std::optional<std::string> logo, subtitle;
    std::vector<int64_t> topics;
    FIELDS(id, name, logo, subtitle, topics)
};

struct Price {
    int64_t amount, audience, category;
    FIELDS(amount, audience, category)
};

struct Area {
    int64_t id;
    std::vector<int64_t> blocks;
    FIELDS(id, blocks)
};

struct Seats {
    int64_t category;
    std::vector<Area> areas;
    FIELDS(category, areas)
};

struct Evening {
    int64_t id, show;
    std::optional<std::string> name;
    int64_t start;
    std::string hall;
    std::vector<Price> prices;
    std::vector<Seats> seats;
    FIELDS(id, show, name, start, hall, prices, seats)
};

struct Programme {
    std::unordered_map<std::string, std::string> areaNames;
    std::unordered_map<std::string, Show> shows;
    std::vector<Evening> evenings;
    FIELDS(areaNames, shows, evenings)
};

struct SmallObject {
    int64_t a, b;
    std::string c;
    FIELDS(a, b, c)
};

struct Letter {
    int64_t id;
    std::string language, subject, text;
    FIELDS(id, language, subject, text)
};

struct Job {
    std::string name, url, color;
    FIELDS(name, url, color)
};

struct View {
    std::string name, url;
    FIELDS(name, url)
};

struct BuildServer {
    std::string mode;
    std::optional<std::string> description;
    std::vector<Job> jobs;
    std::vector<View> views;
    FIELDS(mode, description, jobs, views)
};

struct Friend {
    int64_t id;
    std::string name, phone;
    FIELDS(id, name, phone)
};

struct Person {
    int64_t id;
    std::string avatar;
    int64_t age;
    bool admin;
    std::string name;
    std::optional<std::string> company;
    std::string phone, email, birthDate;
    std::vector<Friend> friends;
    std::string field;
    FIELDS(id, avatar, age, admin, name, company, phone, email, birthDate, friends, field)
};

struct People {
    std::vector<Person> result;
    FIELDS(result)
};

struct Mesh {
    std::string name;
    std::vector<int64_t> indices;
    std::vector<double> positions;
    std::vector<std::vector<double>> normals;
    std::vector<std::vector<int64_t>> colors;
    FIELDS(name, indices, positions, normals, colors)
};

struct PartialUser {
    int64_t id;
    std::string screen_name;
    FIELDS(id, screen_name)
};

struct PartialTweet {
    std::string created_at;
    int64_t id;
    std::string text;
    std::optional<int64_t> in_reply_to_status_id;
    PartialUser user;
    int64_t retweet_count, favorite_count;
    FIELDS(created_at, id, text, in_reply_to_status_id, user, retweet_count, favorite_count)
};

struct PartialTweets {
    std::vector<PartialTweet> statuses;
    FIELDS(statuses)
};

struct Writer {
    int64_t id;
    FIELDS(id)
};

struct RepeatedTweet {
    Writer user;
    FIELDS(user)
};

struct RepeatingTweet {
    Writer user;
    std::optional<RepeatedTweet> retweeted_status;
    FIELDS(user, retweeted_status)
};

struct Writers {
    std::vector<RepeatingTweet> statuses;
    FIELDS(statuses)
};

struct TweetText {
    int64_t id;
    std::string text;
    int64_t retweet_count;
    FIELDS(id, text, retweet_count)
};

struct TweetTexts {
    std::vector<TweetText> statuses;
    FIELDS(statuses)
};

struct Coordinate {
    double x, y, z;
    std::string name;
    FIELDS(x, y, z, name)
};

struct Coordinates {
    std::vector<Coordinate> coordinates;
    std::string info;
    FIELDS(coordinates, info)
};

struct NumberLists {
    std::vector<int64_t> int_array;
    std::vector<double> float_array, double_array;
    FIELDS(int_array, float_array, double_array)
};

struct FiveNames {
    std::string name0, name1, name2, name3, name4;
    FIELDS(name0, name1, name2, name3, name4)
};

struct Vectors {
    std::vector<std::vector<double>> v3s;
    std::string id;
    FIELDS(v3s, id)
};

struct TextsAndVectors {
    std::string string, another_string;
    bool boolean;
    Vectors nested_object;
    FIELDS(string, another_string, boolean, nested_object)
};

struct PerformanceObject {
    NumberLists fixed_object;
    FiveNames fixed_name_object;
    TextsAndVectors another_object;
    std::vector<std::string> string_array;
    std::string string;
    double number;
    bool boolean, another_bool;
    FIELDS(fixed_object, fixed_name_object, another_object, string_array, string, number, boolean, another_bool)
};

struct TicketEvent {
    std::optional<std::string> description;
    int64_t id;
    std::optional<std::string> logo;
    std::string name;
    std::vector<int64_t> subTopicIds;
    std::optional<std::string> subjectCode, subtitle;
    std::vector<int64_t> topicIds;
    FIELDS(description, id, logo, name, subTopicIds, subjectCode, subtitle, topicIds)
};

struct TicketPrice {
    int64_t amount, audienceSubCategoryId, seatCategoryId;
    FIELDS(amount, audienceSubCategoryId, seatCategoryId)
};

struct SeatArea {
    int64_t areaId;
    std::vector<int64_t> blockIds;
    FIELDS(areaId, blockIds)
};

struct SeatCategory {
    std::vector<SeatArea> areas;
    int64_t seatCategoryId;
    FIELDS(areas, seatCategoryId)
};

struct Performance {
    int64_t eventId, id;
    std::optional<std::string> logo, name;
    std::vector<TicketPrice> prices;
    std::vector<SeatCategory> seatCategories;
    std::optional<std::string> seatMapImage;
    int64_t start;
    std::string venueCode;
    FIELDS(eventId, id, logo, name, prices, seatCategories, seatMapImage, start, venueCode)
};

using NameMap = std::unordered_map<std::string, std::string>;

struct TicketCatalogue {
    NameMap areaNames, audienceSubCategoryNames, blockNames;
    std::unordered_map<std::string, TicketEvent> events;
    std::vector<Performance> performances;
    NameMap seatCategoryNames, subTopicNames, subjectNames, topicNames;
    std::unordered_map<std::string, std::vector<int64_t>> topicSubTopics;
    NameMap venueNames;
    FIELDS(areaNames, audienceSubCategoryNames, blockNames, events, performances, seatCategoryNames, subTopicNames, subjectNames,
        topicNames, topicSubTopics, venueNames)
};

struct Place {
    double x, y, z;
    FIELDS(x, y, z)
};

struct Places {
    std::vector<Place> coordinates;
    FIELDS(coordinates)
};
