#include "compute/cpu/products/dense_products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rankine {
namespace {

TEST(DenseProducts, equal_plain_loops_for_every_shape) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (std::size_t width = 1; width < 40; ++width) {
    for (std::size_t num_rows = 0; num_rows < 11; ++num_rows) {
      std::vector<float> rows(width * num_rows);
      for (float& value : rows) value = static_cast<float>(normal(random));
      std::vector<double> vector(width);
      for (double& value : vector) value = normal(random);
      std::vector<double> factors(num_rows);
      for (double& value : factors) value = normal(random);
      std::vector<double> products(num_rows);
      row_products(rows.data(), vector, products);
      std::vector<double> sum(width, 0.5);
      add_weighted_rows(rows.data(), factors, sum);
      for (std::size_t r = 0; r < num_rows; ++r) {
        double expected = 0;
        for (std::size_t f = 0; f < width; ++f) {
          expected += static_cast<double>(rows[r * width + f]) * vector[f];
        }
        EXPECT_NEAR(products[r], expected, 1e-12);
      }
      for (std::size_t f = 0; f < width; ++f) {
        double expected = 0.5;
        for (std::size_t r = 0; r < num_rows; ++r) {
          expected += static_cast<double>(rows[r * width + f]) * factors[r];
        }
        EXPECT_NEAR(sum[f], expected, 1e-12);
      }
    }
  }
}

template <class T>
void expect_equal_to_products_with_one(double tolerance) {
  constexpr std::size_t kGroup = kVectorGroup<T>;
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  const auto fill = [&](auto values) {
    for (auto& value : values) value = static_cast<float>(normal(random));
    return values;
  };
  for (const std::size_t width : {1U, 5U, 46U, 300U}) {
    for (const std::size_t num_rows : {0U, 1U, 4U, 9U, 23U}) {
      for (std::size_t count = kGroup; count <= 5 * kGroup; count += kGroup) {
        const auto rows = fill(std::vector<float>(width * num_rows));
        const auto vectors = fill(std::vector<T>(width * count));
        const auto factors = fill(std::vector<T>(num_rows * count));
        std::vector<T> products(num_rows * count);
        std::vector<T> sums(width * count, T{0.25});
        row_products(rows.data(), width, num_rows, std::span<const T>(vectors), count, products);
        add_weighted_rows(rows.data(), width, num_rows, std::span<const T>(factors), count, sums);
        for (std::size_t v = 0; v < count; ++v) {
          std::vector<double> vector;
          for (std::size_t f = 0; f < width; ++f) {
            vector.push_back(static_cast<double>(vectors[f * count + v]));
          }
          std::vector<double> factor;
          for (std::size_t r = 0; r < num_rows; ++r) {
            factor.push_back(static_cast<double>(factors[r * count + v]));
          }
          std::vector<double> product(num_rows);
          std::vector<double> sum(width, 0.25);
          row_products(rows.data(), vector, product);
          add_weighted_rows(rows.data(), factor, sum);
          for (std::size_t r = 0; r < num_rows; ++r) {
            EXPECT_NEAR(static_cast<double>(products[r * count + v]), product[r],
                        tolerance * std::max(1.0, static_cast<double>(width) / 46));
          }
          for (std::size_t f = 0; f < width; ++f) {
            EXPECT_NEAR(static_cast<double>(sums[f * count + v]), sum[f], tolerance);
          }
        }
      }
    }
  }
}

TEST(DenseProducts, of_several_vectors_equal_those_of_one) {
  expect_equal_to_products_with_one<float>(2e-5);
  expect_equal_to_products_with_one<double>(1e-12);
}

TEST(DenseProducts, have_the_same_bits_however_rows_are_split) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  constexpr std::size_t kWidth = 46;
  std::vector<float> rows(kWidth * 9);
  for (float& value : rows) value = static_cast<float>(normal(random));
  std::vector<double> vector(kWidth);
  for (double& value : vector) value = normal(random);
  std::vector<double> together(9);
  row_products(rows.data(), vector, together);
  for (std::size_t r = 0; r < 9; ++r) {
    double alone = 0;
    row_products(rows.data() + r * kWidth, vector, {&alone, 1});
    EXPECT_EQ(alone, together[r]);
  }
}

TEST(RowProducts, do_not_change_with_columns_of_zeros_at_the_end) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  constexpr std::size_t kRows = 7;
  for (std::size_t width = 1; width < 40; ++width) {
    std::vector<float> rows(kRows * width);
    std::vector<double> vector(width);
    for (float& value : rows) value = static_cast<float>(normal(random));
    for (double& value : vector) value = normal(random);
    std::vector<double> expected(kRows);
    row_products(rows.data(), vector, expected);
    for (std::size_t more = 1; more < 20; ++more) {
      std::vector<float> wider(kRows * (width + more));
      for (std::size_t r = 0; r < kRows; ++r) {
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(r * width), width,
                    wider.begin() + static_cast<std::ptrdiff_t>(r * (width + more)));
      }
      std::vector<double> longer = vector;
      longer.resize(width + more, 1.5);
      std::vector<double> out(kRows);
      row_products(wider.data(), longer, out);
      EXPECT_EQ(out, expected) << width << " and " << more;
    }
  }
}

TEST(SinglePrecisionProducts, agree_with_double_ones) {
  std::mt19937_64 random(10);
  std::normal_distribution<float> normal;
  for (const std::size_t width : {1U, 7U, 8U, 12U, 24U, 32U, 33U, 46U, 48U, 49U, 136U, 500U}) {
    for (const std::size_t num_rows : {1U, 2U, 3U, 8U, 9U, 50U}) {
      std::vector<float> rows(num_rows * width);
      std::vector<float> vector(width);
      std::vector<double> factors(num_rows);
      for (float& value : rows) value = normal(random);
      for (float& value : vector) value = normal(random);
      for (double& value : factors) value = static_cast<double>(normal(random));
      std::vector<double> got(num_rows);
      std::vector<double> wanted(num_rows);
      row_products_single(rows.data(), vector, got);
      row_products(rows.data(), std::vector<double>(vector.begin(), vector.end()), wanted);
      for (std::size_t r = 0; r < num_rows; ++r) EXPECT_NEAR(got[r], wanted[r], 1e-4);
      std::vector<float> sum(width, 1.0F);
      std::vector<double> expected(width, 1.0);
      Prefetcher ahead;
      add_weighted_rows_single(rows.data(), factors, sum, ahead);
      add_weighted_rows(rows.data(), factors, expected);
      for (std::size_t f = 0; f < width; ++f) {
        EXPECT_NEAR(static_cast<double>(sum[f]), expected[f], 1e-4);
      }
    }
  }
}

TEST(SinglePrecisionProducts, know_nothing_of_other_rows) {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  for (const std::size_t width : {1U, 7U, 20U, 46U, 48U, 60U}) {
    constexpr std::size_t kRows = 11;
    std::vector<float> rows(kRows * width);
    std::vector<float> vector(width);
    for (float& value : rows) value = normal(random);
    for (float& value : vector) value = normal(random);
    std::vector<double> together(kRows);
    row_products_single(rows.data(), vector, together);
    for (std::size_t r = 0; r < kRows; ++r) {
      std::vector<float> alone(rows.size(), std::numeric_limits<float>::infinity());
      const auto from = rows.begin() + static_cast<std::ptrdiff_t>(r * width);
      std::copy(from, from + static_cast<std::ptrdiff_t>(width),
                alone.begin() + static_cast<std::ptrdiff_t>(r * width));
      std::vector<double> product(kRows);
      row_products_single(alone.data(), vector, product);
      EXPECT_EQ(product[r], together[r]);
      row_products_single(rows.data() + r * width, vector, std::span(product).first(1));
      EXPECT_EQ(product[0], together[r]);
    }
  }
}

TEST(SinglePrecisionProducts, read_nothing_beyond_the_last_row) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = 8 * page;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  float* const end = static_cast<float*>(memory) + (size - page) / sizeof(float);
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);  // a read there ends the test
  for (std::size_t width = 1; width <= 60; ++width) {
    for (const std::size_t num_rows : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 50U}) {
      float* const rows = end - num_rows * width;
      std::fill(rows, end, 1.0F);
      std::vector<double> products(num_rows);
      row_products_single(rows, std::vector<float>(width, 1.0F), products);
      EXPECT_EQ(products.back(), static_cast<double>(width));
      std::vector<float> sum(width);
      Prefetcher ahead;
      add_weighted_rows_single(rows, std::vector<double>(num_rows, 1.0), sum, ahead);
      EXPECT_EQ(sum.back(), static_cast<float>(num_rows));
    }
  }
  munmap(memory, size);
}

TEST(SinglePrecisionProducts, keep_columns_apart) {
  for (const std::size_t width : {1U, 7U, 46U, 48U, 60U}) {
    constexpr std::size_t kRows = 9;
    for (std::size_t column = 0; column < width; ++column) {
      std::vector<float> rows(kRows * width, 1.0F);
      rows[3 * width + column] = std::numeric_limits<float>::infinity();
      std::vector<float> sum(width, 1.0F);
      Prefetcher ahead;
      add_weighted_rows_single(rows.data(), std::vector<double>(kRows, 1.0), sum, ahead);
      for (std::size_t f = 0; f < width; ++f) {
        EXPECT_EQ(sum[f], f == column ? std::numeric_limits<float>::infinity() : 10.0F);
      }
    }
  }
}

}  // namespace
}  // namespace rankine
