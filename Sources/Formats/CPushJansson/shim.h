// The fence around libjansson: everything Swift cannot import, and nothing else.
#ifndef PUSHPIPE_CJANSSON_SHIM_H
#define PUSHPIPE_CJANSSON_SHIM_H

#include <jansson.h>

// json_decref is a static inline function over a reference count that jansson changes with compiler builtins; Swift imports
// it, but not in every jansson version. This name is stable.
static inline void pushpipe_json_release(json_t *value) { json_decref(value); }

// json_typeof is a macro.
static inline json_type pushpipe_json_type(const json_t *value) { return json_typeof(value); }

// The text is a char array, which Swift imports as a tuple of 160. Borrowed: it lives as long as `error`.
static inline const char *pushpipe_json_error_text(const json_error_t *error) { return error->text; }

#endif
