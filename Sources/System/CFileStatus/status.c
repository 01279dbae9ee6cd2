#define _GNU_SOURCE
#include "CFileStatus.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static int64_t nanoseconds(int64_t seconds, int64_t rest) { return (int64_t)((uint64_t)seconds * 1000000000u + (uint64_t)rest); }

static int by_stat(const char *path, int descriptor, struct sluice_file_status *status) {
    struct stat found;
    if ((path ? stat(path, &found) : fstat(descriptor, &found)) != 0) return -1;
    *status = (struct sluice_file_status){
        .device = (uint64_t)found.st_dev, .inode = (uint64_t)found.st_ino, .size = found.st_size, .mode = found.st_mode};
#ifdef __APPLE__
    status->made = nanoseconds(found.st_birthtimespec.tv_sec, found.st_birthtimespec.tv_nsec);
    status->changed = nanoseconds(found.st_ctimespec.tv_sec, found.st_ctimespec.tv_nsec);
    status->modified = nanoseconds(found.st_mtimespec.tv_sec, found.st_mtimespec.tv_nsec);
#else
    status->changed = nanoseconds(found.st_ctim.tv_sec, found.st_ctim.tv_nsec);
    status->modified = nanoseconds(found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
#endif
    return 0;
}

#ifdef STATX_BTIME
#include <sys/sysmacros.h>

int sluice_file_status(const char *path, int descriptor, struct sluice_file_status *status) {
    struct statx found;
    int code = statx(path ? AT_FDCWD : descriptor, path ? path : "", path ? 0 : AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &found);
    // A kernel before 4.11 does not have it, and a container may forbid it.
    if (code != 0) return errno == ENOSYS || errno == EPERM ? by_stat(path, descriptor, status) : -1;
    *status = (struct sluice_file_status){
        .device = makedev(found.stx_dev_major, found.stx_dev_minor),
        .inode = found.stx_ino,
        .size = (int64_t)found.stx_size,
        .mode = found.stx_mode,
        .changed = nanoseconds(found.stx_ctime.tv_sec, found.stx_ctime.tv_nsec),
        .modified = nanoseconds(found.stx_mtime.tv_sec, found.stx_mtime.tv_nsec)};
    if (found.stx_mask & STATX_BTIME) status->made = nanoseconds(found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
    return 0;
}
#else
int sluice_file_status(const char *path, int descriptor, struct sluice_file_status *status) { return by_stat(path, descriptor, status); }
#endif
