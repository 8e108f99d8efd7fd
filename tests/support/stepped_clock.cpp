// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a program under test: its wall clock goes as many seconds ahead as the file named by STEPPED_CLOCK
// says. A second number there says for how many seconds the computer has slept: by then the wall clock has gone on, and
// CLOCK_BOOTTIME, but not CLOCK_MONOTONIC, nor any timer. A third one says for how many seconds the program itself
// stood still: by then all clocks have gone on.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

struct Seconds {
    long ahead = 0;
    long asleep = 0;
    long still = 0;
};

Seconds secondsToAdd()
{
    const char *path = std::getenv("STEPPED_CLOCK");
    std::FILE *file = path != nullptr ? std::fopen(path, "r") : nullptr;
    if (file == nullptr)
        return {};
    Seconds seconds;
    if (std::fscanf(file, "%ld %ld %ld", &seconds.ahead, &seconds.asleep, &seconds.still) < 1)
        seconds = {};
    std::fclose(file);
    return seconds;
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec *time) noexcept
{
    const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
    const bool isWallClock = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (result != 0 || (!isWallClock && clock != CLOCK_BOOTTIME && clock != CLOCK_MONOTONIC))
        return result;
    const Seconds seconds = secondsToAdd();
    time->tv_sec += seconds.still + (clock != CLOCK_MONOTONIC ? seconds.asleep : 0) + (isWallClock ? seconds.ahead : 0);
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
