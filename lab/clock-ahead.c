/*
 * Loaded before a program (LD_PRELOAD), it puts the program's clock so many seconds ahead, and that
 * of every program it starts. Timers keep running: only the time of day is moved. libfaketime does
 * the same for many programs, but workerd never starts under it and Chromium loses its pages.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t ahead(void)
{
	static time_t seconds;
	static int known;
	if (!known) {
		const char *text = getenv("CLOCK_AHEAD_SECONDS");
		seconds = text ? atoll(text) : 0;
		known = 1;
	}
	return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int result = syscall(SYS_clock_gettime, clock, now);
	if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		now->tv_sec += ahead();
	return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec exact;
	int result = clock_gettime(CLOCK_REALTIME, &exact);
	(void)zone;
	if (result == 0 && now) {
		now->tv_sec = exact.tv_sec;
		now->tv_usec = exact.tv_nsec / 1000;
	}
	return result;
}

time_t time(time_t *now)
{
	struct timespec exact;
	clock_gettime(CLOCK_REALTIME, &exact);
	if (now)
		*now = exact.tv_sec;
	return exact.tv_sec;
}
