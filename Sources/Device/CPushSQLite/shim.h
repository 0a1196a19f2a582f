// SQLite as it is, and a wrapper of a function whose number of arguments varies, which Swift does not import.
#ifndef PUSHPIPE_CSQLITE_SHIM_H
#define PUSHPIPE_CSQLITE_SHIM_H

#include <sqlite3.h>

// In statements, "x" is a name, and never a text. Older versions have no such setting.
static inline void pushpipe_sqlite_take_double_quotes_as_names(sqlite3 *database) {
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
#endif
}

#endif
