#include "io/csv/csv_columns.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fast_float/fast_float.h>

namespace rankine {
namespace {

using Places = std::unordered_map<std::string, std::size_t>;

bool is_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  return result.ec == std::errc{} && result.ptr == end;
}

std::vector<std::string> read_names(const CsvText& csv, const CsvRow& header) {
  std::vector<std::string> names;
  Places places;
  for (const char* next = header.begin; next != nullptr;) {
    const CsvCell cell = csv_cell(csv, header, next);
    std::string name = csv_value(cell);
    const auto number = std::to_string(names.size() + 1);
    if (name.empty()) {
      csv.fail(cell.begin, "column " + number +
                               " has no name (an index? write the file without it, or name it)");
    }
    const auto [place, is_new] = places.emplace(name, names.size());
    if (!is_new) {
      csv.fail(cell.begin, "column " + number + " is named " + shown(name) + ", as is column " +
                               std::to_string(place->second + 1));
    }
    names.push_back(std::move(name));
    next = cell.next;
  }
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t k = 0; k < std::min(kMost, names.size()); ++k) {
    list += (k > 0 ? ", " : "") + shown(names[k]);
  }
  if (names.size() > kMost) list += " and " + std::to_string(names.size() - kMost) + " more";
  return list;
}

/// Gives columns their roles, by the option that names them.
class RoleGiver {
 public:
  RoleGiver(const CsvText& csv, const CsvRow& header, CsvColumns& columns)
      : csv_(csv), header_(header), columns_(columns), given_by_(columns.names.size()) {
    for (std::size_t k = 0; k < columns.names.size(); ++k) places_.emplace(columns.names[k], k);
  }

  bool has(const std::string& name) const { return places_.contains(name); }

  void give(const std::string& name, CsvRole role, const std::string& option) {
    const auto place = places_.find(name);
    if (place == places_.end()) fail_not_there(name, option);
    std::string& given_by = given_by_[place->second];
    if (!given_by.empty() && given_by != option) {
      csv_.fail(header_.begin,
                "column " + shown(name) + " is named by both " + given_by + " and " + option);
    }
    given_by = option;
    columns_.roles[place->second] = role;
  }

 private:
  [[noreturn]] void fail_not_there(const std::string& name, const std::string& option) const {
    const auto& names = columns_.names;
    if (std::all_of(names.begin(), names.end(), is_number)) {
      csv_.fail(header_.begin, "the first line holds numbers, not the names of the columns");
    }
    std::string message =
        "there is no column " + shown(name) + " (" + option + "); the columns are " + listed(names);
    const std::vector<std::string_view> views(names.begin(), names.end());
    const auto nearest = nearest_spelling(name, views);
    if (!nearest.empty()) message += " (did you mean " + shown(nearest) + "?)";
    csv_.fail(header_.begin, message);
  }

  const CsvText& csv_;
  const CsvRow& header_;
  CsvColumns& columns_;
  std::vector<std::string> given_by_;  // by column: the option that gave it its role
  Places places_;
};

}  // namespace

std::vector<std::string> CsvColumns::feature_names() const {
  std::vector<std::string> features;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (roles[k] == CsvRole::feature) features.push_back(names[k]);
  }
  return features;
}

CsvColumns read_csv_columns(const CsvText& csv, const CsvRow& header, const ReadOptions& options) {
  CsvColumns columns;
  columns.names = read_names(csv, header);
  columns.roles.assign(columns.names.size(), CsvRole::feature);
  RoleGiver giver(csv, header, columns);
  columns.missing_is_error = options.missing == Missing::error;
  if (!options.skip_grades) {
    giver.give(options.label, CsvRole::grade, "--label");
  } else if (options.label != ReadOptions{}.label || giver.has(options.label)) {
    giver.give(options.label, CsvRole::ignored, "--label");
  }
  const bool must_have_query_ids = !options.qid.empty() && options.qid != ReadOptions{}.qid;
  columns.has_query_ids = must_have_query_ids || giver.has(options.qid);
  if (columns.has_query_ids) giver.give(options.qid, CsvRole::query_id, "--qid");
  columns.has_weights = !options.weight.empty();
  if (columns.has_weights) giver.give(options.weight, CsvRole::weight, "--weight");
  columns.has_document_ids = !options.docid.empty();
  if (columns.has_document_ids) giver.give(options.docid, CsvRole::document_id, "--docid");
  for (const std::string& name : options.ignore) giver.give(name, CsvRole::ignored, "--ignore");
  return columns;
}

}  // namespace rankine
