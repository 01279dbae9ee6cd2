// Swift's Mutex waits in the Synchronization library, which is not built with ThreadSanitizer: a lock that was waited for would
// look like no lock at all. These functions are called in place of the two slow paths, and tell the sanitizer what they do.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static SWIFT void (*next_lock)(uint32_t thread, SELF void *mutex);
static SWIFT void (*next_unlock)(SELF void *mutex);

__attribute__((constructor)) static void find(void) {
    next_lock = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK_SLOW);
    next_unlock = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    next_lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) {
    __tsan_release(mutex);
    next_unlock(mutex);
}
