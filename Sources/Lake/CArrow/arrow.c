// The header is all there is: Swift fills its structs, and defines its functions. Each thread has a last error of its own.

#include "sluice_arrow.h"
#include "sluice_error.h"

static _Thread_local char *last_error;

char *sluice_exchange_error(char *text) {
  char *before = last_error;
  last_error = text;
  return before;
}

const char *sluice_last_error(void) { return last_error ? last_error : ""; }
