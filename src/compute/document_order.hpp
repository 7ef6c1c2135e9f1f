// The order of a query's documents that losses look at.
#pragma once

#include <cstdint>
#include <span>

#include <rankine/loss.hpp>

namespace rankine {

/// Writes documents by rising score, or by score less grade where the loss asks for it; equal ones
/// by document, so that the order is unique. Does nothing where `order` is empty.
void order_documents(const QueryLoss& loss, const QueryDocuments& query,
                     std::span<const double> scores, std::span<std::uint32_t> order);

/// Writes documents by rising value, equal ones by document.
void order_by_value(std::span<const double> values, std::span<std::uint32_t> order);

}  // namespace rankine
