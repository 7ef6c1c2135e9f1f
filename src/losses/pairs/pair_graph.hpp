// Which pairs of a query count where none are listed.
#pragma once

namespace rankine {

/// none: no pairs, each document by itself; all: ties too; different_grades: as in RankSVM.
enum class PairGraph { none, all, different_grades };

}  // namespace rankine
