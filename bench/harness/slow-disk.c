/*
 * A disk that takes 10 ms for each fsync, as memory cards and rented disks do. Loaded into a process by
 * LD_PRELOAD. Knows nothing of SQLite or Kashbox.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#define FSYNC_US 10000

static int slow(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  usleep(FSYNC_US);
  return real(fd);
}

int fsync(int fd) { return slow("fsync", fd); }
int fdatasync(int fd) { return slow("fdatasync", fd); }
