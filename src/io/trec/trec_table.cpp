// The text files of TREC; declared in include/rankine/trec.hpp. Entries are collected in the order
// of the file and then gathered by query with a stable sort.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/read.hpp>
#include <rankine/trec.hpp>

#include "base/system/input_bytes.hpp"
#include "base/text/text_lines.hpp"
#include "data/collect/query_numbers.hpp"
#include "io/csv/csv_text.hpp"

namespace rankine {
namespace {

class TrecTableBuilder {
 public:
  /// `place`: the line or row where the entry stands, from 1.
  void add(std::string_view query, std::string_view document, double value, std::int64_t place) {
    entry_queries_.push_back(queries_.number(query));
    bytes_.insert(bytes_.end(), document.begin(), document.end());
    offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
    values_.push_back(value);
    places_.push_back(place);
  }

  /// Throws Error{data} when a query has a document twice. `unit`: what places count.
  TrecTable finish(std::string source, const std::string& unit) {
    TrecTable table;
    const StringList ids(std::move(bytes_), std::move(offsets_));
    const std::vector<std::int64_t> starts = query_starts();
    const std::vector<std::size_t> order = gathered_order(starts);
    table.query_ids = queries_.finish();
    check_unique(source, unit, ids, order, starts, table.query_ids);
    std::vector<char> bytes;
    std::vector<std::int64_t> offsets{0};
    std::vector<double> values;
    bytes.reserve(ids.bytes().size());
    for (const std::size_t entry : order) {
      bytes.insert(bytes.end(), ids[entry].begin(), ids[entry].end());
      offsets.push_back(static_cast<std::int64_t>(bytes.size()));
      values.push_back(values_[entry]);
    }
    table.source = std::move(source);
    table.query_offsets = starts;
    table.document_ids = StringList(std::move(bytes), std::move(offsets));
    table.values = std::move(values);
    return table;
  }

 private:
  std::vector<std::int64_t> query_starts() const {
    std::vector<std::int64_t> starts(queries_.size() + 1, 0);
    for (const std::uint32_t query : entry_queries_) ++starts[query + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    return starts;
  }

  std::vector<std::size_t> gathered_order(const std::vector<std::int64_t>& starts) const {
    std::vector<std::int64_t> next = starts;
    std::vector<std::size_t> order(entry_queries_.size());
    for (std::size_t entry = 0; entry < order.size(); ++entry) {
      order[static_cast<std::size_t>(next[entry_queries_[entry]]++)] = entry;
    }
    return order;
  }

  void check_unique(const std::string& source, const std::string& unit, const StringList& ids,
                    const std::vector<std::size_t>& order, const std::vector<std::int64_t>& starts,
                    const StringList& queries) const {
    std::vector<std::size_t> entries;
    for (std::size_t query = 0; query + 1 < starts.size(); ++query) {
      entries.assign(order.begin() + starts[query], order.begin() + starts[query + 1]);
      std::sort(entries.begin(), entries.end(), [&](std::size_t a, std::size_t b) {
        const int compared = ids[a].compare(ids[b]);
        return compared != 0 ? compared < 0 : a < b;
      });
      const auto twice =
          std::adjacent_find(entries.begin(), entries.end(),
                             [&](std::size_t a, std::size_t b) { return ids[a] == ids[b]; });
      if (twice == entries.end()) continue;
      const std::string again = std::to_string(places_[twice[1]]);
      throw Error(ErrorKind::data,
                  source + (unit == "line" ? ":" + again : ": " + unit + " " + again) +
                      ": document " + shown(ids[*twice]) + " of query " + shown(queries[query]) +
                      " again, after " + unit + " " + std::to_string(places_[*twice]));
    }
  }

  QueryNumbers queries_;
  std::vector<std::uint32_t> entry_queries_;
  std::vector<char> bytes_;  // document ids
  std::vector<std::int64_t> offsets_{0};
  std::vector<double> values_;
  std::vector<std::int64_t> places_;
};

/// Which fields of a line are used, and what a line should look like.
struct TrecFormat {
  std::size_t num_fields;
  std::size_t value_field;
  std::string_view value_name;
  std::string_view shape;
};
constexpr std::size_t kQueryField = 0;
constexpr std::size_t kDocumentField = 2;
constexpr std::size_t kMostFields = 6;
constexpr TrecFormat kQrels{4, 3, "grade", "query iteration document grade"};
constexpr TrecFormat kRun{6, 4, "score", "query iteration document rank score run"};

TrecTable read_table(const std::string& path, const TrecFormat& format) {
  InputBytes input(path);
  TrecTableBuilder builder;
  for_each_line(input, [&](std::int64_t number, std::string_view line) {
    std::array<std::string_view, kMostFields> fields;
    std::size_t count = 0;
    while (count < format.num_fields && !line.empty()) {
      fields[count++] = line.substr(0, line.find_first_of(kLineBlanks));
      line = trimmed(line.substr(fields[count - 1].size()));
    }
    const std::string where = input.name() + ":" + std::to_string(number) + ": ";
    if (count < format.num_fields) {
      throw Error(ErrorKind::data, where + std::to_string(count) + " fields, not the " +
                                       std::to_string(format.num_fields) + " of '" +
                                       std::string(format.shape) + "'");
    }
    double value = 0;
    const std::string_view text = fields[format.value_field];
    if (const auto outcome = parse_number(text, value); outcome != NumberOutcome::ok) {
      throw Error(ErrorKind::data, where + std::string(format.value_name) + " " + shown(text) +
                                       " " + std::string(number_problem(outcome)));
    }
    builder.add(fields[kQueryField], fields[kDocumentField], value, number);
  });
  TrecTable table = builder.finish(input.name(), "line");
  if (table.values.empty()) throw Error(ErrorKind::data, input.name() + ": no lines with data");
  return table;
}

}  // namespace

TrecTable read_qrels(const std::string& path) {
  return read_table(path, kQrels);
}

TrecTable read_run(const std::string& path) {
  return read_table(path, kRun);
}

TrecTable qrels_of(const Dataset& data) {
  TrecTableBuilder builder;
  for (std::size_t query = 0; query < data.query_ids.size(); ++query) {
    const auto last = static_cast<std::size_t>(data.query_offsets[query + 1]);
    for (auto document = static_cast<std::size_t>(data.query_offsets[query]); document < last;
         ++document) {
      const std::int64_t row =
          data.input_rows.empty() ? static_cast<std::int64_t>(document) : data.input_rows[document];
      const std::string_view id =
          data.comments.empty() ? std::string_view() : document_id(data.comments[document]);
      if (id.empty()) {
        throw Error(ErrorKind::data, data.source + ": row " + std::to_string(row + 1) +
                                         " has no document id: a run needs one in every comment");
      }
      builder.add(data.query_ids[query], id, data.grades[document], row + 1);
    }
  }
  return builder.finish(data.source, "row");
}

}  // namespace rankine
