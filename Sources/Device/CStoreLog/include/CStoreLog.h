// The write-ahead log of an SQLite database, written in large pieces.
//
// SQLite writes each page of a transaction with two system calls, one for its 24 bytes of header and one for the page. They took an
// eighth of a run with a store. Here they are collected, and written together.
//
// In C because a table of functions that SQLite calls, with state behind it, has no better form in Swift.
#ifndef PUSHPIPE_CSTORELOG_H
#define PUSHPIPE_CSTORELOG_H

struct sqlite3;

// Lets a connection that is in WAL mode, and has read its database, write its log in pieces of up to 64 KiB, until it is closed. What a
// commit needs is written before the commit returns, and fails with it; what a transaction that is rolled back has not written yet
// never is. So the file is the same as without this, whenever the process ends. Does nothing for a connection that does so already, or
// when memory is short.
//
// Call it on the thread that uses the connection.
void store_log_write_in_pieces(struct sqlite3 *connection);

#endif
