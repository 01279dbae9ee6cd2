#ifndef SLUICE_FILE_STATUS_H
#define SLUICE_FILE_STATUS_H

#include <stdint.h>

// What the system says of a file. Swift sees stat(), which says nothing of when a file was made on Linux, and does not see statx(), which
// does.

/// The times are nanoseconds since 1970. `made` is 0 where the file system does not keep it.
struct sluice_file_status {
    uint64_t device, inode;
    int64_t size, made, changed, modified;
    uint32_t mode;
};

/// Returns 0, or -1 with errno. Without a path, the file is the descriptor's.
int sluice_file_status(const char *path, int descriptor, struct sluice_file_status *status);

#endif
