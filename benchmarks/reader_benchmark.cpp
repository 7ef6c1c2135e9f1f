// How fast text is read, and in how much memory. Makes its own data, reads each file in a process
// of its own (so that peak memory is that reading's), and compares with liblinear-train's reader.
//
//   reader_benchmark [MEGABYTES] [FOLDER]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rankine/read.hpp>

extern char** environ;  // NOLINT: POSIX's name

namespace {

namespace fs = std::filesystem;

constexpr int kRepeats = 5;

struct Shape {
  int num_features = 0;
  int num_entries = 0;  // per row
  double zeros = 0;     // share of values written as 0.000000, as in MQ2007
  bool has_query = true;
};

/// Rows like those of LETOR: six decimals, 40 documents per query.
void write_text(const std::string& path, std::int64_t num_bytes, const Shape& shape) {
  std::mt19937_64 random(1);
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    std::perror(path.c_str());
    std::exit(1);
  }
  std::string line;
  std::int64_t written = 0;
  for (std::int64_t row = 0; written < num_bytes; ++row) {
    line = std::to_string(random() % 3);
    if (shape.has_query) line += " qid:" + std::to_string(10 + row / 40);
    int index = 0;
    const int gap = 2 * shape.num_features / shape.num_entries - 1;  // on average
    for (int entry = 0; entry < shape.num_entries; ++entry) {
      index += gap <= 1 ? 1 : 1 + static_cast<int>(random() % static_cast<unsigned>(gap));
      if (index > shape.num_features) break;
      char text[48];
      const bool zero = static_cast<double>(random() >> 11) * 0x1p-53 < shape.zeros;
      std::snprintf(text, sizeof text, " %d:0.%06d", index,
                    zero ? 0 : static_cast<int>(random() % 1000000));
      line += text;
    }
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), file);
    written += static_cast<std::int64_t>(line.size());
  }
  std::fclose(file);
}

struct Cost {
  double wall = 0;    // seconds
  double cpu = 0;     // user and system
  double peak = 0;    // bytes
  double result = 0;  // bytes of the data set, as the process printed
};

/// The best of several runs, output to `log`.
Cost run(const std::vector<std::string>& command, const std::string& log) {
  Cost best;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) {
      return {};
    }
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    if (status != 0) return {};
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    if (repeat == 0 || cpu < best.cpu) best.cpu = cpu;
    if (repeat == 0 || wall.count() < best.wall) best.wall = wall.count();
    best.peak = std::max(best.peak, 1024 * static_cast<double>(usage.ru_maxrss));
  }
  std::ifstream(log) >> best.result;
  return best;
}

template <class T>
double num_bytes(const rankine::Array<T>& array) {
  return static_cast<double>(array.size() * sizeof(T));
}

/// What the process of one reading does: reads, and prints the size of the result.
int read_once(const std::string& path, int threads) {
  rankine::ReadOptions options;
  options.threads = threads;
  const rankine::Dataset data = rankine::read_dataset(path, options);
  double size = static_cast<double>(data.grades.num_bytes()) + num_bytes(data.query_offsets) +
                num_bytes(data.query_ids.bytes()) + num_bytes(data.query_ids.offsets());
  if (const auto* dense = std::get_if<rankine::DenseMatrix>(&data.features)) {
    size += num_bytes(dense->values);
  } else {
    const auto& sparse = std::get<rankine::CsrMatrix>(data.features);
    size += num_bytes(sparse.offsets) + num_bytes(sparse.columns) + num_bytes(sparse.values);
  }
  std::printf("%.0f\n", size);
  return 0;
}

void print_row(const char* what, double bytes, const Cost& cost) {
  std::printf("%-34s %8.0f MB/s wall %8.0f MB/s of CPU time", what, bytes / 1e6 / cost.wall,
              bytes / 1e6 / cost.cpu);
  if (cost.result > 0) std::printf("   peak memory %.2f x the data set", cost.peak / cost.result);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--read") == 0) {
    return read_once(argv[2], std::atoi(argv[3]));
  }
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 500;
  const fs::path base = argc > 2 ? fs::path(argv[2]) : fs::temp_directory_path();
  const fs::path folder = base / ("rankine-reader-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const auto target = static_cast<std::int64_t>(megabytes * 1e6);
  const std::string self = fs::canonical("/proc/self/exe").string();
  const auto read = [&](const std::string& file, int threads) {
    return run({self, "--read", file, std::to_string(threads)}, path("log"));
  };
  const auto size = [](const std::string& file) {
    return static_cast<double>(fs::file_size(file));
  };

  write_text(path("dense.txt"), target, {46, 46, 0.44, true});
  write_text(path("plain.txt"), target, {46, 46, 0.44, false});
  write_text(path("sparse.txt"), target, {50000, 100, 0, true});
  std::printf("best of %d processes each, file in the page cache; %g MB of text\n", kRepeats,
              megabytes);
  const double dense_bytes = size(path("dense.txt"));
  const Cost one = read(path("dense.txt"), 1);
  const Cost two = read(path("dense.txt"), 2);
  print_row("dense, 46 features, 1 thread", dense_bytes, one);
  print_row("dense, 46 features, 2 threads", dense_bytes, two);
  print_row("sparse, 100 of 50000, 1 thread", size(path("sparse.txt")),
            read(path("sparse.txt"), 1));
  print_row("sparse, 100 of 50000, 2 threads", size(path("sparse.txt")),
            read(path("sparse.txt"), 2));
  const double plain_bytes = size(path("plain.txt"));
  const Cost ours = read(path("plain.txt"), 1);
  print_row("dense without qid, 1 thread", plain_bytes, ours);
  // One evaluation of a least-squares-like objective and no step: almost all of it is reading.
  const Cost theirs =
      run({"liblinear-train", "-q", "-s", "11", "-e", "1e10", path("plain.txt"), path("model")},
          path("log2"));
  if (theirs.wall > 0) {
    print_row("liblinear-train, the same file", plain_bytes, theirs);
    std::printf(
        "1 thread against liblinear-train's reader (its training stopped at the start): "
        "%.1f x in CPU time\n",
        theirs.cpu / ours.cpu);
  } else {
    std::printf("liblinear-train is not installed (Debian: liblinear-tools)\n");
  }
  std::printf("2 threads against 1: %.2f x in wall time\n", one.wall / two.wall);
  fs::remove_all(folder);
  return 0;
}
