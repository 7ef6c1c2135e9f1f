// The non-zeros of the query are gathered by column and sorted by value. A walk through a column in
// rising order of its values keeps the grades of all lower values in a Fenwick tree (Fenwick 1994),
// which says how many of them a document rightly stands above. Zeros are one group, and only their
// counts by grade are needed, so sparse data costs what it holds.
#include "data/feature_accuracy.hpp"

#include <algorithm>
#include <vector>

namespace rankine {
namespace {

/// Counts by grade rank, with prefix sums.
class GradeCounts {
 public:
  explicit GradeCounts(std::size_t num_grades) : nodes_(num_grades + 1) {}

  void add(std::size_t grade, std::int64_t count) {
    for (std::size_t node = grade + 1; node < nodes_.size(); node += node & (~node + 1)) {
      nodes_[node] += count;
    }
  }
  std::int64_t below(std::size_t grade) const {
    std::int64_t total = 0;
    for (std::size_t node = grade; node > 0; node &= node - 1) total += nodes_[node];
    return total;
  }

 private:
  std::vector<std::int64_t> nodes_;
};

struct Entry {
  std::uint32_t column;
  float value;
  std::uint32_t grade;  // rank among the query's distinct grades
};

struct GradeRun {
  std::size_t grade;
  std::int64_t count;
};

/// The non-zeros of documents [first, last), columns rising. `ranks` is by document from `first`.
std::vector<Entry> nonzeros_by_column(const FeatureMatrix& features, std::int64_t first,
                                      std::int64_t last, std::span<const std::uint32_t> ranks) {
  std::vector<Entry> entries;
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(dense->num_columns); ++column) {
      for (std::int64_t doc = first; doc < last; ++doc) {
        const float value = dense->row(doc)[column];
        if (value == 0) continue;
        entries.push_back({static_cast<std::uint32_t>(column), value,
                           ranks[static_cast<std::size_t>(doc - first)]});
      }
    }
    return entries;
  }
  const auto& sparse = std::get<CsrMatrix>(features);
  for (std::int64_t doc = first; doc < last; ++doc) {
    const auto begin = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(doc)]);
    const auto end = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(doc) + 1]);
    for (std::size_t at = begin; at < end; ++at) {
      if (sparse.values[at] == 0) continue;
      entries.push_back(
          {sparse.columns[at], sparse.values[at], ranks[static_cast<std::size_t>(doc - first)]});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.column < b.column; });
  return entries;
}

/// Twice the pairs a column orders, plus the pairs it ties, from its groups of equal values taken
/// in rising order.
class ColumnTally {
 public:
  explicit ColumnTally(std::size_t num_grades) : lower_(num_grades) {}

  void add_group(std::span<const GradeRun> group) {
    std::int64_t before = 0;
    for (const auto& [grade, count] : group) {
      doubled_ += count * (2 * lower_.below(grade) + before);
      before += count;
    }
    for (const auto& [grade, count] : group) lower_.add(grade, count);
  }
  std::int64_t doubled() const { return doubled_; }

 private:
  GradeCounts lower_;
  std::int64_t doubled_ = 0;
};

std::int64_t tally_column(std::span<const Entry> entries, std::span<const std::int64_t> by_grade) {
  std::vector<std::int64_t> zeros(by_grade.begin(), by_grade.end());
  for (const Entry& entry : entries) --zeros[entry.grade];
  ColumnTally tally(by_grade.size());
  std::vector<GradeRun> group;
  bool zeros_added = false;
  const auto add_zeros = [&] {
    group.clear();
    for (std::size_t grade = 0; grade < zeros.size(); ++grade) {
      if (zeros[grade] > 0) group.push_back({grade, zeros[grade]});
    }
    tally.add_group(group);
    zeros_added = true;
  };
  for (std::size_t at = 0; at < entries.size();) {
    if (entries[at].value > 0 && !zeros_added) add_zeros();
    const float value = entries[at].value;
    group.clear();
    for (; at < entries.size() && entries[at].value == value; ++at) {
      if (group.empty() || group.back().grade != entries[at].grade) {
        group.push_back({entries[at].grade, 0});
      }
      ++group.back().count;
    }
    tally.add_group(group);
  }
  if (!zeros_added) add_zeros();
  return tally.doubled();
}

}  // namespace

std::int64_t count_pairs(std::span<double> grades) {
  std::sort(grades.begin(), grades.end());
  std::int64_t pairs = 0;
  for (std::size_t at = 0; at < grades.size();) {
    const std::size_t start = at;
    while (at < grades.size() && grades[at] == grades[start]) ++at;
    pairs += static_cast<std::int64_t>(start) * static_cast<std::int64_t>(at - start);
  }
  return pairs;
}

void add_ordered_pairs(const Dataset& data, std::int64_t query, std::span<std::int64_t> ordered) {
  const std::int64_t first = data.query_offsets[static_cast<std::size_t>(query)];
  const std::int64_t last = data.query_offsets[static_cast<std::size_t>(query) + 1];
  const auto grades = data.grades.view().subview(static_cast<std::size_t>(first),
                                                 static_cast<std::size_t>(last - first));
  std::vector<double> distinct(grades.begin(), grades.end());
  const std::int64_t num_pairs = count_pairs(distinct);
  if (num_pairs == 0) return;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::uint32_t> ranks;
  std::vector<std::int64_t> by_grade(distinct.size());
  for (const double grade : grades) {
    const auto rank = std::lower_bound(distinct.begin(), distinct.end(), grade) - distinct.begin();
    ranks.push_back(static_cast<std::uint32_t>(rank));
    ++by_grade[static_cast<std::size_t>(rank)];
  }
  auto entries = nonzeros_by_column(data.features, first, last, ranks);
  for (std::int64_t& column : ordered) column += num_pairs;  // all ties, unless it has non-zeros
  for (std::size_t at = 0; at < entries.size();) {
    const std::size_t start = at;
    while (at < entries.size() && entries[at].column == entries[start].column) ++at;
    const auto column = std::span(entries).subspan(start, at - start);
    std::sort(column.begin(), column.end(), [](const Entry& a, const Entry& b) {
      return a.value != b.value ? a.value < b.value : a.grade < b.grade;
    });
    ordered[column.front().column] += tally_column(column, by_grade) - num_pairs;
  }
}

}  // namespace rankine
