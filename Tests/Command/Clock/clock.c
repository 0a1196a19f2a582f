// Moves the clock of the day for a process and its children: LD_PRELOAD, and CLOCK_OFFSET in seconds, or CLOCK_FILE, a file with such a number that
// may change while the process runs. Scripts/clocks.sh builds and uses it.
//
// libfaketime does the same and more, and is not used: it takes the clock of SwiftNIO's timers for that of the day, so they never fire, and it
// changes the environment before the program starts, after which Swift finds no arguments.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Seconds to add to the time.
static long long offset(void) {
    const char *path = getenv("CLOCK_FILE");
    const char *text = getenv("CLOCK_OFFSET");
    if (!path) return text ? atoll(text) : 0;
    char number[32] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, number, sizeof number - 1);
    close(file);
    return count > 0 ? atoll(number) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    // What measures durations does not notice.
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        time->tv_sec += offset();
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *time) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (time) *time = now.tv_sec;
    return now.tv_sec;
}
