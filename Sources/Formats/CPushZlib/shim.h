// zlib as it is. Its functions and structures need no wrappers: `inflateInit2`, a macro, is `inflateInit2_` with the version and a size.
#ifndef PUSHPIPE_CZLIB_SHIM_H
#define PUSHPIPE_CZLIB_SHIM_H

#include <zlib.h>

#endif
