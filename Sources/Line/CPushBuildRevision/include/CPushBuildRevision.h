// Which commit this build was made from. In C, because a value on the compiler's command line cannot be passed to Swift.
#ifndef BUILD_REVISION_H
#define BUILD_REVISION_H

/// The commit that `PUSHPIPE_COMMIT` named when the package was built; empty if it named none. Lives as long as the program.
const char *build_revision(void);

#endif
