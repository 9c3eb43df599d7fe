// Tells ThreadSanitizer when a Swift Mutex that several threads want passes from one to the next.
//
// The code that waits and wakes lies in libswiftSynchronization, which is not built with the sanitizer: without this, a
// mutex that two threads wanted at once looks as if it had not been there. To be loaded before that library.
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Found in the program under test; other programs have none.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);

static lock_function *original_lock;
static unlock_function *original_unlock;

__attribute__((constructor)) static void find_originals(void) {
  original_lock = (lock_function *)dlsym(RTLD_NEXT, LOCK);
  original_unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
}

lock_function lock_slowly __asm__(LOCK);
unlock_function unlock_slowly __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  original_lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slowly(__attribute__((swift_context)) void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  original_unlock(mutex);
}
