// A reader over simdjson's DOM that gives C a flat array of tokens. No exception leaves this file.

#include "CSimdjson.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "numbers.hpp"
#include "vocabulary.hpp"

namespace {

namespace dom = simdjson::dom;

/// Up to here, comparing each key with each takes less time than sorting them.
constexpr size_t few_keys = 32;

} // namespace

struct csj_reader {
  vocabulary words;
  dom::parser parser;
  size_t max_depth;
  std::vector<uint8_t> buffer;
  size_t length = 0;
  std::vector<csj_token> tokens;
  std::vector<uint64_t> brackets;
  std::vector<uint32_t> many_keys;
  size_t depth = 0;
  bool is_too_deep = false;
  wide_numbers wide;
  bool has_escapes = false;
  uint32_t null_character = CSJ_NO_TOKEN;
  uint32_t duplicate_key = CSJ_NO_TOKEN;

  csj_reader(const char *const *list, size_t count, size_t depth) : words(list, count), max_depth(depth) {}

  std::string_view text(uint32_t index) const {
    return {tokens[index].value.text, tokens[index].length};
  }

  uint32_t add(csj_kind kind) {
    csj_token token{};
    token.kind = uint8_t(kind);
    token.word = CSJ_NO_WORD;
    token.next = uint32_t(tokens.size() + 1);
    tokens.push_back(token);
    return uint32_t(tokens.size() - 1);
  }

  uint32_t add_text(csj_kind kind, std::string_view text) {
    const uint32_t index = add(kind);
    tokens[index].value.text = text.data();
    tokens[index].length = uint32_t(text.size());
    // U+0000 can come only of an escape.
    if (has_escapes && null_character == CSJ_NO_TOKEN && std::memchr(text.data(), 0, text.size())) {
      null_character = index;
    }
    return index;
  }

  void flatten(dom::element element) {
    if (element.is_number() && wide.any()) {
      if (const auto text = wide.next(); !text.empty()) {
        add_text(CSJ_WIDE, text);
        return;
      }
    }
    switch (element.type()) {
    case dom::element_type::NULL_VALUE: add(CSJ_NULL); break;
    case dom::element_type::BOOL: add(bool(element) ? CSJ_TRUE : CSJ_FALSE); break;
    case dom::element_type::INT64: tokens[add(CSJ_INT64)].value.int64 = int64_t(element); break;
    case dom::element_type::UINT64: tokens[add(CSJ_UINT64)].value.uint64 = uint64_t(element); break;
    case dom::element_type::DOUBLE: tokens[add(CSJ_DOUBLE)].value.number = double(element); break;
    case dom::element_type::STRING: add_text(CSJ_STRING, std::string_view(element)); break;
    case dom::element_type::ARRAY: flatten_array(dom::array(element)); break;
    case dom::element_type::OBJECT: flatten_object(dom::object(element)); break;
    }
  }

  void flatten_array(dom::array array) {
    is_too_deep |= ++depth > max_depth;
    const uint32_t start = add(CSJ_ARRAY);
    uint32_t count = 0;
    for (dom::element element : array) {
      flatten(element);
      count++;
    }
    tokens[start].length = count;
    tokens[start].next = uint32_t(tokens.size());
    depth--;
  }

  void flatten_object(dom::object object) {
    is_too_deep |= ++depth > max_depth;
    const uint32_t start = add(CSJ_OBJECT);
    uint32_t count = 0;
    uint64_t seen = 0;
    bool suspicious = false;
    for (dom::key_value_pair pair : object) {
      const uint32_t key = add_text(CSJ_KEY, pair.key);
      const uint32_t hash = hash_of(pair.key);
      tokens[key].hash = hash;
      tokens[key].word = words.find(pair.key, hash);
      const uint64_t bit = uint64_t(1) << (hash >> 26);
      suspicious |= (seen & bit) != 0;
      seen |= bit;
      flatten(pair.value);
      tokens[key].next = uint32_t(tokens.size());
      count++;
    }
    tokens[start].length = count;
    tokens[start].next = uint32_t(tokens.size());
    depth--;
    if (suspicious && duplicate_key == CSJ_NO_TOKEN) {
      count <= few_keys ? compare_keys(start) : sort_keys(start);
    }
  }

  void compare_keys(uint32_t start) {
    uint32_t keys[few_keys];
    uint32_t count = 0;
    for (uint32_t key = start + 1; key < tokens[start].next; key = tokens[key].next) {
      for (uint32_t i = 0; i < count; i++) {
        if (tokens[keys[i]].hash == tokens[key].hash && text(keys[i]) == text(key)) {
          duplicate_key = key;
          return;
        }
      }
      keys[count++] = key;
    }
  }

  void sort_keys(uint32_t start) {
    many_keys.clear();
    for (uint32_t key = start + 1; key < tokens[start].next; key = tokens[key].next) many_keys.push_back(key);
    std::sort(many_keys.begin(), many_keys.end(), [this](uint32_t one, uint32_t other) {
      const int order = text(one).compare(text(other));
      return order != 0 ? order < 0 : one < other;
    });
    for (size_t i = 1; i < many_keys.size(); i++) {
      if (text(many_keys[i - 1]) == text(many_keys[i])) {
        duplicate_key = std::min(duplicate_key, many_keys[i]);
      }
    }
  }

  csj_status parse(size_t offset, size_t size, csj_tape *tape) {
    const uint8_t *start = buffer.data() + offset;
    has_escapes = std::memchr(start, '\\', size) != nullptr;
    // What an array or an object holds counts as a level, and what holds nothing as none: flattening counts them.
    if (parser.capacity() < size || parser.max_depth() != max_depth + 1) {
      if (parser.allocate(std::max(size, size_t(4096)), max_depth + 1)) return CSJ_NO_MEMORY;
    }
    wide.clear();
    dom::element root;
    auto error = parser.parse(start, size, false).get(root);
    // Hardly any value fails for a number alone, so that these are looked for only then.
    if (error && error != simdjson::MEMALLOC && wide.find(start, size, simdjson::SIMDJSON_PADDING)) {
      error = parser.parse(wide.narrowed(), size, false).get(root);
    }
    if (error == simdjson::MEMALLOC) return CSJ_NO_MEMORY;
    if (error) return CSJ_INVALID;
    tokens.clear();
    null_character = duplicate_key = CSJ_NO_TOKEN;
    depth = 0;
    is_too_deep = false;
    flatten(root);
    if (is_too_deep) return CSJ_INVALID;
    *tape = {tokens.data(), uint32_t(tokens.size()), null_character, duplicate_key};
    return CSJ_OK;
  }

  /// The offset behind the string that begins at `at`, or `length` + 1 if it has no end.
  size_t skip_string(size_t at) const {
    const uint8_t *bytes = buffer.data();
    for (size_t from = at + 1; from < length;) {
      const void *found = std::memchr(bytes + from, '"', length - from);
      if (!found) break;
      const size_t quote = size_t(static_cast<const uint8_t *>(found) - bytes);
      size_t slash = quote;
      while (slash > from && bytes[slash - 1] == '\\') slash--;
      if ((quote - slash) % 2 == 0) return quote + 1;
      from = quote + 1;
    }
    return length + 1;
  }

  csj_skip skip(size_t at) {
    const uint8_t *bytes = buffer.data();
    const size_t begin = at;
    size_t depth = 0;
    while (at < length) {
      const uint8_t byte = bytes[at];
      switch (byte) {
      case '"':
        if (depth == 0 && at > begin) return {CSJ_SKIPPED, at};
        at = skip_string(at);
        if (at > length) return {CSJ_CUT, length};
        if (depth == 0) return {CSJ_SKIPPED, at};
        continue;
      case '{': case '[': {
        if (depth == 0 && at > begin) return {CSJ_SKIPPED, at};
        if (brackets.size() <= depth / 64) brackets.push_back(0);
        const uint64_t bit = uint64_t(1) << (depth % 64);
        brackets[depth / 64] = byte == '{' ? brackets[depth / 64] | bit : brackets[depth / 64] & ~bit;
        depth++;
        break;
      }
      case '}': case ']':
        if (depth == 0) return {at > begin ? CSJ_SKIPPED : CSJ_NO_VALUE, at};
        depth--;
        if ((brackets[depth / 64] >> (depth % 64) & 1) != (byte == '}')) return {CSJ_MISMATCH, at};
        if (depth == 0) return {CSJ_SKIPPED, at + 1};
        break;
      case ',': case ' ': case '\n': case '\r': case '\t':
        if (depth == 0) return {at > begin ? CSJ_SKIPPED : CSJ_NO_VALUE, at};
        break;
      default: break;
      }
      at++;
    }
    if (depth == 0 && at > begin) return {CSJ_SKIPPED, at};
    return {CSJ_CUT, length};
  }
};

extern "C" {

csj_reader *csj_reader_create(const char *const *words, size_t count, size_t max_depth) {
  try {
    return new csj_reader(words, count, max_depth);
  } catch (...) {
    return nullptr;
  }
}

void csj_reader_destroy(csj_reader *reader) { delete reader; }

csj_status csj_load(csj_reader *reader, const uint8_t *bytes, size_t length) {
  try {
    reader->length = 0;
    if (reader->buffer.size() < length + simdjson::SIMDJSON_PADDING) {
      reader->buffer.resize(length + simdjson::SIMDJSON_PADDING);
    }
    if (length > 0) std::memcpy(reader->buffer.data(), bytes, length);
    std::memset(reader->buffer.data() + length, ' ', simdjson::SIMDJSON_PADDING);
    reader->length = length;
    return CSJ_OK;
  } catch (...) {
    return CSJ_NO_MEMORY;
  }
}

csj_skip csj_skip_value(csj_reader *reader, size_t offset) {
  try {
    return reader->skip(offset);
  } catch (...) {
    return {CSJ_CUT, reader->length};
  }
}

csj_status csj_parse(csj_reader *reader, size_t offset, size_t length, csj_tape *tape) {
  try {
    if (offset > reader->length || length > reader->length - offset) return CSJ_INVALID;
    return reader->parse(offset, length, tape);
  } catch (...) {
    return CSJ_NO_MEMORY;
  }
}

} // extern "C"
