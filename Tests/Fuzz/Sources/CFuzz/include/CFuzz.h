// What libFuzzer offers: https://llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library" and FuzzerInterface.h.

#ifndef CFUZZ_H
#define CFUZZ_H

#include <stddef.h>
#include <stdint.h>

/// Runs `test` with inputs without end, or as the arguments say; returns the exit status.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *data, size_t size));

/// Changes the first `size` bytes of `data` in libFuzzer's own ways; the new size, `max_size` at the most.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif
