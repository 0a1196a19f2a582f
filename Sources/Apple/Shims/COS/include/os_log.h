#ifndef PUSHPIPE_OS_LOG_H
#define PUSHPIPE_OS_LOG_H
/* Everything of os.log is in the Swift module. */
#endif
