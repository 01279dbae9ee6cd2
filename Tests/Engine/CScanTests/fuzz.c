// libFuzzer's way into the differential test: see Tests/Fuzz/README.md.

#include "differential.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_all_scans(data, size);
    return 0;
}
