#include "base/portable_math.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace rankine {
namespace {

struct Known {
  double argument;
  double value;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_relative(double value, double expected, double tolerance, double argument) {
  EXPECT_LE(std::abs(value - expected), tolerance * std::abs(expected))
      << "at " << argument << ": " << value << " instead of " << expected;
}

// Computed with 50 digits.
TEST(PortableExp, agrees_with_values_of_high_precision) {
  for (const auto& [x, value] : std::to_array<Known>({
           {0.5, 1.6487212707001281468},
           {-0.5, 0.6065306597126334236},
           {1, 2.7182818284590452354},
           {-1, 0.3678794411714423216},
           {0.3465, 1.4141094938303624151},
           {0.3467, 1.4143923440132039852},
           {1e-10, 1.0000000001},
           {-1e-10, 0.9999999999},
           {10.25, 28282.54192033497909},
           {-20.5, 1.2501528663867426289e-9},
           {100.125, 3.0460357809113724616e+43},
           {700.5, 1.6721859620674985572e+304},
           {-700.5, 5.9801961186397912064e-305},
           {709.75, 1.7398368732641605577e+308},
           {-708.25, 2.5759248692837693828e-308},
       })) {
    expect_relative(portable_exp(x), value, 4e-16, x);
  }
}

TEST(PortableExp, agrees_with_the_library_all_over_its_range) {
  for (double x = -707; x < 709; x += 0.0371) {
    expect_relative(portable_exp(x), std::exp(x), 6e-16, x);
  }
}

TEST(PortableExp, is_exact_at_zero_and_ends_in_zero_and_infinity) {
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-0.0), 1);
  EXPECT_EQ(portable_exp(-745.2), 0);
  EXPECT_EQ(portable_exp(-kInfinity), 0);
  EXPECT_EQ(portable_exp(709.8), kInfinity);
  EXPECT_EQ(portable_exp(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  EXPECT_GT(portable_exp(-745), 0) << "subnormal results are kept";
}

TEST(PortableLog, agrees_with_values_of_high_precision) {
  for (const auto& [x, value] : std::to_array<Known>({
           {0.5, -0.69314718055994530942},
           {1.5, 0.40546510810816438198},
           {2, 0.69314718055994530942},
           {10, 2.302585092994045684},
           {1.0000000001, 1.0000000826903709908e-10},
           {0.9999999999, -1.0000000827903710074e-10},
           {1.4142, 0.34656400018800330914},
           {1.41422, 0.34657814235925118913},
           {0.7071, -0.34658318037194200028},
           {0.70711, -0.34656903820069412029},
           {1e-300, -690.77552789821370518},
           {0x1p-1074, -744.44007192138126231},
           {1e+300, 690.77552789821370526},
           {123456.789, 11.723646487185881016},
           {0.1, -2.3025850929940456285},
           {0.9, -0.10536051565782627656},
       })) {
    expect_relative(portable_log(x), value, 4e-16, x);
  }
}

TEST(PortableLog, agrees_with_the_library_all_over_its_range) {
  for (double x = 1e-320; x < 1e308; x *= 1.0173) {
    expect_relative(portable_log(x), std::log(x), 6e-16, x);
  }
}

TEST(PortableLog, is_exact_at_one_and_defined_at_the_ends) {
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_log(0), -kInfinity);
  EXPECT_EQ(portable_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(portable_log(-1)));
  EXPECT_TRUE(std::isnan(portable_log(std::nan(""))));
}

TEST(NormalQuantile, agrees_with_values_of_high_precision) {
  for (const auto& [p, value] : std::to_array<Known>({
           {0x1p-53, -8.2095361516013868556},      {1e-15, -7.9413453261709967713},
           {1e-09, -5.9978070150076868614},        {0x1p-33, -6.3379577545537892525},
           {1e-05, -4.2648907939228246102},        {0.001, -3.0902323061678135354},
           {0.025, -1.9599639845400542118},        {0.07, -1.4757910281791706856},
           {0.0749, -1.4402382675279636631},       {0.0751, -1.4388253927525399824},
           {0.1, -1.2815515655446004353},          {0.25, -0.6744897501960817432},
           {0.4, -0.25334710313579974132},         {0.49, -0.025068908258711058033},
           {0.4999999, -2.5066282747031065135e-7}, {0.5000001, 2.5066282733116483012e-7},
           {0.6, 0.25334710313579974132},          {0.9, 1.2815515655446005935},
           {0.92499, 1.4394608308216256344},       {0.926, 1.446632067158978807},
           {0.975, 1.9599639845400538556},         {0.999, 3.0902323061678132778},
           {1 - 0x1p-33, 6.3379577545537892525},   {1 - 0x1p-53, 8.2095361516013868556},
       })) {
    expect_relative(normal_quantile(p), value, 1e-15, p);
  }
}

TEST(NormalQuantile, is_odd_about_one_half_and_rises) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  double last = -kInfinity;
  for (int step = 1; step < 4096; ++step) {
    const double p = step / 4096.0;
    const double z = normal_quantile(p);
    EXPECT_EQ(z, -normal_quantile(1 - p));
    EXPECT_GT(z, last);
    last = z;
  }
}

// One hash over many results: any machine, compiler or level of optimisation that rounds one of
// them differently fails here.
TEST(PortableMath, has_the_same_bits_everywhere) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
    hash ^= hash >> 29;
  };
  for (int step = 1; step < 20000; ++step) {
    const double p = step / 20000.0;
    add(portable_exp(100 * (p - 0.5)));
    add(portable_log(p * p * p));
    add(normal_quantile(p));
  }
  EXPECT_EQ(hash, 5932328479791848676u);
}

}  // namespace
}  // namespace rankine
