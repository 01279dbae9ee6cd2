// The members of a struct by name, for peers that have no reflection. FIELDS(id, name) stands at the end of a struct, in the order of its keys.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#define FIELDS(...)                                         \
    static constexpr std::string_view members = #__VA_ARGS__; \
    auto fields() { return std::tie(__VA_ARGS__); }         \
    auto fields() const { return std::tie(__VA_ARGS__); }

template <typename Model>
concept HasFields = requires { Model::members; };

/// The JSON key of a member. `public_` is `public`, which C++ would not take.
constexpr std::string_view key_of(std::string_view member) {
    if (member == "likes") return "+1";
    if (member == "dislikes") return "-1";
    if (member == "legacy_id") return "legacy id";
    if (member.ends_with('_')) member.remove_suffix(1);
    return member;
}

template <HasFields Model>
constexpr size_t field_count = std::tuple_size_v<decltype(std::declval<Model &>().fields())>;

/// The keys of a model, in the order of its fields.
template <HasFields Model>
constexpr auto keys_of = [] {
    std::array<std::string_view, field_count<Model>> keys;
    std::string_view rest = Model::members;
    for (std::string_view &key : keys) {
        size_t end = rest.find(',');
        key = key_of(rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : rest.find_first_not_of(' ', end + 1));
    }
    return keys;
}();

/// Calls `with` for the field that has the key; false if there is none.
template <HasFields Model, typename With>
[[gnu::always_inline]] inline bool with_field(Model &model, std::string_view key, With with) {
    auto fields = model.fields();
    return [&]<size_t... Index>(std::index_sequence<Index...>) {
        return ((key == keys_of<Model>[Index] && (with(std::get<Index>(fields)), true)) || ...);
    }(std::make_index_sequence<field_count<Model>>());
}

/// Calls `with` for each key and its field.
template <HasFields Model, typename With>
inline void for_each_field(Model &model, With with) {
    auto fields = model.fields();
    [&]<size_t... Index>(std::index_sequence<Index...>) {
        (with(std::integral_constant<size_t, Index>(), std::get<Index>(fields)), ...);
    }(std::make_index_sequence<field_count<Model>>());
}

template <typename> constexpr bool is_vector = false;
template <typename Element> constexpr bool is_vector<std::vector<Element>> = true;
template <typename> constexpr bool is_map = false;
template <typename Element> constexpr bool is_map<std::unordered_map<std::string, Element>> = true;
/// What may be null: an optional, or the link of a model to its own kind.
template <typename> constexpr bool is_nullable = false;
template <typename Element> constexpr bool is_nullable<std::optional<Element>> = true;
template <typename Element> constexpr bool is_nullable<std::unique_ptr<Element>> = true;

template <typename Element> Element &emplace(std::optional<Element> &optional) { return optional.emplace(); }
template <typename Element> Element &emplace(std::unique_ptr<Element> &link) { return *(link = std::make_unique<Element>()); }
