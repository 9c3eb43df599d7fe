#include <errno.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/// Whether the system may write this process's memory to a core file; `prctl` is variadic. Returns 0, or an errno.
///
/// Linux alone has such a switch. There a core file that goes to a program, as with systemd, does not heed RLIMIT_CORE.
static inline int cprocess_set_dumpable(int allowed) {
#ifdef __linux__
  return prctl(PR_SET_DUMPABLE, allowed, 0, 0, 0) == 0 ? 0 : errno;
#else
  (void)allowed;
  return 0;
#endif
}
