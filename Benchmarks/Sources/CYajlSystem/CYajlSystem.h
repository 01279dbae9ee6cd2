// yajl for the baselines. The package under test has its own module for it, which is not public.

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>
