// glaze, with its own reflection: it learns the members of a struct from the compiler.

#include "lanes.hpp"

#include <glaze/json.hpp>
#include <glaze/version.hpp>

template <HasFields Model>
struct glz::meta<Model> {
    static constexpr std::string_view rename_key(const std::string_view member) { return key_of(member); }
};

namespace {

constexpr glz::opts projecting{.error_on_unknown_keys = false};

/// Without this, glaze writes control characters as they are, which is no JSON.
struct Escaping : glz::opts {
    bool escape_control_characters = true;
};

struct Glaze : LineByLine<Glaze> {
    static std::string version() {
        return "glaze " + std::to_string(glz::version.major) + "." + std::to_string(glz::version.minor) + "." +
            std::to_string(glz::version.patch);
    }

    template <typename Model>
    static bool read(std::string_view text, Model &model) {
        return !glz::read<projecting>(model, text);
    }

    // Integers keep their digits: a tweet's id does not fit into a double.
    using Tree = glz::generic_i64;

    using Output = StringOutput;

    template <typename Model>
    static void write(const Model &model, Output &output) {
        (void)glz::write<Escaping{}>(model, output.text);
    }
};

}

int main(int count, char **arguments) { return answer<Glaze>(count, arguments, {"glaze", "glazeKept", true}); }
