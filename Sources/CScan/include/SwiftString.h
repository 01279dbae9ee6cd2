// Memory for a Swift string, filled in one call.

#ifndef SWIFTSTRING_H
#define SWIFTSTRING_H

#include <stddef.h>
#include <stdint.h>

/// Makes the object behind a Swift string of 16 to 63 bytes of valid UTF-8; it belongs to the caller.
///
/// The standard library lays such an object out as `[metadata][reference count][capacity][count and flags][text][0]`, where the
/// capacity is the room for text and zero, a multiple of 16 (StringStorage.swift). Whoever calls this has compared objects that are
/// made here with those of the standard library in this process.
///
/// - `metadata`: the first word of a string object of the standard library.
/// - `description`: the count, and the flags in the upper bits, as the first word of the string has them.
void *cscan_make_string(const void *metadata, const uint8_t *bytes, size_t count, uint64_t description);

#endif
