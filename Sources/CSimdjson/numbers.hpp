// The numbers of a JSON text that no 64 bits and no double can hold.

#ifndef CSIMDJSON_NUMBERS_HPP
#define CSIMDJSON_NUMBERS_HPP

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// RFC 8259 does not limit numbers, and the parser does: it gets a 0 in the place of each that is too wide for it.
class wide_numbers {
public:
  void clear() {
    found.clear();
    met = given = 0;
  }

  bool any() const { return !found.empty(); }

  /// Finds those of a text, and makes the text with a 0 and blanks in the place of each.
  bool find(const uint8_t *start, size_t size, size_t padding) {
    clear();
    bytes.assign(start, start + size + padding);
    size_t ordinal = 0;
    for (size_t at = 0; at < size;) {
      if (bytes[at] == '"') {
        at = behind_string(at, size);
      } else if (bytes[at] == '-' || is_digit(bytes[at])) {
        const size_t end = behind_number(at, size);
        const std::string_view text(reinterpret_cast<const char *>(start) + at, end - at);
        if (is_wide(text)) {
          found.push_back({ordinal, text});
          bytes[at] = '0';
          for (size_t i = at + 1; i < end; i++) bytes[i] = ' ';
        }
        ordinal++;
        at = end;
      } else {
        at++;
      }
    }
    return any();
  }

  const uint8_t *narrowed() const { return bytes.data(); }

  /// To be asked of each number in the order of the text: how it is written if it is one of these, else nothing.
  std::string_view next() {
    const size_t ordinal = met++;
    if (given == found.size() || found[given].ordinal != ordinal) return {};
    return found[given++].text;
  }

private:
  struct wide_number {
    /// Its place among all numbers.
    size_t ordinal;
    std::string_view text;
  };

  static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

  size_t behind_string(size_t at, size_t size) const {
    for (at++; at < size && bytes[at] != '"'; at++) {
      if (bytes[at] == '\\') at++;
    }
    return at + 1;
  }

  /// Whether it is a number by JSON's grammar is the parser's to say, unless it is wide.
  size_t behind_number(size_t at, size_t size) const {
    constexpr std::string_view marks = "+-.eE";
    at++;
    while (at < size && (is_digit(bytes[at]) || marks.find(char(bytes[at])) != marks.npos)) at++;
    return at;
  }

  /// Of a number in JSON's grammar; nothing else is one.
  static bool is_wide(std::string_view text) {
    size_t at = text[0] == '-' ? 1 : 0;
    const auto digits = [&] {
      const size_t start = at;
      while (at < text.size() && is_digit(uint8_t(text[at]))) at++;
      return at - start;
    };
    const size_t first = at;
    const size_t count = digits();
    if (count == 0 || (count > 1 && text[first] == '0')) return false;
    if (at == text.size()) return !fits<int64_t>(text) && !fits<uint64_t>(text);
    if (text[at] == '.') {
      at++;
      if (digits() == 0) return false;
    }
    if (at < text.size() && (text[at] | 0x20) == 'e') {
      at++;
      if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
      if (digits() == 0) return false;
    }
    return at == text.size() && std::isinf(std::strtod(std::string(text).c_str(), nullptr));
  }

  template <typename integer> static bool fits(std::string_view text) {
    integer value;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
  }

  std::vector<uint8_t> bytes;
  std::vector<wide_number> found;
  size_t met = 0, given = 0;
};

} // namespace

#endif
