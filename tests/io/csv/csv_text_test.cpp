#include "io/csv/csv_text.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/naive_csv.hpp"

namespace rankine {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of_chunks(const CsvText& csv, const std::vector<CsvChunk>& chunks) {
  Rows rows;
  for (const CsvChunk& chunk : chunks) {
    std::int64_t count = 0;
    for (const char* next = chunk.begin; next != chunk.end;) {
      const CsvRow row = csv_row(next, chunk.end);
      next = row.next;
      if (row.blank()) continue;
      ++count;
      rows.emplace_back();
      for (const char* at = row.begin; at != nullptr;) {
        const CsvCell cell = csv_cell(csv, row, at);
        rows.back().push_back(csv_value(cell));
        at = cell.next;
      }
    }
    EXPECT_EQ(count, chunk.num_rows);
  }
  return rows;
}

/// Rows of random cells full of what must be quoted, quoted also now and then where need not be.
std::string random_csv(std::mt19937& random, char separator) {
  const std::string letters = std::string("ab1\"\n") + separator;
  std::string text;
  const auto num_rows = random() % 8;
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (random() % 10 == 0) text += "\n";
    const auto num_cells = 1 + random() % 4;
    for (std::size_t k = 0; k < num_cells; ++k) {
      if (k > 0) text += separator;
      std::string value;
      for (auto length = random() % 5; length > 0; --length)
        value += letters[random() % letters.size()];
      if (value.find_first_of(letters.substr(3)) == std::string::npos && random() % 4 != 0) {
        text += value;
        continue;
      }
      text += '"';
      for (const char c : value) text += c == '"' ? "\"\"" : std::string(1, c);
      text += '"';
    }
    if (row + 1 < num_rows || random() % 2 == 0) text += random() % 2 == 0 ? "\n" : "\r\n";
  }
  return text;
}

TEST(CsvText, agrees_with_reading_letter_by_letter_wherever_it_is_cut) {
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const char separator = ",;\t"[repeat % 3];
    const std::string text = random_csv(random, separator);
    const CsvText csv{"t.csv", text, separator};
    const Rows expected = oracles::naive_csv(text, separator);
    for (const std::size_t chunk_bytes : {1U, 2U, 3U, 5U, 8U, 1000U}) {
      ASSERT_EQ(rows_of_chunks(csv, csv_chunks(text, chunk_bytes, 1)), expected)
          << text << "\ncut every " << chunk_bytes;
    }
  }
}

TEST(CsvText, is_cut_in_the_same_places_by_any_number_of_threads) {
  std::mt19937 random(2);
  std::string text;
  for (int part = 0; part < 500; ++part) text += random_csv(random, ',') + "\n";
  const auto one = csv_chunks(text, 64, 1);
  const auto four = csv_chunks(text, 64, 4);
  ASSERT_EQ(one.size(), four.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].begin, four[k].begin);
    EXPECT_EQ(one[k].end, four[k].end);
    EXPECT_EQ(one[k].num_rows, four[k].num_rows);
  }
}

TEST(CsvText, cuts_any_bytes_into_chunks_that_join) {
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::string text;
    for (auto length = random() % 60; length > 0; --length) text += "\"\n\r,a"[random() % 5];
    for (const std::size_t chunk_bytes : {1U, 3U, 7U}) {
      const char* at = text.data();
      for (const CsvChunk& chunk : csv_chunks(text, chunk_bytes, 1)) {
        EXPECT_EQ(chunk.begin, at);
        at = chunk.end;
      }
      EXPECT_EQ(at, text.data() + text.size());
    }
  }
}

TEST(CsvText, leaves_out_blanks_around_a_cell_but_not_inside_quotes) {
  const std::string text = " a b \t, \" c \" ,";
  const CsvText csv{"t.csv", text, ','};
  EXPECT_EQ(rows_of_chunks(csv, csv_chunks(text, 100, 1)), (Rows{{"a b", " c ", ""}}));
}

TEST(CsvText, keeps_empty_cells_between_tabs) {
  const std::string text = "\ta\t\n";
  const CsvText csv{"t.tsv", text, '\t'};
  EXPECT_EQ(rows_of_chunks(csv, csv_chunks(text, 100, 1)), (Rows{{"", "a", ""}}));
}

std::string message_of_row(const std::string& text) {
  const CsvText csv{"t.csv", text, ','};
  try {
    rows_of_chunks(csv, csv_chunks(text, 4, 1));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CsvText, says_where_a_quote_is_wrong) {
  EXPECT_EQ(message_of_row("a,b\n1,\"2\n3,4\n"), "t.csv:2:3: this quote is never closed");
  EXPECT_EQ(message_of_row("a,b\n1,5\" pipe\n3,4\n"),
            "t.csv:2:4: a quote inside a cell that is not quoted");
  EXPECT_EQ(message_of_row("a,b\n\"1\"2,5\n"),
            "t.csv:2:4: text after the closing quote of a cell: a quote inside a quoted cell is "
            "doubled");
}

TEST(CsvText, takes_the_separator_that_is_there_most_outside_quotes) {
  const auto separator = [](const std::string& line) {
    return csv_separator(csv_row(line.data(), line.data() + line.size()));
  };
  EXPECT_EQ(separator("a,b,c"), ',');
  EXPECT_EQ(separator("a\tb, c\td"), '\t');
  EXPECT_EQ(separator("\"a,b,c,d\";e;f\n,,,,,"), ';');
  EXPECT_EQ(separator("a"), ',');
}

TEST(CsvText, shows_any_bytes_in_one_short_line) {
  EXPECT_EQ(shown("red"), "'red'");
  EXPECT_EQ(shown("a\nb\x01z\xff"), "'a?b?z?'");
  EXPECT_EQ(shown("\xC3\xA9t\xC3\xA9"), "'\xC3\xA9t\xC3\xA9'");
  EXPECT_EQ(shown(std::string(100, 'x')), "'" + std::string(39, 'x') + "...'");
}

}  // namespace
}  // namespace rankine
