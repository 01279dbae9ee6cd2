// libpq's header, and what of it Swift cannot import.

#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <libpq-fe.h>

#endif
