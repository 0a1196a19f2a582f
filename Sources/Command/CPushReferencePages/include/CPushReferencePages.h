// Pages of Documentation/reference, as they stand there. In C, because #embed copies a file into the program.
#ifndef REFERENCE_PAGES_H
#define REFERENCE_PAGES_H

#include <stddef.h>

/// A page. Lives as long as the program.
struct reference_page {
    /// Such as `pushpipe://reference/formats`.
    const char *uri;
    /// The file's name, without its ending, such as `formats`.
    const char *name;
    /// A sentence about it.
    const char *description;
    /// Markdown.
    const unsigned char *bytes;
    size_t count;
};

/// The number of pages.
size_t reference_page_count(void);

/// A page. `index` has to be below the number of pages; NULL otherwise.
const struct reference_page *reference_page_at(size_t index);

#endif
