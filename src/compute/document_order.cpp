#include "compute/document_order.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rankine {
namespace {

struct ScoredDocument {
  double score;
  std::uint32_t document;
};

}  // namespace

void order_documents(const QueryLoss& loss, const QueryDocuments& query,
                     std::span<const double> scores, std::span<std::uint32_t> order) {
  if (order.empty()) return;
  const bool less_grade = loss.order_less_grade();
  thread_local std::vector<ScoredDocument> documents;
  documents.resize(scores.size());
  for (std::size_t doc = 0; doc < scores.size(); ++doc) {
    documents[doc] = {less_grade ? scores[doc] - query.grades[doc] : scores[doc],
                      static_cast<std::uint32_t>(doc)};
  }
  std::sort(documents.begin(), documents.end(),
            [](const ScoredDocument& a, const ScoredDocument& b) {
              return a.score < b.score || (a.score == b.score && a.document < b.document);
            });
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = documents[k].document;
}

}  // namespace rankine
