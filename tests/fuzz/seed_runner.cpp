// Runs a harness without libFuzzer: over every file given (or in a folder given), and over many
// small changes of each. A crash is the failure.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr int kChanges = 200;  // of each seed

Bytes changed(Bytes bytes, std::mt19937& random) {
  for (auto count = 1 + random() % 3; count > 0 && !bytes.empty(); --count) {
    const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
    const auto length = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(1 + random() % 9),
                                                 static_cast<std::ptrdiff_t>(bytes.size()) - at);
    switch (random() % 5) {
      case 0:
        bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << random() % 8);
        break;
      case 2:
        bytes.erase(bytes.begin() + at, bytes.begin() + at + length);
        break;
      case 3: {
        const Bytes copy(bytes.begin() + at, bytes.begin() + at + length);
        const auto to = static_cast<std::ptrdiff_t>(random() % (bytes.size() + 1));
        bytes.insert(bytes.begin() + to, copy.begin(), copy.end());
        break;
      }
      default:
        bytes.resize(static_cast<std::size_t>(at));
    }
  }
  return bytes;
}

void run(const Bytes& bytes) {
  // Exactly as many bytes as there are, so that AddressSanitizer sees a step beyond them.
  const Bytes exact(bytes);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

std::vector<fs::path> seeds_in(const fs::path& path) {
  std::vector<fs::path> seeds;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path)) seeds.push_back(entry.path());
  } else {
    seeds.push_back(path);
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  int num_seeds = 0;
  std::mt19937 random(1);
  for (int index = 1; index < argc; ++index) {
    for (const fs::path& path : seeds_in(argv[index])) {
      std::ifstream file(path, std::ios::binary);
      const Bytes seed{std::istreambuf_iterator<char>(file), {}};
      run(seed);
      for (int change = 0; change < kChanges; ++change) run(changed(seed, random));
      ++num_seeds;
    }
  }
  std::printf("%d seeds, %d changes of each\n", num_seeds, kChanges);
  return num_seeds > 0 ? 0 : 1;
}
