#include "CPushBuildRevision.h"

#ifndef PUSHPIPE_COMMIT
#define PUSHPIPE_COMMIT ""
#endif

const char *build_revision(void) { return PUSHPIPE_COMMIT; }
