// Small trainings gain more from running side by side, one thread each, than from threads inside.
// A large one fills caches and memory, so it runs alone with all threads.
#include "tuning/training_queue.hpp"

#include <utility>

#include <rankine/error.hpp>

#include "base/parallel.hpp"

namespace rankine {
namespace {

constexpr double kSmallTraining = 1 << 24;

}  // namespace

TrainingQueue::TrainingQueue(int threads, const Progress& progress, std::string interruption)
    : workers_(num_worker_threads(threads)),
      progress_(progress),
      interruption_(std::move(interruption)) {}

int TrainingQueue::num_side_by_side(std::size_t count, double size) const {
  return size <= kSmallTraining && count >= static_cast<std::size_t>(workers_) ? workers_ : 1;
}

void TrainingQueue::run(std::size_t count, double size, const char* stage,
                        const std::function<void(std::size_t, int)>& body) {
  const int side_by_side = num_side_by_side(count, size);
  {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    done_ = 0;
    total_ = static_cast<std::int64_t>(count);
  }
  parallel_for(total_, side_by_side, [&](std::int64_t index) {
    if (!ask()) throw_interrupted();
    body(static_cast<std::size_t>(index), workers_ / side_by_side);
    const std::lock_guard lock(mutex_);
    ++done_;
  });
  if (!ask()) throw_interrupted();
}

Progress TrainingQueue::question() {
  return [this](const ProgressEvent&) { return ask(); };
}

bool TrainingQueue::ask() {
  const std::lock_guard lock(mutex_);
  if (!stopped_ && progress_) {
    ProgressEvent event{stage_, done_, total_, "trainings"};
    event.measure = measure_;
    stopped_ = !progress_(event);
  }
  return !stopped_;
}

void TrainingQueue::tell_measure(double best) {
  const std::lock_guard lock(mutex_);
  measure_ = best;
}

void TrainingQueue::throw_interrupted() const {
  throw Error(ErrorKind::interrupted, interruption_);
}

}  // namespace rankine
