// The files of the web console, as they stand in the folder Page. In C, because #embed copies a file into the program; as
// literals of Swift they would take the compiler a minute.
#ifndef CONSOLE_PAGE_H
#define CONSOLE_PAGE_H

#include <stddef.h>

/// A file of the page. Lives as long as the program.
struct console_file {
    /// The name, without a folder, such as `index.html`.
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The number of files.
size_t console_file_count(void);

/// A file. `index` has to be below the number of files; NULL otherwise.
const struct console_file *console_file_at(size_t index);

#endif
