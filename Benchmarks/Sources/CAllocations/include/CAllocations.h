// Counts the allocations of one thread. On glibc, malloc and its kin are interposed by this very executable and forward to the C
// library, at the price of one addition to a thread-local word; elsewhere nothing is counted.

#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted in this process.
bool allocations_are_counted(void);

/// Allocations of the calling thread so far.
uint64_t allocations_count(void);

/// Gives memory that is free back to the system, so that a peak is measured from below.
void allocations_trim(void);

#endif
