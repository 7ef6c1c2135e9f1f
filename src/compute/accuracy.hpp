// How exact a value and gradient must be.
#pragma once

namespace rankine {

/// rough: to some six digits, as single precision has them, or not finite where its range is too
/// small. For points that a solver passes by.
enum class Accuracy { rough, full };

}  // namespace rankine
