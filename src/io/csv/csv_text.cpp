// Whether a line end ends a row depends on all quotes before it: it does when their number is even.
// So quotes are counted block by block, the counts summed, and each block then finds its first row
// by itself. Rows are cut by that rule alone, whatever their cells look like; a quote where none
// may be is found when the cells of its row are read, before anything after it is believed.
#include "io/csv/csv_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <rankine/error.hpp>

#include "base/contract.hpp"
#include "base/parallel.hpp"

namespace rankine {
namespace {

const char* find(const char* begin, const char* end, char wanted) {
  if (begin == end) return end;
  const void* found = std::memchr(begin, wanted, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

/// The first line end outside quotes in [begin, end), or end.
const char* find_row_end(const char* begin, const char* end, bool quoted) {
  while (begin != end) {
    if (quoted) {
      begin = find(begin, end, '"');
      if (begin == end) return end;
      ++begin;
    }
    const char* const line_end = find(begin, end, '\n');
    begin = find(begin, line_end, '"');
    if (begin == line_end) return line_end;
    ++begin;
    quoted = true;
  }
  return end;
}

bool is_blank(char c, char separator) {
  return (c == ' ' || c == '\t') && c != separator;
}

std::string_view trimmed(const char* begin, const char* end, char separator) {
  while (begin != end && is_blank(*begin, separator)) ++begin;
  while (begin != end && is_blank(end[-1], separator)) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// The quote that closes what `begin` is inside of, or end.
const char* find_closing_quote(const char* begin, const char* end) {
  for (;;) {
    const char* const quote = find(begin, end, '"');
    if (quote == end || quote + 1 == end || quote[1] != '"') return quote;
    begin = quote + 2;
  }
}

/// The bytes of the printable UTF-8 character `text` begins with; 0 when it does not.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return lead >= ' ' && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead < 0xc2   ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

std::int64_t count_rows(const char* begin, const char* end) {
  std::int64_t count = 0;
  while (begin < end) {
    const CsvRow row = csv_row(begin, end);
    if (!row.blank()) ++count;
    begin = row.next;
  }
  return count;
}

}  // namespace

std::string CsvText::place(const char* at) const {
  const char* const begin = text.data();
  RANKINE_ASSERT(begin <= at && at <= end());
  const auto line = lines_before + std::count(begin, at, '\n') + 1;
  const char* line_begin = at;
  while (line_begin != begin && line_begin[-1] != '\n') --line_begin;
  return source_name + ":" + std::to_string(line) + ":" + std::to_string(at - line_begin + 1);
}

void CsvText::fail(const char* at, const std::string& message) const {
  throw Error(ErrorKind::data, place(at) + ": " + message);
}

CsvRow csv_row(const char* begin, const char* text_end) {
  const char* end = find_row_end(begin, text_end, false);
  const char* const next = end == text_end ? end : end + 1;
  if (end != begin && end[-1] == '\r') --end;
  return {begin, end, next};
}

CsvCell csv_cell(const CsvText& csv, const CsvRow& row, const char* begin) {
  CsvCell cell;
  cell.begin = begin;
  const char* first = begin;
  while (first != row.end && is_blank(*first, csv.separator)) ++first;
  const char* end = nullptr;
  if (first != row.end && *first == '"') {
    const char* const closing = find_closing_quote(first + 1, row.end);
    if (closing == row.end) csv.fail(first, "this quote is never closed");
    cell.quoted = true;
    cell.text = {first + 1, static_cast<std::size_t>(closing - first - 1)};
    end = closing + 1;
    while (end != row.end && is_blank(*end, csv.separator)) ++end;
    if (end != row.end && *end != csv.separator) {
      csv.fail(end,
               "text after the closing quote of a cell: a quote inside a quoted cell is doubled");
    }
  } else {
    end = find(first, row.end, csv.separator);
    if (const char* const quote = find(first, end, '"'); quote != end) {
      csv.fail(quote, "a quote inside a cell that is not quoted");
    }
    cell.text = trimmed(first, end, csv.separator);
  }
  cell.next = end == row.end ? nullptr : end + 1;
  return cell;
}

std::string csv_value(const CsvCell& cell) {
  std::string value(cell.text);
  if (!cell.quoted) return value;
  std::size_t at = 0;
  while ((at = value.find('"', at)) != std::string::npos) value.erase(at++, 1);
  return value;
}

std::string_view without_byte_order_mark(const std::string& source_name, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) return text.substr(3);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw Error(ErrorKind::data, source_name + ":1:1: the file is UTF-16; save it as UTF-8");
  }
  return text;
}

CsvRow find_csv_header(CsvText& csv) {
  CsvRow header{csv.text.data(), csv.text.data(), csv.text.data()};
  while (header.blank() && header.next != csv.end()) header = csv_row(header.next, csv.end());
  if (header.blank()) csv.fail(csv.text.data(), "the file is empty");
  if (const char* const alone = std::find(header.begin, header.end, '\r'); alone != header.end) {
    csv.fail(alone, "a carriage return inside the header: lines end with LF or CRLF");
  }
  csv.separator = csv_separator(header);
  return header;
}

char csv_separator(const CsvRow& row) {
  constexpr std::array<char, 3> kSeparators{',', '\t', ';'};
  std::array<std::int64_t, 3> counts{};
  bool quoted = false;
  for (const char* at = row.begin; at != row.end; ++at) {
    if (*at == '"') quoted = !quoted;
    for (std::size_t k = 0; k < kSeparators.size(); ++k) {
      if (!quoted && *at == kSeparators[k]) ++counts[k];
    }
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  return kSeparators[static_cast<std::size_t>(most - counts.begin())];
}

const char* last_row_end(std::string_view text) {
  bool quoted = std::count(text.begin(), text.end(), '"') % 2 != 0;
  for (const char* at = text.data() + text.size(); at != text.data(); --at) {
    if (at[-1] == '"') quoted = !quoted;
    if (at[-1] == '\n' && !quoted) return at;
  }
  return nullptr;
}

std::vector<CsvChunk> csv_chunks(std::string_view body, std::size_t chunk_bytes, int threads) {
  RANKINE_ASSERT(chunk_bytes > 0);
  if (body.empty()) return {};
  const std::size_t num_blocks = (body.size() + chunk_bytes - 1) / chunk_bytes;
  const auto num_tasks = static_cast<std::int64_t>(num_blocks);
  const auto block = [&](std::int64_t index) {
    return body.substr(static_cast<std::size_t>(index) * chunk_bytes, chunk_bytes);
  };
  std::vector<std::uint8_t> odd_before(num_blocks + 1);  // quotes before the block, modulo 2
  parallel_for(num_tasks, threads, [&](std::int64_t index) {
    const auto bytes = block(index);
    const auto quotes = std::count(bytes.begin(), bytes.end(), '"');
    odd_before[static_cast<std::size_t>(index) + 1] = static_cast<std::uint8_t>(quotes % 2);
  });
  for (std::size_t k = 0; k < num_blocks; ++k) odd_before[k + 1] ^= odd_before[k];

  // A row begins in a block when the line end before it is in front of the block's last byte.
  std::vector<const char*> starts(num_blocks + 1, nullptr);
  starts[0] = body.data();
  starts[num_blocks] = body.data() + body.size();
  parallel_for(num_tasks - 1, threads, [&](std::int64_t previous) {
    const auto bytes = block(previous + 1);
    const auto k = static_cast<std::size_t>(previous) + 1;
    const bool quoted = odd_before[k] != 0;
    const char* const last = bytes.data() + bytes.size() - 1;
    if (!quoted && bytes.data()[-1] == '\n') {
      starts[k] = bytes.data();
    } else if (const char* line_end = find_row_end(bytes.data(), last, quoted); line_end != last) {
      starts[k] = line_end + 1;
    }
  });
  for (std::size_t k = num_blocks; k-- > 0;) {
    if (starts[k] == nullptr) starts[k] = starts[k + 1];
  }
  std::vector<CsvChunk> chunks(num_blocks);
  parallel_for(num_tasks, threads, [&](std::int64_t index) {
    const auto k = static_cast<std::size_t>(index);
    chunks[k] = {starts[k], starts[k + 1], count_rows(starts[k], starts[k + 1])};
  });
  return chunks;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string line = "'";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (line.size() + length > kMost) return line + "...'";
    if (length == 0) {
      line += '?';
      ++at;
    } else {
      line += text.substr(at, length);
      at += length;
    }
  }
  return line + "'";
}

}  // namespace rankine
