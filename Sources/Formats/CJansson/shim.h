// The fence around libjansson: everything Swift cannot import, and nothing else.
// jansson's words for ownership are kept: a function returns a *new* reference, which the caller must give back with
// `json_decref`, or a *borrowed* one, which it must not; one that takes a value may *steal* the caller's reference.
#ifndef PUSHPIPE_CJANSSON_SHIM_H
#define PUSHPIPE_CJANSSON_SHIM_H

#include <jansson.h>

// json_incref and json_decref are static inline functions over a reference count that jansson changes with compiler
// builtins; Swift imports the functions, but not in every jansson version. These names are stable.
static inline json_t *pushpipe_json_retain(json_t *value) { return json_incref(value); }
static inline void pushpipe_json_release(json_t *value) { json_decref(value); }

// json_typeof is a macro.
static inline json_type pushpipe_json_type(const json_t *value) { return json_typeof(value); }

// json_boolean is a macro. Returns a new reference (to a shared constant).
static inline json_t *pushpipe_json_boolean(int value) { return value ? json_true() : json_false(); }

// json_error_code is an inline function that reads the last byte of the text; Swift imports the array as a tuple.
static inline enum json_error_code pushpipe_json_error_code(const json_error_t *error) { return json_error_code(error); }

// The text is a char array, which Swift imports as a tuple of 160. Borrowed: it lives as long as `error`.
static inline const char *pushpipe_json_error_text(const json_error_t *error) { return error->text; }

// JSON_INDENT is a function-like macro.
static inline size_t pushpipe_json_indent(size_t spaces) { return JSON_INDENT(spaces); }

#endif
