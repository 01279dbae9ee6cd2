// yyjson: its tree, and from there into structs.

#include "lanes.hpp"

#include <yyjson.h>

#include <cstring>

namespace {

template <typename Value>
bool read_value(yyjson_val *value, Value &result) {
    if constexpr (std::is_same_v<Value, std::string>) {
        if (!yyjson_is_str(value)) return false;
        result.assign(unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value));
    } else if constexpr (std::is_same_v<Value, bool>) {
        if (!yyjson_is_bool(value)) return false;
        result = unsafe_yyjson_get_bool(value);
    } else if constexpr (std::is_same_v<Value, int64_t>) {
        if (!yyjson_is_int(value)) return false;
        result = unsafe_yyjson_get_sint(value);
    } else if constexpr (std::is_same_v<Value, double>) {
        if (!yyjson_is_num(value)) return false;
        result = yyjson_get_num(value);
    } else if constexpr (is_nullable<Value>) {
        if (!yyjson_is_null(value)) return read_value(value, emplace(result));
    } else if constexpr (is_vector<Value> || std::is_same_v<Value, Point>) {
        if (!yyjson_is_arr(value)) return false;
        if constexpr (is_vector<Value>) result.resize(yyjson_arr_size(value));
        size_t index, count;
        yyjson_val *element;
        yyjson_arr_foreach(value, index, count, element) {
            if (index < result.size() && !read_value(element, result[index])) return false;
        }
    } else {
        if (!yyjson_is_obj(value)) return false;
        size_t index, count;
        yyjson_val *name, *element;
        yyjson_obj_foreach(value, index, count, name, element) {
            std::string_view key(unsafe_yyjson_get_str(name), unsafe_yyjson_get_len(name));
            bool is_read = true;
            if constexpr (is_map<Value>) {
                is_read = read_value(element, result[std::string(key)]);
            } else {
                with_field(result, key, [&](auto &member) { is_read = read_value(element, member); });
            }
            if (!is_read) return false;
        }
    }
    return true;
}

struct Yyjson : LineByLine<Yyjson> {
    static std::string version() { return "yyjson " YYJSON_VERSION_STRING; }

    template <typename Model>
    static bool read(std::string_view text, Model &model) {
        yyjson_doc *document = yyjson_read(text.data(), text.size(), 0);
        if (document == nullptr) return false;
        bool is_read = read_value(yyjson_doc_get_root(document), model);
        yyjson_doc_free(document);
        return is_read;
    }

    static bool mean(std::string_view text, Place &mean) {
        Tree tree;
        if (!read(text, tree)) return false;
        yyjson_val *places = yyjson_obj_get(yyjson_doc_get_root(tree.document), "coordinates"), *place;
        size_t index, count;
        yyjson_arr_foreach(places, index, count, place) {
            mean.x += yyjson_get_num(yyjson_obj_get(place, "x"));
            mean.y += yyjson_get_num(yyjson_obj_get(place, "y"));
            mean.z += yyjson_get_num(yyjson_obj_get(place, "z"));
        }
        return divide(mean, yyjson_arr_size(places)), true;
    }

    using Output = StringOutput;

    struct Tree {
        yyjson_doc *document = nullptr;

        ~Tree() { yyjson_doc_free(document); }
    };

    static bool read(std::string_view text, Tree &tree) {
        return (tree.document = yyjson_read(text.data(), text.size(), 0)) != nullptr;
    }

    static void write(const Tree &tree, Output &output) {
        size_t size;
        char *text = yyjson_write(tree.document, 0, &size);
        output.text.assign(text, size);
        free(text);
    }

    template <typename Model>
    static void write(const Model &model, Output &output) {
        yyjson_mut_doc *document = yyjson_mut_doc_new(nullptr);
        yyjson_mut_doc_set_root(document, tree(document, model));
        size_t size;
        char *text = yyjson_mut_write(document, 0, &size);
        output.text.assign(text, size);
        free(text);
        yyjson_mut_doc_free(document);
    }

    // The strings stay where the model has them.
    template <typename Value>
    static yyjson_mut_val *tree(yyjson_mut_doc *document, const Value &value) {
        if constexpr (std::is_same_v<Value, std::string>) {
            return yyjson_mut_strn(document, value.data(), value.size());
        } else if constexpr (std::is_same_v<Value, bool>) {
            return yyjson_mut_bool(document, value);
        } else if constexpr (std::is_same_v<Value, int64_t>) {
            return yyjson_mut_sint(document, value);
        } else if constexpr (std::is_same_v<Value, double>) {
            return yyjson_mut_real(document, value);
        } else if constexpr (is_nullable<Value>) {
            return tree(document, *value);
        } else if constexpr (is_vector<Value> || std::is_same_v<Value, Point>) {
            yyjson_mut_val *array = yyjson_mut_arr(document);
            for (const auto &element : value) yyjson_mut_arr_append(array, tree(document, element));
            return array;
        } else if constexpr (is_map<Value>) {
            yyjson_mut_val *object = yyjson_mut_obj(document);
            for (const auto &[key, element] : value) {
                yyjson_mut_obj_add(object, yyjson_mut_strn(document, key.data(), key.size()), tree(document, element));
            }
            return object;
        } else {
            yyjson_mut_val *object = yyjson_mut_obj(document);
            for_each_field(value, [&]<size_t Index, typename Member>(std::integral_constant<size_t, Index>, const Member &member) {
                if constexpr (is_nullable<Member>) {
                    if (!member) return;
                }
                constexpr std::string_view key = keys_of<Value>[Index];
                yyjson_mut_obj_add(object, yyjson_mut_strn(document, key.data(), key.size()), tree(document, member));
            });
            return object;
        }
    }
};

}

int main(int count, char **arguments) { return answer<Yyjson>(count, arguments, {"yyjson", "yyjsonKept", true}); }
