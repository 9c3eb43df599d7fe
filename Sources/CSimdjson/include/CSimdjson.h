#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A buffer with its padding, a parser and the tokens of the value parsed last. One thread at a time.
typedef struct csj_reader csj_reader;

typedef enum {
  CSJ_OK = 0,
  /// The bytes are no JSON, or lie deeper than the reader takes.
  CSJ_INVALID,
  CSJ_NO_MEMORY,
} csj_status;

typedef enum {
  CSJ_NULL = 0,
  CSJ_FALSE,
  CSJ_TRUE,
  CSJ_INT64,
  /// Only for numbers beyond INT64_MAX.
  CSJ_UINT64,
  CSJ_DOUBLE,
  /// A number that fits neither 64 bits nor a finite double: valid JSON all the same.
  CSJ_WIDE,
  CSJ_STRING,
  CSJ_ARRAY,
  CSJ_OBJECT,
  CSJ_KEY,
} csj_kind;

/// The word of a key that is none of the reader's words.
#define CSJ_NO_WORD UINT16_MAX
/// The index of no token.
#define CSJ_NO_TOKEN UINT32_MAX

/// A value, or the key before it. The children of an array or an object follow it.
typedef struct {
  uint8_t kind;
  /// Of a key: its index among the reader's words, or CSJ_NO_WORD.
  uint16_t word;
  /// The index of the token behind this value with all its children; of a key: behind its value.
  uint32_t next;
  /// The bytes of a string, key or wide number; the elements of an array; the members of an object.
  uint32_t length;
  /// Of a key: a hash, for the search for duplicates.
  uint32_t hash;
  union {
    /// Of a string or key; of a wide number as it is written. Not terminated; may hold U+0000. Valid until the next csj_parse
    /// or csj_load.
    const char *text;
    int64_t int64;
    uint64_t uint64;
    double number;
  } value;
} csj_token;

/// The tokens of one value, valid until the next csj_parse or csj_load.
typedef struct {
  const csj_token *tokens;
  uint32_t count;
  /// The first string or key that holds U+0000, or CSJ_NO_TOKEN.
  uint32_t null_character;
  /// A key that an earlier key of the same object equals once escapes are resolved, or CSJ_NO_TOKEN.
  uint32_t duplicate_key;
} csj_tape;

typedef enum {
  CSJ_SKIPPED = 0,
  /// There is no value at the offset.
  CSJ_NO_VALUE,
  /// A closing bracket differs from the opening one; `end` is its offset.
  CSJ_MISMATCH,
  /// The bytes end within the value.
  CSJ_CUT,
} csj_skip_status;

typedef struct {
  csj_skip_status status;
  /// The offset behind the value, or of the fault.
  size_t end;
} csj_skip;

/// Makes a reader that knows some words by their index, so that keys need no comparing; null if there is no memory.
/// `max_depth` is the number of levels of arrays and objects that a value may have.
csj_reader *csj_reader_create(const char *const *words, size_t count, size_t max_depth);
void csj_reader_destroy(csj_reader *reader);

/// Copies bytes into the reader's buffer; offsets count from their first.
csj_status csj_load(csj_reader *reader, const uint8_t *bytes, size_t length);

/// Finds the end of the value that begins at an offset by its brackets and quotation marks alone: what lies between them
/// need not be JSON. A scalar ends before white space, a comma, a bracket or a quotation mark.
csj_skip csj_skip_value(csj_reader *reader, size_t offset);

/// Parses the one value that fills the given part of the buffer.
csj_status csj_parse(csj_reader *reader, size_t offset, size_t length, csj_tape *tape);

#ifdef __cplusplus
}
#endif

#endif
