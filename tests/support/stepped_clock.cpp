// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a program under test: its wall clock, and nothing else, goes as many seconds ahead as the file named
// by STEPPED_CLOCK says.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

long secondsAhead()
{
    const char *path = std::getenv("STEPPED_CLOCK");
    std::FILE *file = path != nullptr ? std::fopen(path, "r") : nullptr;
    if (file == nullptr)
        return 0;
    long seconds = 0;
    if (std::fscanf(file, "%ld", &seconds) != 1)
        seconds = 0;
    std::fclose(file);
    return seconds;
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec *time) noexcept
{
    const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += secondsAhead();
    return result;
}

int gettimeofday(timeval *time, void *) noexcept
{
    timespec now{};
    const int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1'000;
    return result;
}

time_t time(time_t *time) noexcept
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    if (time != nullptr)
        *time = now.tv_sec;
    return now.tv_sec;
}
}
