// exp and log reduce their argument by powers of 2 to a short interval around 0. There the Taylor
// series is exact to half a unit in the last place after a few terms. The largest term is added
// last, so that only its rounding matters. The quantile is Wichura's rational approximation PPND16
// (Applied Statistics 37, 1988, AS 241).
#include "base/portable_math.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/contract.hpp"

// Excess precision or reassociation would change the bits this file promises.
static_assert(FLT_EVAL_METHOD == 0);
#ifdef __FAST_MATH__
#error "portable_math must be compiled without -ffast-math"
#endif

namespace rankine {
namespace {

// ln 2 in two parts: the first has 21 zero bits at its end, so that its product with an exponent is
// exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1023;

/// coefficients[0] + coefficients[1] x + ...
template <std::size_t size>
constexpr double polynomial(const std::array<double, size>& coefficients, double x) {
  double value = coefficients[size - 1];
  for (std::size_t power = size - 1; power-- > 0;) value = value * x + coefficients[power];
  return value;
}

/// 1/2!, 1/3!, ... 1/13!
constexpr auto kExpSeries = [] {
  std::array<double, 12> series{};
  double factorial = 1;
  for (std::size_t n = 2; n < series.size() + 2; ++n) {
    factorial *= static_cast<double>(n);
    series[n - 2] = 1 / factorial;
  }
  return series;
}();

/// 2/3, 2/5, ... 2/21: log((1 + s) / (1 - s)) = 2 s + s (2/3 s^2 + 2/5 s^4 + ...).
constexpr auto kLogSeries = [] {
  std::array<double, 10> series{};
  for (std::size_t n = 0; n < series.size(); ++n) series[n] = 2 / static_cast<double>(2 * n + 3);
  return series;
}();

/// 2^exponent for a normal result.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias)
                               << kMantissaBits);
}

constexpr std::array<double, 8> kCentreAbove{3.3871328727963666080e0, 1.3314166789178437745e2,
                                             1.9715909503065514427e3, 1.3731693765509461125e4,
                                             4.5921953931549871457e4, 6.7265770927008700853e4,
                                             3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array<double, 8> kCentreBelow{1.0,
                                             4.2313330701600911252e1,
                                             6.8718700749205790830e2,
                                             5.3941960214247511077e3,
                                             2.1213794301586595867e4,
                                             3.9307895800092710610e4,
                                             2.8729085735721942674e4,
                                             5.2264952788528545610e3};
constexpr std::array<double, 8> kTailAbove{1.42343711074968357734e0,  4.63033784615654529590e0,
                                           5.76949722146069140550e0,  3.64784832476320460504e0,
                                           1.27045825245236838258e0,  2.41780725177450611770e-1,
                                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kTailBelow{1.0,
                                           2.05319162663775882187e0,
                                           1.67638483018380384940e0,
                                           6.89767334985100004550e-1,
                                           1.48103976427480074590e-1,
                                           1.51986665636164571966e-2,
                                           5.47593808499534494600e-4,
                                           1.05075007164441684324e-9};
constexpr std::array<double, 8> kFarTailAbove{6.65790464350110377720e0,  5.46378491116411436990e0,
                                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kFarTailBelow{1.0,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};

}  // namespace

double portable_exp(double x) noexcept {
  constexpr double kLargest = 709.79;    // just above ln(largest double)
  constexpr double kSmallest = -745.14;  // just below ln(smallest subnormal / 2)
  if (!(x < kLargest)) return x + std::numeric_limits<double>::infinity();  // NaN stays NaN
  if (x < kSmallest) return 0;
  constexpr double kInverseLn2 = 0x1.71547652b82fep0;
  const int exponent = static_cast<int>(x * kInverseLn2 + (x < 0 ? -0.5 : 0.5));
  const double high = x - exponent * kLn2High;
  const double low = exponent * kLn2Low;
  const double r = high - low;
  const double lost = (high - r) - low;  // what rounding r cost; e^lost = 1 + lost
  const double value = 1 + (r + (r * r * polynomial(kExpSeries, r) + lost));
  // In two steps, because 2^exponent itself may be out of range.
  const int half = exponent / 2;
  return value * power_of_two(half) * power_of_two(exponent - half);
}

double portable_log(double x) noexcept {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (!(x <= std::numeric_limits<double>::max())) return x;  // infinity, NaN
  int exponent = -kExponentBias;
  if (x < std::numeric_limits<double>::min()) {
    constexpr int kShift = 54;
    x *= power_of_two(kShift);
    exponent -= kShift;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << kMantissaBits) - 1;
  exponent += static_cast<int>(bits >> kMantissaBits);
  double mantissa = std::bit_cast<double>(
      (bits & kMantissaMask) | (static_cast<std::uint64_t>(kExponentBias) << kMantissaBits));
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp0;
  if (mantissa > kSqrt2) {
    mantissa *= 0.5;
    ++exponent;
  }
  // With f = mantissa - 1 (exact) and s = f / (2 + f): 2 s = f - f^2/2 + s f^2/2, whose first term
  // carries no error.
  const double f = mantissa - 1;
  const double s = f / (2 + f);
  const double square = s * s;
  const double half_square = 0.5 * f * f;
  const double rest = s * (half_square + square * polynomial(kLogSeries, square));
  return exponent * kLn2High + (f - (half_square - (rest + exponent * kLn2Low)));
}

double normal_quantile(double p) noexcept {
  RANKINE_ASSERT(p > 0 && p < 1);
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kCentreAbove, r) / polynomial(kCentreBelow, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? polynomial(kTailAbove, r - 1.6) / polynomial(kTailBelow, r - 1.6)
                          : polynomial(kFarTailAbove, r - 5) / polynomial(kFarTailBelow, r - 5);
  return q < 0 ? -z : z;
}

}  // namespace rankine
