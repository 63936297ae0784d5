#include "driver/progress.h"

#include "sinks/escape.h"
#include "sinks/stream.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace smem {
namespace {

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

ProgressLine::~ProgressLine() {
  if (anything_)
    (void)sinks::write_all(STDERR_FILENO, "\r\033[K");
}

std::string ProgressLine::estimate(std::size_t done, std::size_t files, std::chrono::seconds taken) {
  constexpr std::size_t kFewestDone = 4, kFewestFiles = 10;
  if (done < kFewestDone || files < kFewestFiles || done >= files)
    return {};
  const auto left = static_cast<std::uint64_t>(taken.count()) * (files - done) / done;
  return left < 60 ? "about " + std::to_string(left) + " s left"
                   : "about " + std::to_string((left + 30) / 60) + " min left";
}

void ProgressLine::expect(std::size_t files) {
  const std::lock_guard lock(mutex_);
  files_ += files;
}

void ProgressLine::begin(std::size_t file, const std::string &name) {
  if (!shown_)
    return;
  const std::lock_guard lock(mutex_);
  active_.push_back({file, name, {}, std::chrono::steady_clock::now()});
  show();
}

void ProgressLine::update(std::size_t file, const AnalysisProgress &progress) {
  if (!shown_)
    return;
  const std::lock_guard lock(mutex_);
  const auto active = std::find_if(active_.begin(), active_.end(), [&](const Active &a) { return a.file == file; });
  if (active == active_.end())
    return;
  switch (progress.phase) {
  case AnalysisProgress::Phase::FrontEnd: active->doing = "compiling"; break;
  case AnalysisProgress::Phase::Lowering: active->doing = "lowering"; break;
  case AnalysisProgress::Phase::Simulation:
    active->doing =
        "launch " + std::to_string(progress.number) + " of " + std::to_string(progress.total) + ", " + progress.kernel;
    break;
  }
  show();
}

void ProgressLine::end(std::size_t file) {
  if (!shown_)
    return;
  const std::lock_guard lock(mutex_);
  std::erase_if(active_, [&](const Active &a) { return a.file == file; });
  ++done_;
  show();
}

void ProgressLine::show() {
  if (active_.empty())
    return;
  const Active &oldest = active_.front();
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - oldest.since).count();
  const auto taken = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
  const std::string left = estimate(done_, files_, taken);
  const std::string line =
      sinks::terminal(sinks::line("[" + std::to_string(done_ + 1) + "/" + std::to_string(files_) +
                                  (left.empty() ? "" : ", " + left) + "] " + oldest.name + " (" +
                                  std::to_string(seconds) + " s)" + (oldest.doing.empty() ? "" : ": " + oldest.doing)),
                      false);
  const std::size_t room = columns() - 1;
  std::size_t end = std::min(line.size(), room);
  while (end > 0 && end < line.size() &&
         (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) // not within a character
    --end;
  (void)sinks::write_all(STDERR_FILENO, "\r\033[K" + line.substr(0, end));
  anything_ = true;
}

} // namespace smem
