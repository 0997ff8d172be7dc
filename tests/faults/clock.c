/* A wall clock that is wrong by the seconds in a file of eight bytes, named by SHIFTED_CLOCK, from
   the moment in which they are written there. Preloaded into a process (LD_PRELOAD).

   libfaketime would do it, but 0.9.10 answers Python 3.11's way of sleeping, clock_nanosleep until
   a monotonic time, with EINVAL. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t none = 0;
static volatile const int64_t *offset = &none;

__attribute__((constructor)) static void open_offset(void) {
  const char *path = getenv("SHIFTED_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) offset = mapped;
  close(file);
}

int clock_gettime(clockid_t id, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, now);
  if (!result && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += *offset;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}

time_t time(time_t *seconds) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (seconds) *seconds = exact.tv_sec;
  return exact.tv_sec;
}
