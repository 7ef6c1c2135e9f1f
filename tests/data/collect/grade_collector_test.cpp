#include "data/collect/grade_collector.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

std::vector<std::uint64_t> bits_of(GradeView grades) {
  std::vector<std::uint64_t> bits;
  for (const double grade : grades) bits.push_back(std::bit_cast<std::uint64_t>(grade));
  return bits;
}

/// `count` draws from `levels`.
std::vector<double> drawn(std::size_t count, const std::vector<double>& levels) {
  std::mt19937 random(3);
  std::vector<double> grades;
  for (std::size_t k = 0; k < count; ++k) grades.push_back(levels[random() % levels.size()]);
  return grades;
}

std::vector<double> rising(int count, double step) {
  std::vector<double> levels;
  for (int k = 0; k < count; ++k) levels.push_back(step * k);
  return levels;
}

TEST(GradeCollector, keeps_a_byte_each_while_there_are_few) {
  for (const auto& levels : {std::vector<double>{0, 1, 2, 3, 4}, rising(256, 1), rising(256, 0.37),
                             std::vector<double>{-3, 0.5, 255, 256, 1e300}}) {
    const std::vector<double> grades = drawn(5000, levels);
    GradeCollector collector;
    for (std::size_t first = 0; first < grades.size(); first += 1000) {
      collector.add(std::span(grades).subspan(first, 1000));
    }
    EXPECT_EQ(collector.size(), grades.size());
    const Grades collected = collector.finish();
    EXPECT_TRUE(collected.are_coded());
    EXPECT_LE(collected.num_bytes(), grades.size() + 256 * sizeof(double));
    EXPECT_EQ(bits_of(collected), bits_of(grades));
    EXPECT_TRUE(collector.empty());
  }
}

TEST(GradeCollector, goes_over_to_numbers_wherever_there_are_too_many) {
  for (const std::size_t turn : {256U, 257U, 999U, 1000U, 1001U, 4000U}) {
    std::vector<double> grades = drawn(turn - 256, {0, 1, 2});
    for (int k = 0; k < 3000; ++k) grades.push_back(0.25 * k);
    GradeCollector collector;
    collector.expect(grades.size());
    for (std::size_t first = 0; first < grades.size(); first += 1000) {
      collector.add(
          std::span(grades).subspan(first, std::min<std::size_t>(1000, grades.size() - first)));
    }
    const Grades collected = collector.finish();
    EXPECT_FALSE(collected.are_coded());
    EXPECT_EQ(bits_of(collected), bits_of(grades)) << turn;
  }
}

TEST(GradeCollector, keeps_every_bit) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> grades{0.0, -0.0, 1, -1, 5e-324, infinity, 0.1, 0.0, -0.0, 255.5, 256};
  GradeCollector collector;
  collector.add(grades);
  EXPECT_EQ(bits_of(collector.finish()), bits_of(grades));
}

TEST(GradeCollector, gives_codes_that_rise_with_the_grades) {
  GradeCollector collector;
  collector.add(std::vector<double>{2, 0.5, 7, -0.0, 0, 2, -3});
  const Grades grades = collector.finish();
  const auto& levels = grades.levels();
  EXPECT_TRUE(std::is_sorted(levels.begin(), levels.end()));
  EXPECT_EQ(bits_of(grades), bits_of(std::vector<double>{2, 0.5, 7, -0.0, 0, 2, -3}));
}

TEST(CodedIfFew, takes_a_vector_as_it_is_when_there_are_many) {
  std::vector<double> few = drawn(20'000, {0, 1, 2});
  EXPECT_EQ(bits_of(coded_if_few(few)), bits_of(few));
  EXPECT_TRUE(coded_if_few(few).are_coded());
  std::vector<double> many = rising(20'000, 0.1);
  const double* memory = many.data();
  const Grades grades = coded_if_few(std::move(many));
  EXPECT_FALSE(grades.are_coded());
  EXPECT_EQ(grades.values().data(), memory);
  EXPECT_TRUE(coded_if_few({}).empty());
}

TEST(Grades, look_the_same_in_bytes_and_as_numbers) {
  const std::vector<double> numbers = drawn(300, {2, 0, 0.5});
  const Grades plain = numbers;
  const Grades coded = coded_if_few(numbers);
  ASSERT_TRUE(coded.are_coded());
  for (const Grades& grades : {plain, coded}) {
    ASSERT_EQ(grades.size(), numbers.size());
    EXPECT_TRUE(std::equal(grades.begin(), grades.end(), numbers.begin(), numbers.end()));
    EXPECT_EQ(bits_of(grades.values()), bits_of(numbers));
    EXPECT_EQ(*std::max_element(grades.begin(), grades.end()), 2);
    EXPECT_EQ(grades.end() - grades.begin(), 300);
    EXPECT_EQ(grades.begin()[7], numbers[7]);
    EXPECT_EQ(*(grades.end() - 1), numbers[299]);
    const GradeView part = grades.view().subview(10, 30);
    std::vector<double> room;
    const auto values = part.values(room);
    EXPECT_EQ(std::vector<double>(values.begin(), values.end()),
              std::vector<double>(numbers.begin() + 10, numbers.begin() + 40));
    EXPECT_EQ(part[29], numbers[39]);
  }
  EXPECT_TRUE(Grades().empty());
}

}  // namespace
}  // namespace rankine
