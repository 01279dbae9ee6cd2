#include "CScan.h"

bool cscan_contains_control_blank(const uint8_t *bytes, size_t count) {
    // Without an exit the compiler turns the loop into vector instructions; 0x0B and 0x0C become 0 and 1.
    uint8_t found = 0;
    for (size_t index = 0; index < count; index++) {
        found |= (uint8_t)(bytes[index] - 0x0B) < 2;
    }
    return found != 0;
}
