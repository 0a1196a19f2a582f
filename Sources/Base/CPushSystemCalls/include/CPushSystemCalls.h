#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

#include <stdbool.h>

// Calls of the system that the C library's Swift modules for Linux leave out: <sys/prctl.h> and <sys/xattr.h>.

/// Sets whether processes become children of this one when their parents end, if this one is an ancestor of theirs. Returns whether the
/// system can do that: only Linux can.
bool system_adopt_orphans(bool adopts);

/// Gives a file the extended attributes of another, its access control list among them. Attributes that the file system does not have, or
/// that this process may not set, are left out. Both are descriptors; `from` is open for reading, and of `to` this process is the owner.
void system_copy_attributes(int from, int to);

/// Connects to a port of this machine, over TCP and a loopback address. Returns a descriptor that child processes do not get, or -1 with `errno`.
/// In C, because its parameter for an address is one of several structures.
int system_connect_loopback(bool is_ipv6, unsigned short port);

/// Begins to load the line of an address into the processor's caches, and waits for nothing. The address need not be valid. Swift has no word
/// for it.
static inline void system_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
