// The C library keeps freed memory. A peak that is measured afterwards would start from there.

#include "CBaselines.h"

#ifdef __GLIBC__
#include <malloc.h>

void baseline_release_free_memory(void) { malloc_trim(0); }
#else
void baseline_release_free_memory(void) {}
#endif
