// LETOR text and simple CSV read in the most obvious way, without regard to speed or to mistakes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>

#include "data/collect/dataset_builder.hpp"

namespace rankine {

class SlowRows {
 public:
  void add(double grade, const std::string& id,
           std::vector<std::pair<std::uint32_t, float>> entries, const std::string& comment) {
    grades_.push_back(grade);
    const auto known = std::find(ids_.begin(), ids_.end(), id);
    rows_.query_of_row.push_back(static_cast<std::uint32_t>(known - ids_.begin()));
    if (known == ids_.end()) ids_.push_back(id);
    for (const auto& entry : entries) num_columns_ = std::max(num_columns_, entry.first + 1);
    entries_.push_back(std::move(entries));
    comments_.push_back(comment);
  }

  Dataset build(bool sparse) {
    const auto num_rows = static_cast<std::int64_t>(entries_.size());
    std::vector<float> dense(entries_.size() * num_columns_);
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint32_t> columns;
    std::vector<float> values;
    for (std::size_t row = 0; row < entries_.size(); ++row) {
      for (const auto& [column, value] : entries_[row]) {
        dense[row * num_columns_ + column] = value;
        if (value == 0) continue;
        columns.push_back(column);
        values.push_back(value);
      }
      offsets.push_back(static_cast<std::int64_t>(values.size()));
    }
    if (sparse) {
      rows_.features = CsrMatrix{num_rows, num_columns_, offsets, columns, values};
    } else {
      rows_.features = DenseMatrix{num_rows, num_columns_, dense};
    }
    rows_.grades = std::move(grades_);
    rows_.query_ids = StringList::of(ids_);
    rows_.comments = StringList::of(comments_);
    return build_dataset("slow", std::move(rows_));
  }

 private:
  ParsedRows rows_;
  std::vector<double> grades_;
  std::vector<std::string> ids_;
  std::vector<std::string> comments_;
  std::vector<std::vector<std::pair<std::uint32_t, float>>> entries_;
  std::uint32_t num_columns_ = 0;
};

inline Dataset read_letor_slowly(const std::string& text, bool sparse) {
  SlowRows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto mark = std::min(line.find('#'), line.size());
    const std::string comment = line.substr(std::min(mark + 1, line.size()));
    std::istringstream words(line.substr(0, mark));
    std::string word;
    words >> word;
    const double grade = std::strtod(word.c_str(), nullptr);
    std::string id;
    std::vector<std::pair<std::uint32_t, float>> entries;
    while (words >> word) {
      const auto colon = word.find(':');
      const std::string value = word.substr(colon + 1);
      if (word.starts_with("qid:")) {
        id = value;
      } else {
        entries.emplace_back(std::stoul(word) - 1, std::strtof(value.c_str(), nullptr));
      }
    }
    rows.add(grade, id, std::move(entries), comment);
  }
  return rows.build(sparse);
}

/// Columns label, qid, then `num_skipped` others, then features; no quotes.
inline Dataset read_csv_slowly(const std::string& text, std::size_t num_skipped, bool sparse) {
  SlowRows rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::size_t cell = 2 + num_skipped; cell < row.size(); ++cell) {
      entries.emplace_back(cell - 2 - num_skipped, std::strtof(row[cell].c_str(), nullptr));
    }
    rows.add(std::strtod(row[0].c_str(), nullptr), row[1], std::move(entries), "");
  }
  return rows.build(sparse);
}

}  // namespace rankine
