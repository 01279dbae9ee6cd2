// yajl for the baselines. The package under test has its own module for it, which is not public; the declarations are that module's, for
// yajl's own headers are not found everywhere.

#include "../../../CYajl/CYajl.h"

// What only the baselines use.
void yajl_gen_clear(yajl_gen generator);
yajl_gen_status yajl_gen_get_buf(yajl_gen generator, const unsigned char **text, size_t *count);
