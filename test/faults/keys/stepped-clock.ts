import { execFile } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The clock of one program, which a fault can set. */
export type SteppedClock = {
  /** With these the program starts. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the time of day so many seconds beside that of the machine. What only counts upwards stays as it is. */
  set(seconds: number): Promise<void>;
};

/** Replaces the calls for the time of day in the program that loads it first. (libfaketime does not start redis-server.) */
const LIBRARY = `
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long step(void) {
  char text[32] = {0};
  int file = open(getenv("CLOCK_STEP_FILE"), O_RDONLY);
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atol(text);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += step();
  return result;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
`;

/** Builds the library in this folder (Debian: gcc). */
export async function steppedClock(folder: string): Promise<SteppedClock> {
  const [source, library, file] = ['clock.c', 'clock.so', 'clock'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(source, LIBRARY);
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O1', '-o', library, source]).catch((cause) => {
    throw new Error('NOT RUN: the clock of Redis is set by a library that cc builds (Debian: gcc)', {
      cause,
    });
  });
  return {
    environment: { LD_PRELOAD: library, CLOCK_STEP_FILE: file },
    async set(seconds) {
      await writeFile(`${file}.new`, `${seconds}`);
      await rename(`${file}.new`, file);
    },
  };
}
