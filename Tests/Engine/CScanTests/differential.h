// CScan's vectors against plain C, byte by byte, at every level that the machine has.

#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include <stddef.h>
#include <stdint.h>

/// Scans the bytes in every way, at every level. If a way disagrees with the plain reference, prints which and the bytes, and
/// ends the process.
void check_all_scans(const uint8_t *bytes, size_t count);

#endif
