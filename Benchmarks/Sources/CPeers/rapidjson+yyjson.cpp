#include "CPeers.h"

#if __has_include(<rapidjson/reader.h>)
#include <rapidjson/rapidjson.h>
#include <rapidjson/reader.h>

bool peers_have_rapidjson(void) { return true; }
const char *peers_rapidjson_version(void) { return RAPIDJSON_VERSION_STRING; }

// Events only: clang since version 19 rejects document.h of RapidJSON 1.1.0, the release that Debian has, so there is no tree.
bool peers_rapidjson(const uint8_t *text, ptrdiff_t, ptrdiff_t iterations, double *) {
    rapidjson::BaseReaderHandler<> nothing;
    rapidjson::Reader reader;
    for (ptrdiff_t index = 0; index < iterations; index++) {
        // The caller's text is followed by zeros.
        rapidjson::StringStream stream(reinterpret_cast<const char *>(text));
        if (reader.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(stream, nothing).IsError()) return false;
    }
    return true;
}
#else
bool peers_have_rapidjson(void) { return false; }
const char *peers_rapidjson_version(void) { return ""; }
bool peers_rapidjson(const uint8_t *, ptrdiff_t, ptrdiff_t, double *) { return false; }
#endif

#if __has_include(<yyjson.h>)
#include <yyjson.h>

bool peers_have_yyjson(void) { return true; }

bool peers_yyjson(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint) {
    for (ptrdiff_t index = 0; index < iterations; index++) {
        yyjson_doc *document = yyjson_read(reinterpret_cast<const char *>(text), static_cast<size_t>(length), 0);
        if (document == nullptr) return false;
        fingerprint[0] = static_cast<double>(yyjson_get_len(yyjson_doc_get_root(document)));
        yyjson_doc_free(document);
    }
    return true;
}
#else
bool peers_have_yyjson(void) { return false; }
bool peers_yyjson(const uint8_t *, ptrdiff_t, ptrdiff_t, double *) { return false; }
#endif
