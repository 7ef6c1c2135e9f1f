// dlib's svm_rank_trainer on LETOR text: dlib_peer TRAIN TEST C EPSILON SCORES_FOLDER
//
// dlib minimises 1/2 |w|^2 + (its C) * (mean hinge over pairs), so its C is ours times the number
// of pairs. It knows relevant and other documents only: for each grade above a query's lowest it is
// given the documents of that grade as relevant and those of all lower grades as not, which makes
// every pair once. Prints one JSON object; dlib has no reader of query ids, so the reader is plain
// C++.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <dlib/svm.h>
#include <sys/resource.h>

namespace {

using Sample = dlib::matrix<double, 0, 1>;

struct Document {
  double grade = 0;
  std::string query;
  std::vector<std::pair<int, double>> entries;
};

std::vector<Document> read(const std::string& path, int& num_features) {
  std::ifstream file(path);
  std::vector<Document> documents;
  std::string line;
  while (std::getline(file, line)) {
    Document document;
    const char* at = line.c_str();
    char* end = nullptr;
    document.grade = std::strtod(at, &end);
    for (at = end; *at != '\0' && *at != '#'; at = end) {
      while (*at == ' ') ++at;
      if (*at == '\0' || *at == '#') break;
      if (line.compare(static_cast<std::size_t>(at - line.c_str()), 4, "qid:") == 0) {
        const char* const first = at + 4;
        while (*at != ' ' && *at != '\0') ++at;
        document.query.assign(first, at);
        end = const_cast<char*>(at);
        continue;
      }
      const int index = static_cast<int>(std::strtol(at, &end, 10));
      document.entries.emplace_back(index - 1, std::strtod(end + 1, &end));
      num_features = std::max(num_features, index);
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

Sample vector_of(const Document& document, int num_features) {
  Sample sample(num_features);
  sample = 0;
  for (const auto& [index, value] : document.entries) {
    if (index < num_features) sample(index) = value;
  }
  return sample;
}

void add_query(std::vector<Document>::const_iterator first,
               std::vector<Document>::const_iterator last, int num_features,
               std::vector<dlib::ranking_pair<Sample>>& pairs) {
  std::vector<double> grades;
  for (auto doc = first; doc != last; ++doc) grades.push_back(doc->grade);
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
  for (std::size_t k = 1; k < grades.size(); ++k) {
    dlib::ranking_pair<Sample> pair;
    for (auto doc = first; doc != last; ++doc) {
      if (doc->grade == grades[k]) pair.relevant.push_back(vector_of(*doc, num_features));
      if (doc->grade < grades[k]) pair.nonrelevant.push_back(vector_of(*doc, num_features));
    }
    pairs.push_back(std::move(pair));
  }
}

void write_scores(const std::string& path, const std::vector<Document>& documents,
                  const Sample& weights) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) std::exit(1);
  for (const Document& document : documents) {
    double score = 0;
    for (const auto& [index, value] : document.entries) {
      if (index < weights.size()) score += weights(index) * value;
    }
    std::fprintf(file, "%.17g\n", score);
  }
  std::fclose(file);
}

double now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const double start = now();
  int num_features = 0;
  std::vector<Document> documents = read(argv[1], num_features);
  const double read_end = now();
  std::vector<dlib::ranking_pair<Sample>> pairs;
  for (auto first = documents.cbegin(); first != documents.cend();) {
    const auto last = std::find_if(first, documents.cend(),
                                   [&](const Document& doc) { return doc.query != first->query; });
    add_query(first, last, num_features, pairs);
    first = last;
  }
  std::vector<Document>().swap(documents);
  double num_pairs = 0;
  for (const auto& pair : pairs) {
    num_pairs +=
        static_cast<double>(pair.relevant.size()) * static_cast<double>(pair.nonrelevant.size());
  }
  const double prepared = now();
  dlib::svm_rank_trainer<dlib::linear_kernel<Sample>> trainer;
  trainer.set_c(std::atof(argv[3]) * num_pairs);
  trainer.set_epsilon(std::atof(argv[4]));
  const auto ranker = trainer.train(pairs);
  const double trained = now();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const Sample weights = ranker.basis_vectors(0) * ranker.alpha(0);
  const std::string folder = argv[5];
  write_scores(folder + "/train.scores", read(argv[1], num_features), weights);
  write_scores(folder + "/test.scores", read(argv[2], num_features), weights);
  std::printf(
      R"({"read": %.6f, "prepare": %.6f, "train": %.6f, "trained_at": %.6f, "processor": %.6f, )"
      R"("memory": %lld, "squared_norm": %.17g})"
      "\n",
      read_end - start, prepared - read_end, trained - prepared, trained,
      seconds(usage.ru_utime) + seconds(usage.ru_stime),
      static_cast<long long>(usage.ru_maxrss) * 1024, dlib::dot(weights, weights));
}
