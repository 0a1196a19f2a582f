// SQLite as it is. Its functions need no wrappers: what takes a variable number of arguments is not used.
#ifndef PUSHPIPE_CSQLITE_SHIM_H
#define PUSHPIPE_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
