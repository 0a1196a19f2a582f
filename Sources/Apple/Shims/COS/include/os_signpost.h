#ifndef PUSHPIPE_OS_SIGNPOST_H
#define PUSHPIPE_OS_SIGNPOST_H
/* Everything of os.signpost is in the Swift module. */
#endif
