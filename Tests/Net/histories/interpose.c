// Intercepts calls from `sluice` to the C library (LD_PRELOAD), for tests only. It does two things with the regular files below the folder
// that HISTORIES_FOLDER names:
//
// 1. It counts operations: reads of inputs, everything that changes, syncs or locks a file for writing, and data that is sent to a
//    server. HISTORIES_ACTIONS ("12:STOP,40:KILL") sends the process a signal right before the operation with that number; "40:TEAR"
//    writes the first half of that write, and then kills. So a history stops, ends or kills a run at the same place each time it is
//    played. With HISTORIES_SCHEDULED, a process that waits for another one (for a lock, or by sleeping again and again) stops itself.
//    Then the player of the history can let the other one continue.
// 2. It passes each write on. It writes the bytes that each write has replaced, and each sync, to the log that HISTORIES_LOG names.
//    crash.py uses the log to undo what a loss of power would undo.
//
// Names are not logged: that a file was made, renamed or removed counts as durable at once. The shared memory of SQLite (-shm)
// is mapped, not written; SQLite makes it anew when it opens a database that no process has open.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

enum { SECTOR = 512, MOST_ACTIONS = 32, MOST_DESCRIPTORS = 256, SLEEPS_OF_WAITING = 4 };
enum kind { UNKNOWN, OTHER, DATABASE, PLAIN };
enum { WRITE = 1, TRUNCATE = 2, SYNC = 3 };

static char folder[PATH_MAX];
static size_t folderLength;
static int logDescriptor = -1;
static int isScheduled;
static struct { long at; int signal; int tears; } actions[MOST_ACTIONS];
static int actionCount;
static atomic_long operations;
static atomic_int sleeps;

static struct { dev_t device; ino_t number; enum kind kind; } known[MOST_DESCRIPTORS];

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("HISTORIES_FOLDER");
    if (!text || !realpath(text, folder)) return;
    folderLength = strlen(folder);
    isScheduled = getenv("HISTORIES_SCHEDULED") != NULL;
    text = getenv("HISTORIES_LOG");
    if (text) {
        int low = open(text, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
        logDescriptor = (int)syscall(SYS_fcntl, low, F_DUPFD_CLOEXEC, 200);
        close(low);
    }
    static const struct { const char *name; int signal; } names[] = {
        {"STOP", SIGSTOP}, {"KILL", SIGKILL}, {"INT", SIGINT}, {"TERM", SIGTERM}, {"TEAR", SIGKILL}};
    for (text = getenv("HISTORIES_ACTIONS"); text && *text && actionCount < MOST_ACTIONS;) {
        char *rest;
        long at = strtol(text, &rest, 10);
        if (*rest != ':') break;
        rest++;
        for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
            if (strncmp(rest, names[index].name, strlen(names[index].name))) continue;
            actions[actionCount].at = at;
            actions[actionCount].signal = names[index].signal;
            actions[actionCount++].tears = !strcmp(names[index].name, "TEAR");
        }
        text = strchr(rest, ',');
        if (text) text++;
    }
}

static enum kind kindOf(int descriptor) {
    if (!folderLength || descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return OTHER;
    struct stat status;
    if (fstat(descriptor, &status) || !S_ISREG(status.st_mode)) return OTHER;
    enum kind kind = known[descriptor].kind;
    if (kind != UNKNOWN && known[descriptor].number == status.st_ino && known[descriptor].device == status.st_dev) return kind;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    kind = OTHER;
    if (length > (ssize_t)folderLength) {
        path[length] = 0;
        if (!strncmp(path, folder, folderLength) && path[folderLength] == '/' && !strstr(path, "-shm"))
            kind = strstr(path + folderLength, ".db") ? DATABASE : PLAIN;
    }
    known[descriptor].device = status.st_dev;
    known[descriptor].number = status.st_ino;
    known[descriptor].kind = kind;
    return kind;
}

// Counts an operation, and does what is to be done before it. Returns whether the operation is a write to be torn.
static int countAttempt(void) {
    if (!folderLength) return 0;
    long number = atomic_fetch_add(&operations, 1) + 1;
    for (int index = 0; index < actionCount; index++) {
        if (actions[index].at != number) continue;
        if (actions[index].tears) return 1;
        kill(getpid(), actions[index].signal);
    }
    return 0;
}

static int count(void) {
    atomic_store(&sleeps, 0);
    return countAttempt();
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// MARK: The log

struct entry { uint64_t kind, device, number, offset, end, length, size; };

// Keeps the sectors that a change from `start` to `end` replaces; `end` may lie beyond the end of the file.
static void keep(int descriptor, uint64_t kind, off_t start, off_t end) {
    struct stat status;
    if (logDescriptor < 0 || fstat(descriptor, &status)) return;
    struct entry entry = {kind, status.st_dev, status.st_ino, 0, 0, 0, (uint64_t)status.st_size};
    struct iovec parts[2] = {{&entry, sizeof entry}, {NULL, 0}};
    if (kind != SYNC) {
        start -= start % SECTOR;
        end = (end + SECTOR - 1) / SECTOR * SECTOR;
        entry.offset = (uint64_t)start;
        entry.end = (uint64_t)end;
        if (end > status.st_size) end = status.st_size;
        if (start < end && (parts[1].iov_base = malloc((size_t)(end - start)))) {
            // A descriptor that is only open for writing cannot be read. Opening and closing another one would release the process's
            // locks of the file. But locked files (the database, the file of rejects) are open for both.
            int own = descriptor;
            if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) {
                char link[64];
                snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
                own = open(link, O_RDONLY | O_CLOEXEC);
            }
            long read = syscall(SYS_pread64, own, parts[1].iov_base, (size_t)(end - start), start);
            entry.length = parts[1].iov_len = read > 0 ? (size_t)read : 0;
            if (own != descriptor) close(own);
        }
    }
    // One call, so that the entries of several processes do not mix.
    syscall(SYS_writev, logDescriptor, parts, 2);
    free(parts[1].iov_base);
}

// MARK: Reading

#define COUNT_READ(descriptor) if (kindOf(descriptor) == PLAIN) count()

ssize_t read(int descriptor, void *bytes, size_t size) {
    REAL(read);
    COUNT_READ(descriptor);
    return real(descriptor, bytes, size);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
    REAL(pread);
    COUNT_READ(descriptor);
    return real(descriptor, bytes, size, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off_t offset) {
    REAL(pread64);
    COUNT_READ(descriptor);
    return real(descriptor, bytes, size, offset);
}

// MARK: Writing

// Counts a write, and keeps what it replaces. Returns how many bytes to write; fewer than `size` if the write is to be torn.
static size_t prepare(int descriptor, off_t offset, size_t size, int *tears) {
    *tears = 0;
    if (kindOf(descriptor) <= OTHER) return size;
    *tears = count();
    if (logDescriptor >= 0) {
        struct stat status;
        if (offset < 0) {
            int flags = fcntl(descriptor, F_GETFL);
            offset = flags & O_APPEND && !fstat(descriptor, &status) ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
        }
        keep(descriptor, WRITE, offset, offset + (off_t)size);
    }
    return *tears ? size / 2 : size;
}

#define WRITE_CALL(offset, call) \
    int tears; \
    size = prepare(descriptor, offset, size, &tears); \
    ssize_t result = call; \
    if (tears) die(); \
    return result

ssize_t write(int descriptor, const void *bytes, size_t size) {
    REAL(write);
    WRITE_CALL(-1, real(descriptor, bytes, size));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    REAL(pwrite);
    WRITE_CALL(offset, real(descriptor, bytes, size, offset));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
    REAL(pwrite64);
    WRITE_CALL(offset, real(descriptor, bytes, size, offset));
}

// Neither the tool nor SQLite uses these functions. If that changes, it must be noticed.
ssize_t writev(int descriptor, const struct iovec *parts, int count_) {
    REAL(writev);
    if (kindOf(descriptor) > OTHER) abort();
    return real(descriptor, parts, count_);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count_, off_t offset) {
    REAL(pwritev);
    if (kindOf(descriptor) > OTHER) abort();
    return real(descriptor, parts, count_, offset);
}

static void truncating(int descriptor, off_t size) {
    if (kindOf(descriptor) <= OTHER) return;
    count();
    struct stat status;
    if (!fstat(descriptor, &status)) keep(descriptor, TRUNCATE, size, status.st_size);
}

int ftruncate(int descriptor, off_t size) {
    REAL(ftruncate);
    truncating(descriptor, size);
    return real(descriptor, size);
}

int ftruncate64(int descriptor, off_t size) {
    REAL(ftruncate64);
    truncating(descriptor, size);
    return real(descriptor, size);
}

// MARK: Syncing, and names

static int synced(int descriptor, int result) {
    if (!result && kindOf(descriptor) > OTHER) keep(descriptor, SYNC, 0, 0);
    return result;
}

int fsync(int descriptor) {
    REAL(fsync);
    if (kindOf(descriptor) > OTHER) count();
    return synced(descriptor, real(descriptor));
}

int fdatasync(int descriptor) {
    REAL(fdatasync);
    if (kindOf(descriptor) > OTHER) count();
    return synced(descriptor, real(descriptor));
}

// A number of a file may be used again for another one, whose sectors have nothing to do with those of this one.
static void removing(const char *path) {
    if (!folderLength || strncmp(path, folder, folderLength)) return;
    count();
    struct stat status;
    if (logDescriptor < 0 || stat(path, &status)) return;
    struct entry entry = {SYNC, status.st_dev, status.st_ino, 0, 0, 0, 0};
    syscall(SYS_write, logDescriptor, &entry, sizeof entry);
}

int unlink(const char *path) {
    REAL(unlink);
    removing(path);
    return real(path);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    removing(to);
    return real(from, to);
}

// MARK: Waiting

// A process that sleeps several times without changing anything is waiting for another one.
static void sleeping(void) {
    if (!isScheduled || atomic_fetch_add(&sleeps, 1) + 1 < SLEEPS_OF_WAITING) return;
    atomic_store(&sleeps, 0);
    kill(getpid(), SIGSTOP);
}

int usleep(useconds_t time) {
    REAL(usleep);
    sleeping();
    return real(isScheduled && time > 1000 ? 1000 : time);
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    REAL(nanosleep);
    sleeping();
    struct timespec brief = {0, 1000000};
    return real(isScheduled && (time->tv_sec > 0 || time->tv_nsec > brief.tv_nsec) ? &brief : time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    REAL(clock_nanosleep);
    sleeping();
    struct timespec brief = {0, 1000000};
    if (isScheduled && !(flags & TIMER_ABSTIME) && (time->tv_sec > 0 || time->tv_nsec > brief.tv_nsec)) time = &brief;
    return real(clock, flags, time, left);
}

int poll(struct pollfd *entries, nfds_t count_, int timeout) {
    REAL(poll);
    if (timeout == 0 || !isScheduled || (timeout < 0 && count_ == 0)) return real(entries, count_, timeout);
    if (count_ == 0) {
        sleeping();
        return real(entries, count_, 1);
    }
    // If a server answers soon, the process is not stopped.
    for (int time = 0; timeout < 0 || time < timeout; time++) {
        int result = real(entries, count_, 1);
        if (result != 0) return result;
        sleeping();
    }
    return 0;
}

// MARK: A server

// Data that is sent to a PostgreSQL server is also an operation. A process that waits for a lock may ask for it again and again.
ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    REAL(send);
    if (countAttempt()) {
        real(descriptor, bytes, size / 2, flags);
        die();
    }
    return real(descriptor, bytes, size, flags);
}

static int control(int (*real)(int, int, ...), int descriptor, int command, void *argument) {
    // A run may rely on values that it has read before it locks the database for writing, so this is an operation. A process that asks
    // again and again is waiting.
    if (command == F_SETLK && ((struct flock *)argument)->l_type == F_WRLCK && kindOf(descriptor) == DATABASE) countAttempt();
    if (command != F_SETLKW || !isScheduled || kindOf(descriptor) <= OTHER) return real(descriptor, command, argument);
    // A stopped process may hold the lock. Waiting for it would also stop the player of the history.
    for (;;) {
        if (real(descriptor, F_SETLK, argument) == 0) return 0;
        if (errno != EAGAIN && errno != EACCES) return -1;
        kill(getpid(), SIGSTOP);
    }
}

int fcntl(int descriptor, int command, ...) {
    REAL(fcntl);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return control(real, descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
    REAL(fcntl64);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return control(real, descriptor, command, argument);
}
