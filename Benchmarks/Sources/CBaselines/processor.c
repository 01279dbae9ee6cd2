// A process that moves to another processor finds cold caches there, and another speed: ratios of two processes then mean little.

#define _GNU_SOURCE
#include "CBaselines.h"

#ifdef __linux__
#include <sched.h>

void baseline_stay_on_this_processor(void) {
    int processor = sched_getcpu();
    if (processor < 0 || processor >= CPU_SETSIZE) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
}
#else
void baseline_stay_on_this_processor(void) {}
#endif
