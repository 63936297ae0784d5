#include "lsp/scheduler.h"

#include <algorithm>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace smem::lsp {
namespace {

constexpr std::size_t kMostAtOnce = 2; ///< each uses all cores where it can
constexpr std::chrono::milliseconds kSlow{700};

} // namespace

Scheduler::Scheduler(SchedulerCalls calls)
    : calls_(std::move(calls)), wakeup_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread_([this] { run(); }) {}

Scheduler::~Scheduler() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake();
  thread_.join();
}

void Scheduler::wake() {
  const std::uint64_t one = 1;
  (void)!::write(wakeup_.get(), &one, sizeof one);
}

void Scheduler::schedule(const std::string &path, Clock::duration delay, Pass pass) {
  {
    const std::lock_guard lock(mutex_);
    waiting_[path] = {Clock::now() + delay, pass};
    for (Running &running : running_)
      running.outdated |= running.path == path;
  }
  wake();
}

void Scheduler::drop(const std::string &path) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.erase(path);
    for (Running &running : running_)
      running.outdated |= running.path == path;
  }
  wake();
}

std::optional<std::pair<std::string, Pass>> Scheduler::next(Clock::time_point now) {
  if (running_.size() >= kMostAtOnce)
    return std::nullopt;
  auto best = waiting_.end();
  for (auto one = waiting_.begin(); one != waiting_.end(); ++one)
    if (one->second.due <= now && (best == waiting_.end() || std::pair(one->second.pass, one->second.due) <
                                                                 std::pair(best->second.pass, best->second.due)))
      best = one;
  if (best == waiting_.end())
    return std::nullopt;
  const std::pair<std::string, Pass> found{best->first, best->second.pass};
  waiting_.erase(best);
  return found;
}

int Scheduler::milliseconds_to_next(Clock::time_point now) const {
  std::optional<Clock::time_point> next;
  const auto consider = [&](Clock::time_point when) { next = std::min(next.value_or(when), when); };
  if (running_.size() < kMostAtOnce)
    for (const auto &[path, waiting] : waiting_)
      consider(waiting.due);
  for (const Running &running : running_)
    if (!running.slow)
      consider(running.process->started() + kSlow);
  if (!next)
    return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - now).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

std::unique_ptr<AnalysisProcess> Scheduler::start(Prepared prepared, Pass pass, std::string &error) {
  std::unique_ptr<AnalysisProcess> process;
  if (standby_ && of_standby_ == prepared.arguments && standby_->alive())
    process = std::move(standby_);
  else
    process = AnalysisProcess::start(prepared.arguments, error);
  if (process)
    process->input(std::move(prepared.input));
  if (process && pass == Pass::Costs) { // of the document that is being edited
    std::string none;
    standby_ = AnalysisProcess::start(prepared.arguments, none);
    of_standby_ = std::move(prepared.arguments);
  }
  return process;
}

void Scheduler::run() {
  while (true) {
    std::vector<pollfd> polls{{wakeup_.get(), POLLIN, 0}};
    int timeout = -1;
    {
      std::unique_lock lock(mutex_);
      if (stop_)
        break;
      while (const auto due = next(Clock::now())) {
        lock.unlock();
        std::optional<Prepared> prepared = calls_.prepare(due->first, due->second);
        std::string error;
        std::unique_ptr<AnalysisProcess> process;
        const std::int64_t version = prepared ? prepared->version : -1;
        if (prepared)
          process = start(std::move(*prepared), due->second, error);
        if (prepared && !process)
          calls_.done(due->first, due->second, version, {}, "no process can be started: " + error, false);
        lock.lock();
        if (process)
          running_.push_back(
              {due->first, due->second, false, waiting_.contains(due->first), version, std::move(process)});
      }
      for (const Running &running : running_)
        running.process->wait_for(polls);
      timeout = milliseconds_to_next(Clock::now());
    }
    ::poll(polls.data(), polls.size(), timeout);
    std::uint64_t count = 0;
    (void)!::read(wakeup_.get(), &count, sizeof count);

    std::vector<Running> ended;
    std::vector<std::pair<std::string, Pass>> slow;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < running_.size();) {
        Running &one = running_[i];
        if (one.outdated || one.process->step()) {
          ended.push_back(std::move(one));
          running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
          continue;
        }
        if (!one.slow && Clock::now() - one.process->started() >= kSlow) {
          one.slow = true;
          slow.emplace_back(one.path, one.pass);
        }
        ++i;
      }
    }
    for (const auto &[path, pass] : slow)
      calls_.slow(path, pass);
    for (const Running &one : ended) {
      if (!one.outdated)
        calls_.done(one.path, one.pass, one.version, one.process->output(), one.process->errors(), one.slow);
      else if (one.slow)
        calls_.done(one.path, one.pass, -1, {}, {}, true);
    }
  }
}

} // namespace smem::lsp
