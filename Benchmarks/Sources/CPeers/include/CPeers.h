// C++ libraries that read the same documents: simdjson on-demand into structs by hand, RapidJSON into events without a receiver, yyjson
// into its tree. Each function does the work `iterations` times and leaves the fingerprint of the last result; false if the text is
// rejected. What was not installed when this was built answers false to `peers_have_…`.

#ifndef C_PEERS_H
#define C_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

bool peers_have_simdjson(void);
bool peers_have_rapidjson(void);
bool peers_have_yyjson(void);
const char *peers_simdjson_version(void);
const char *peers_rapidjson_version(void);

// simdjson reads up to 64 bytes after the text: the caller has them.
bool peers_simdjson_twitter(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint);
bool peers_simdjson_canada(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint);
bool peers_simdjson_user(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint);
bool peers_simdjson_five(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint);
bool peers_rapidjson(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint);
bool peers_yyjson(const uint8_t *text, ptrdiff_t length, ptrdiff_t iterations, double *fingerprint);

#ifdef __cplusplus
}
#endif

#endif
