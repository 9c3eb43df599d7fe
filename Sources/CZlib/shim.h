#include <zlib.h>

/// `inflateInit2` is a macro: a window of 32 KiB, and the gzip wrapper only.
static inline int czlib_gunzip_init(z_stream *stream) {
  return inflateInit2(stream, 16 + MAX_WBITS);
}

/// `deflateInit2` is one too: the same window, and no wrapper.
static inline int czlib_deflate_init(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
