#ifndef PUSHPIPE_C_HTML_TEXT_H
#define PUSHPIPE_C_HTML_TEXT_H

#include <stddef.h>

// The text of a document in HTML, as UTF-8 that ends with zero and that the caller frees: what a reader sees, with lines for paragraphs
// and breaks, and bullets for items of lists. NULL if the data is no HTML, or without memory. `encoding` may be NULL.
char *html_text(const char *data, size_t size, const char *encoding);

#endif
