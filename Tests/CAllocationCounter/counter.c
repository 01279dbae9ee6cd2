#include "CAllocationCounter.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif

bool allocation_counter_is_under_sanitizer(void) {
#if defined(UNDER_SANITIZER)
    return true;
#else
    return false;
#endif
}

#if defined(__GLIBC__) && !defined(UNDER_SANITIZER)

// The C library's own entry points, which it exports for interposers.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Of this executable's own thread-local block, so that reading it never allocates.
static __thread uint64_t allocations __attribute__((tls_model("local-exec")));

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    allocations++;
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

bool allocation_counter_is_available(void) { return true; }
uint64_t allocation_counter_value(void) { return allocations; }

#else

bool allocation_counter_is_available(void) { return false; }
uint64_t allocation_counter_value(void) { return 0; }

#endif
