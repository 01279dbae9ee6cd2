// Times `sluice ingest` beside SQLite alone, which gets the very values that the tool has stored, ready in memory:
//
//     ingest SLUICE FEED FOLDER ROUNDS             → one line of a Markdown table for each lane
//
// A run of the tool comes between two runs of SQLite alone; the ratio is taken against these two. SQLite alone has the tool's
// settings (page size, cache, write-ahead log, rows of a transaction) and one prepared statement; it binds null only over values.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define BATCH 10000
#define MOST_ROUNDS 100

typedef struct {
    int type, column, count;
    union {
        sqlite3_int64 integer;
        double real;
        size_t text; // a place in the text of all rows
    } as;
} value;

typedef struct {
    char *create;
    int columns;
    size_t rows, values, text_size;
    size_t *starts; // of the rows among the values, one more than rows
    value *all;
    char *text;
} table;

typedef struct {
    double wall, cpu, peak;
} duration;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "ingest: %s: %s\n", what, why);
    exit(1);
}

static void require(int code, sqlite3 *db, const char *what) {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) fail(what, sqlite3_errmsg(db));
}

static void execute(sqlite3 *db, const char *sql) { require(sqlite3_exec(db, sql, NULL, NULL, NULL), db, sql); }

static void *grown(void *memory, size_t size) {
    void *larger = realloc(memory, size ? size : 1);
    if (!larger) fail("memory", "there is not enough");
    return larger;
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void remove_database(const char *path) {
    const char *ends[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];
    for (int index = 0; index < 4; index++) {
        snprintf(name, sizeof name, "%s%s", path, ends[index]);
        unlink(name);
    }
}

// MARK: SQLite alone

static sqlite3 *opened(const char *path) {
    sqlite3 *db;
    require(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL), db, path);
    return db;
}

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    require(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), db, sql);
    return statement;
}

// Reads all rows of the tool's table into memory.
static table loaded(const char *path) {
    table table = {0};
    sqlite3 *db = opened(path);
    sqlite3_stmt *statement = prepared(db, "SELECT sql FROM sqlite_master WHERE name = 'records'");
    require(sqlite3_step(statement), db, "no table");
    table.create = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    statement = prepared(db, "SELECT * FROM records ORDER BY rowid");
    table.columns = sqlite3_column_count(statement);
    size_t rooms[3] = {0};
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (table.rows + 2 > rooms[0]) table.starts = grown(table.starts, (rooms[0] = rooms[0] * 2 + 1024) * sizeof(size_t));
        table.starts[table.rows++] = table.values;
        for (int column = 0; column < table.columns; column++) {
            value value = {.type = sqlite3_column_type(statement, column), .column = column};
            if (value.type == SQLITE_NULL) continue;
            if (table.values == rooms[1]) table.all = grown(table.all, (rooms[1] = rooms[1] * 2 + 1024) * sizeof(value));
            if (value.type == SQLITE_INTEGER) {
                value.as.integer = sqlite3_column_int64(statement, column);
            } else if (value.type == SQLITE_FLOAT) {
                value.as.real = sqlite3_column_double(statement, column);
            } else {
                const void *text = sqlite3_column_text(statement, column);
                value.count = sqlite3_column_bytes(statement, column);
                value.as.text = table.text_size;
                if (table.text_size + (size_t)value.count > rooms[2])
                    table.text = grown(table.text, rooms[2] = rooms[2] * 2 + (size_t)value.count + 1024);
                memcpy(table.text + table.text_size, text, (size_t)value.count);
                table.text_size += (size_t)value.count;
            }
            table.all[table.values++] = value;
        }
    }
    if (!table.rows) fail(path, "there are no rows");
    table.starts[table.rows] = table.values;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return table;
}

static void bind(sqlite3_stmt *statement, const table *table, const value *value) {
    int place = value->column + 1;
    if (value->type == SQLITE_INTEGER) {
        sqlite3_bind_int64(statement, place, value->as.integer);
    } else if (value->type == SQLITE_FLOAT) {
        sqlite3_bind_double(statement, place, value->as.real);
    } else {
        sqlite3_bind_text(statement, place, table->text + value->as.text, value->count, SQLITE_STATIC);
    }
}

// Binds a row over the row before it; values lie in the order of their columns.
static void bind_row(sqlite3_stmt *statement, const table *table, size_t row) {
    const value *next = table->all + table->starts[row], *end = table->all + table->starts[row + 1];
    const value *old = row ? table->all + table->starts[row - 1] : next, *old_end = row ? next : old;
    while (next < end || old < old_end) {
        if (old < old_end && (next == end || old->column < next->column)) {
            sqlite3_bind_null(statement, (old++)->column + 1);
            continue;
        }
        if (old < old_end && old->column == next->column) old++;
        bind(statement, table, next++);
    }
}

static duration stored(const table *table, const char *path) {
    remove_database(path);
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    sqlite3 *db = opened(path);
    execute(db, "PRAGMA synchronous = NORMAL; PRAGMA page_size = 16384; PRAGMA cache_size = -8192; PRAGMA journal_mode = WAL");
    execute(db, "BEGIN IMMEDIATE");
    execute(db, table->create);
    char *sql = grown(NULL, (size_t)table->columns * 2 + 64), *end = sql;
    end += sprintf(end, "INSERT INTO records VALUES (?");
    for (int column = 1; column < table->columns; column++) end += sprintf(end, ",?");
    sprintf(end, ")");
    sqlite3_stmt *statement = prepared(db, sql);
    for (size_t row = 0; row < table->rows; row++) {
        bind_row(statement, table, row);
        require(sqlite3_step(statement), db, "INSERT");
        require(sqlite3_reset(statement), db, "INSERT");
        if ((row + 1) % BATCH == 0) execute(db, "COMMIT; BEGIN IMMEDIATE");
    }
    execute(db, "COMMIT");
    sqlite3_finalize(statement);
    execute(db, "PRAGMA journal_mode = DELETE");
    sqlite3_close(db);
    free(sql);
    return (duration){seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu};
}

// Whether two databases hold the same rows.
static void compare(const char *path, const char *other) {
    sqlite3 *db = opened(path);
    char *sql = sqlite3_mprintf("ATTACH %Q AS other", other);
    execute(db, sql);
    sqlite3_free(sql);
    sqlite3_stmt *statement = prepared(
        db, "SELECT (SELECT count(*) FROM main.records) = (SELECT count(*) FROM other.records) AND NOT EXISTS "
            "(SELECT rowid, * FROM main.records EXCEPT SELECT rowid, * FROM other.records)");
    require(sqlite3_step(statement), db, "comparing");
    if (!sqlite3_column_int(statement, 0)) fail(other, "the rows are others");
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

// MARK: The tool

static duration ingested(char **arguments, const char *path) {
    remove_database(path);
    struct rusage usage;
    int status;
    pid_t id;
    double wall = seconds(CLOCK_MONOTONIC);
    int error = posix_spawn(&id, arguments[0], NULL, NULL, arguments, environ);
    if (error) fail(arguments[0], strerror(error));
    if (wait4(id, &status, 0, &usage) != id || !WIFEXITED(status) || WEXITSTATUS(status)) fail(arguments[0], "has failed");
    wall = seconds(CLOCK_MONOTONIC) - wall;
    struct timeval user = usage.ru_utime, system = usage.ru_stime;
#ifdef __APPLE__
    double peak = (double)usage.ru_maxrss;
#else
    double peak = (double)usage.ru_maxrss * 1024;
#endif
    return (duration){wall, (double)(user.tv_sec + system.tv_sec) + (double)(user.tv_usec + system.tv_usec) * 1e-6, peak};
}

// MARK: The table

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(const double *values, int count, double part) {
    double ordered[MOST_ROUNDS], place = part * (count - 1);
    memcpy(ordered, values, (size_t)count * sizeof(double));
    qsort(ordered, (size_t)count, sizeof(double), ascending);
    int lower = (int)place, upper = lower + 1 < count ? lower + 1 : lower;
    return ordered[lower] + (ordered[upper] - ordered[lower]) * (place - lower);
}

typedef struct {
    const char *name;
    char *workers; // for --workers; NULL leaves it to the tool
    double seconds[MOST_ROUNDS], ratios[MOST_ROUNDS], cpu_ratios[MOST_ROUNDS];
    double peak; // the most memory of a first run, in bytes
} lane;

static void measure(const char *what, char *tool, char *feed, char *folder, char **columns, double megabytes, int rounds) {
    lane lanes[] = {{.name = "--workers 1", .workers = "1"}, {.name = "as it comes", .workers = NULL}};
    char path[4096], alone[4096];
    snprintf(path, sizeof path, "%s/ingested.db", folder);
    snprintf(alone, sizeof alone, "%s/alone.db", folder);
    char *arguments[2][32];
    for (int index = 0; index < 2; index++) {
        char **next = arguments[index];
        *next++ = tool, *next++ = "ingest", *next++ = "--quiet", *next++ = feed, *next++ = "-o", *next++ = path;
        if (lanes[index].workers) *next++ = "--workers", *next++ = lanes[index].workers;
        for (char **column = columns; *column; column++) *next++ = "--column", *next++ = *column;
        *next = NULL;
    }
    // Before the rows are loaded: the system counts the memory of the process that starts another one as that one's, too.
    for (int index = 0; index < 2; index++) lanes[index].peak = ingested(arguments[index], path).peak;
    table table = loaded(path);
    double base[MOST_ROUNDS];
    stored(&table, alone);
    for (int round = 0; round < rounds; round++) {
        duration before = stored(&table, alone);
        base[round] = before.wall;
        for (int index = 0; index < 2; index++) {
            lane *lane = &lanes[(index + round) % 2];
            duration ours = ingested(arguments[(index + round) % 2], path), after = stored(&table, alone);
            lane->seconds[round] = ours.wall;
            lane->ratios[round] = (before.wall + after.wall) / 2 / ours.wall;
            lane->cpu_ratios[round] = (before.cpu + after.cpu) / 2 / ours.cpu;
            before = after;
        }
    }
    compare(path, alone);
    double wall = quantile(base, rounds, 0.5);
    printf("| %s | SQLite alone | %.2f | %.0f | 1.00 | | 1.00 | |\n", what, wall, megabytes / wall);
    for (int index = 0; index < 2; index++) {
        lane *lane = &lanes[index];
        double time = quantile(lane->seconds, rounds, 0.5), ratio = quantile(lane->ratios, rounds, 0.5);
        double spread = (quantile(lane->ratios, rounds, 0.75) - quantile(lane->ratios, rounds, 0.25)) / 2 / ratio;
        printf("| %s | sluice ingest, %s | %.2f | %.0f | %.2f | %.1f %% | %.2f | %.0f |\n", what, lane->name, time,
               megabytes / time, ratio, spread * 100, quantile(lane->cpu_ratios, rounds, 0.5), lane->peak / (1 << 20));
    }
    fflush(stdout);
    remove_database(path);
    remove_database(alone);
    free(table.create), free(table.starts), free(table.all), free(table.text);
}

// Measures in a process of its own, so that the rows of the measurement before it do not count as memory of the tool.
static void measure_apart(const char *what, char **arguments, char **columns, double megabytes, int rounds) {
    fflush(stdout);
    pid_t id = fork();
    if (id < 0) fail("fork", strerror(errno));
    if (id == 0) {
        measure(what, arguments[1], arguments[2], arguments[3], columns, megabytes, rounds);
        exit(0);
    }
    int status;
    if (waitpid(id, &status, 0) != id || !WIFEXITED(status) || WEXITSTATUS(status)) exit(1);
}

int main(int count, char **arguments) {
    if (count != 5) fail("usage", "ingest SLUICE FEED FOLDER ROUNDS");
    int rounds = atoi(arguments[4]);
    struct stat status;
    if (rounds < 1 || rounds > MOST_ROUNDS) fail("ROUNDS", "must be between 1 and 100");
    if (stat(arguments[2], &status)) fail(arguments[2], "cannot be read");
    double megabytes = (double)status.st_size / 1e6;
    char *all[] = {NULL};
    char *five[] = {"id:integer", "type:text", "login:text=actor.login", "repo:text=repo.name", "created_at:text", NULL};
    printf("| columns | lane | s | MB/s | × SQLite alone | ± | × in processor time | peak MiB |\n|---|---|---:|---:|---:|---:|---:|---:|\n");
    measure_apart("all", arguments, all, megabytes, rounds);
    measure_apart("five, declared", arguments, five, megabytes, rounds);
}
