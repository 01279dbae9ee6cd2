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

struct Glaze : Questions<Glaze> {
    static std::string version() {
        return "glaze " + std::to_string(glz::version.major) + "." + std::to_string(glz::version.minor) + "." +
            std::to_string(glz::version.patch);
    }

    template <typename Model>
    static bool read(const Text &text, Model &model) {
        return !glz::read<projecting>(model, text.view());
    }

    template <typename Model, typename Receiver>
    static bool read_lines(const Text &text, Receiver receive) {
        std::string_view rest = text.view();
        while (!rest.empty()) {
            size_t end = rest.find('\n');
            Model model{};
            if (glz::read<projecting>(model, rest.substr(0, end))) return false;
            receive(model);
            rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        }
        return true;
    }

    struct Output {
        std::string text;

        std::string_view view() const { return text; }
    };

    template <typename Model>
    static void write(const Model &model, Output &output) {
        (void)glz::write<Escaping{}>(model, output.text);
    }
};

}

int main(int count, char **arguments) { return answer<Glaze>(count, arguments, {"glaze", "glazeKept", true}); }
