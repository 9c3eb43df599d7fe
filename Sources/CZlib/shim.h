#include <zlib.h>

/// `inflateInit2` is a macro: a window of 32 KiB, and the gzip wrapper only.
static inline int czlib_gunzip_init(z_stream *stream) {
  return inflateInit2(stream, 16 + MAX_WBITS);
}
