#include "CStoreLog.h"

#include <sqlite3.h> // found by way of GRDBSQLite
#include <stdbool.h>
#include <string.h>

enum {
    // Bytes of a frame's header. Its second word is not 0 if the frame ends a transaction.
    FRAME_HEADER = 24,
    // SQLite's functions for Unix write fewer than 128 KiB at once.
    PIECE = 64 << 10,
    // The place of the lock that one connection has while it writes: WAL_WRITE_LOCK in SQLite's source, and in its file format.
    WRITE_LOCK = 0,
};

typedef struct Log Log;

// An open file whose functions are replaced. SQLite finds the functions through the file, and nothing else in the file can be changed,
// so each file has a table of its own, with what the functions need behind it.
typedef struct {
    sqlite3_io_methods methods; // first, so that a pointer to it is one to this
    const sqlite3_io_methods *system;
    Log *log;
} File;

// A log and its database. Some of the log's bytes wait to be written, only ever within a transaction: one that ends has written them,
// or needs them no longer.
struct Log {
    File log, database;
    int open_files;
    // Where the bytes that wait belong, and their number.
    sqlite3_int64 start;
    int count;
    // True from the header of a frame that ends a transaction on, to the next header: nothing waits then.
    bool ends_transaction;
    char bytes[PIECE];
};

static File *file_of(sqlite3_file *file) { return (File *)file->pMethods; }

// Whatever the result is, nothing waits any longer: the transaction fails with it.
static int write_waiting(sqlite3_file *file) {
    Log *log = file_of(file)->log;
    const int count = log->count;
    log->count = 0;
    return count > 0 ? file_of(file)->system->xWrite(file, log->bytes, count, log->start) : SQLITE_OK;
}

// MARK: - The log's functions

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    File *own = file_of(file);
    Log *log = own->log;
    // The header of the log itself is at offset 0, and longer.
    if (count == FRAME_HEADER) {
        const unsigned char *word = (const unsigned char *)bytes + 4;
        log->ends_transaction = (word[0] | word[1] | word[2] | word[3]) != 0;
    }
    if (log->count > 0 && (offset != log->start + log->count || count > PIECE - log->count)) {
        const int code = write_waiting(file);
        if (code != SQLITE_OK) return code;
    }
    if (count > PIECE) return own->system->xWrite(file, bytes, count, offset);
    if (log->count == 0) log->start = offset;
    memcpy(log->bytes + log->count, bytes, (size_t)count);
    log->count += count;
    return log->ends_transaction ? write_waiting(file) : SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    const int code = write_waiting(file);
    return code == SQLITE_OK ? file_of(file)->system->xRead(file, bytes, count, offset) : code;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    const int code = write_waiting(file);
    return code == SQLITE_OK ? file_of(file)->system->xTruncate(file, size) : code;
}

static int log_sync(sqlite3_file *file, int flags) {
    const int code = write_waiting(file);
    return code == SQLITE_OK ? file_of(file)->system->xSync(file, flags) : code;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    const int code = write_waiting(file);
    return code == SQLITE_OK ? file_of(file)->system->xFileSize(file, size) : code;
}

// MARK: - The database's function

static int lock(sqlite3_file *file, int first, int count, int flags) {
    File *own = file_of(file);
    // The transaction is over. If it was rolled back, somebody else may write to the same place from now on.
    if (first == WRITE_LOCK && (flags & SQLITE_SHM_UNLOCK)) own->log->count = 0;
    return own->system->xShmLock(file, first, count, flags);
}

// MARK: - Replacing them

static int close_file(sqlite3_file *file) {
    File *own = file_of(file);
    Log *log = own->log;
    file->pMethods = own->system;
    const int code = own->system->xClose(file);
    if (own == &log->log) log->count = 0;
    if (--log->open_files == 0) sqlite3_free(log);
    return code;
}

static void replace(sqlite3_file *file, File *own, Log *log) {
    own->system = file->pMethods;
    own->log = log;
    own->methods = *file->pMethods;
    own->methods.xClose = close_file;
    file->pMethods = &own->methods;
    ++log->open_files;
}

static sqlite3_file *find(sqlite3 *connection, int operation) {
    sqlite3_file *file = NULL;
    const int code = sqlite3_file_control(connection, "main", operation, &file);
    return code == SQLITE_OK && file && file->pMethods ? file : NULL;
}

void store_log_write_in_pieces(sqlite3 *connection) {
    sqlite3_file *database_file = find(connection, SQLITE_FCNTL_FILE_POINTER);
    sqlite3_file *log_file = find(connection, SQLITE_FCNTL_JOURNAL_POINTER);
    if (!database_file || !log_file || database_file->pMethods->iVersion < 2) return;
    if (database_file->pMethods->xClose == close_file || log_file->pMethods->xClose == close_file) return;
    Log *log = sqlite3_malloc(sizeof(Log));
    if (!log) return;
    log->open_files = 0;
    log->count = 0;
    log->ends_transaction = false;
    replace(log_file, &log->log, log);
    log->log.methods.xWrite = log_write;
    log->log.methods.xRead = log_read;
    log->log.methods.xTruncate = log_truncate;
    log->log.methods.xSync = log_sync;
    log->log.methods.xFileSize = log_size;
    replace(database_file, &log->database, log);
    log->database.methods.xShmLock = lock;
}
