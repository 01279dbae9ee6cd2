// A file system for SQLite that fails when a test wants it to.

#ifndef CFAULTYVFS_H
#define CFAULTYVFS_H

#include <stdbool.h>

/// What fails.
typedef enum {
    faulty_read,
    /// Half of the bytes are written, then the disk fails.
    faulty_write,
    /// Half of the bytes are written, then the disk is full.
    faulty_full,
    faulty_sync,
    faulty_truncate,
    faulty_delete,
    faulty_open,
} faulty_operation;

/// A fault that is to happen.
typedef struct faulty_plan faulty_plan;

/// Makes the failing file system the default one of this process; each further call does nothing. Files without a plan behave as
/// ever. False if SQLite refuses.
bool faulty_vfs_register(void);

/// Lets an operation fail on the files whose paths begin with `prefix`: the one numbered `first`, counted from 1, and if
/// `is_lasting` all later ones.
faulty_plan *faulty_plan_begin(const char *prefix, faulty_operation operation, long first, bool is_lasting);

/// How often the plan has let an operation fail.
long faulty_plan_failures(faulty_plan *plan);

/// Ends a plan and frees it.
void faulty_plan_end(faulty_plan *plan);

#endif
