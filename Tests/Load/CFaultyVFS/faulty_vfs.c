#include "CFaultyVFS.h"

// Without SQLite there is no tool, and nothing to test.
#if __has_include(<sqlite3.h>)

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct faulty_plan {
    faulty_plan *next;
    char *prefix;
    faulty_operation operation;
    long first;
    bool is_lasting;
    long calls;
    long failures;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static faulty_plan *plans;

faulty_plan *faulty_plan_begin(const char *prefix, faulty_operation operation, long first, bool is_lasting) {
    faulty_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL || (plan->prefix = strdup(prefix)) == NULL) abort();
    plan->operation = operation;
    plan->first = first;
    plan->is_lasting = is_lasting;
    pthread_mutex_lock(&lock);
    plan->next = plans;
    plans = plan;
    pthread_mutex_unlock(&lock);
    return plan;
}

long faulty_plan_failures(faulty_plan *plan) {
    pthread_mutex_lock(&lock);
    long failures = plan->failures;
    pthread_mutex_unlock(&lock);
    return failures;
}

void faulty_plan_end(faulty_plan *plan) {
    pthread_mutex_lock(&lock);
    for (faulty_plan **place = &plans; *place != NULL; place = &(*place)->next) {
        if (*place == plan) {
            *place = plan->next;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    free(plan->prefix);
    free(plan);
}

static bool is_for(const faulty_plan *plan, const char *path) {
    return strncmp(path, plan->prefix, strlen(plan->prefix)) == 0;
}

// Counts an operation on a file; whether it is to fail.
static bool fails(const char *path, faulty_operation operation) {
    if (path == NULL) return false;
    bool result = false;
    pthread_mutex_lock(&lock);
    for (faulty_plan *plan = plans; plan != NULL; plan = plan->next) {
        if (plan->operation != operation || !is_for(plan, path)) continue;
        plan->calls++;
        if (plan->calls == plan->first || (plan->is_lasting && plan->calls > plan->first)) {
            plan->failures++;
            result = true;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

// Whether any plan is for a file.
static bool is_planned(const char *path) {
    if (path == NULL) return false;
    bool result = false;
    pthread_mutex_lock(&lock);
    for (faulty_plan *plan = plans; plan != NULL && !result; plan = plan->next) result = is_for(plan, path);
    pthread_mutex_unlock(&lock);
    return result;
}

// MARK: Files

typedef struct {
    sqlite3_file base;
    const char *path;
    sqlite3_file *real;
} faulty_file;

// The real file lies after ours, at an address that suits every type.
enum { real_offset = (sizeof(faulty_file) + 15) / 16 * 16 };

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails(((faulty_file *)file)->path, faulty_read)) return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    const char *path = ((faulty_file *)file)->path;
    int failure = fails(path, faulty_write) ? SQLITE_IOERR_WRITE : fails(path, faulty_full) ? SQLITE_FULL : SQLITE_OK;
    int result = real(file)->pMethods->xWrite(real(file), bytes, failure == SQLITE_OK ? count : count / 2, offset);
    return failure == SQLITE_OK ? result : failure;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(((faulty_file *)file)->path, faulty_truncate)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    if (fails(((faulty_file *)file)->path, faulty_sync)) return SQLITE_IOERR_FSYNC;
    return real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return real(file)->pMethods->xFileSize(real(file), size); }

static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int file_check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

// Version 1: no shared memory and no memory maps, past which no read or write goes.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

// MARK: The file system

static sqlite3_vfs *system_vfs;
static sqlite3_vfs faulty_vfs;

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    // The database of another test may need shared memory. Its file is the system's own, for which there is room.
    if (!is_planned(path)) return system_vfs->xOpen(system_vfs, path, file, flags, out_flags);
    faulty_file *opened = (faulty_file *)file;
    opened->base.pMethods = NULL;
    if (fails(path, faulty_open)) return SQLITE_CANTOPEN;
    // SQLite keeps the path until the file is closed.
    opened->path = path;
    opened->real = (sqlite3_file *)((char *)file + real_offset);
    int result = system_vfs->xOpen(system_vfs, path, opened->real, flags, out_flags);
    if (opened->real->pMethods != NULL) opened->base.pMethods = &methods;
    return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_directory) {
    (void)vfs;
    if (fails(path, faulty_delete)) return SQLITE_IOERR_DELETE;
    return system_vfs->xDelete(system_vfs, path, sync_directory);
}

bool faulty_vfs_register(void) {
    bool result = true;
    pthread_mutex_lock(&lock);
    if (system_vfs == NULL) {
        system_vfs = sqlite3_vfs_find(NULL);
        if (system_vfs != NULL) {
            // All else is done by the system's functions, which look into the copy as into their own.
            faulty_vfs = *system_vfs;
            faulty_vfs.pNext = NULL;
            faulty_vfs.zName = "faulty";
            faulty_vfs.szOsFile = real_offset + system_vfs->szOsFile;
            faulty_vfs.xOpen = vfs_open;
            faulty_vfs.xDelete = vfs_delete;
            result = sqlite3_vfs_register(&faulty_vfs, 1) == SQLITE_OK;
        } else {
            result = false;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

#endif
