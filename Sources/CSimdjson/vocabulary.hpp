// The words that a reader recognises by their number.

#ifndef CSIMDJSON_VOCABULARY_HPP
#define CSIMDJSON_VOCABULARY_HPP

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "CSimdjson.h"

namespace {

/// Distinguishes short keys well and takes the same time for long ones.
inline uint32_t hash_of(std::string_view text) {
  const size_t length = text.size();
  uint32_t head = 0, tail = 0;
  if (length >= 4) {
    std::memcpy(&head, text.data(), 4);
    std::memcpy(&tail, text.data() + length - 4, 4);
  } else {
    std::memcpy(&head, text.data(), length);
  }
  uint64_t mixed = (uint64_t(head) << 32 | tail) ^ uint64_t(length) * 0x9E3779B97F4A7C15u;
  mixed *= 0xD6E8FEB86659FD93u;
  return uint32_t(mixed >> 32);
}

/// The words that a reader knows, in a hash table with linear probing.
class vocabulary {
public:
  vocabulary(const char *const *words, size_t count) {
    size_t size = 16;
    while (size < count * 4) size *= 2;
    slots.assign(size, CSJ_NO_WORD);
    for (size_t i = 0; i < count; i++) {
      list.emplace_back(words[i]);
      size_t slot = hash_of(list.back()) & (size - 1);
      while (slots[slot] != CSJ_NO_WORD) slot = (slot + 1) & (size - 1);
      slots[slot] = uint16_t(i);
    }
  }

  uint16_t find(std::string_view text, uint32_t hash) const {
    for (size_t slot = hash & (slots.size() - 1);; slot = (slot + 1) & (slots.size() - 1)) {
      const uint16_t word = slots[slot];
      if (word == CSJ_NO_WORD || list[word] == text) return word;
    }
  }

private:
  std::vector<std::string> list;
  std::vector<uint16_t> slots;
};

} // namespace

#endif
