// Work in processes of its own: what comes back, in which order, and what becomes of a process that dies.
#include "driver/memory.h"
#include "driver/processes.h"
#include "driver/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace smem {
namespace {

struct Seen {
  std::map<std::size_t, Ending> endings;
  std::vector<std::size_t> began;
  std::map<std::size_t, std::string> told;
};

using Run = std::function<std::string(std::size_t, const std::function<void(std::string_view)> &)>;

Seen run(std::size_t count, unsigned jobs, Run body, std::function<void(Seen &)> meanwhile = {}) {
  Seen seen;
  JobSlots slots(jobs, count);
  ProcessWork work;
  work.begin = [&](std::size_t i) { seen.began.push_back(i); };
  if (meanwhile)
    work.meanwhile = [&] { meanwhile(seen); };
  work.run = std::move(body);
  work.told = [&](std::size_t i, std::string_view text) { seen.told[i] += text; };
  work.end = [&](std::size_t i, const Ending &ending) { seen.endings[i] = ending; };
  run_in_processes(count, slots, work);
  return seen;
}

bool has_children() { return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

TEST(Processes, HandBackWhatTheyMade) {
  for (const unsigned jobs : {1u, 3u, 64u}) {
    const Seen seen = run(10, jobs, [](std::size_t i, const auto &tell) {
      tell("a");
      tell("b" + std::to_string(i));
      return std::string(i * 100'000, static_cast<char>('a' + i)); // more than a pipe holds
    });
    EXPECT_EQ(seen.began, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    ASSERT_EQ(seen.endings.size(), 10u);
    for (const auto &[i, ending] : seen.endings) {
      EXPECT_TRUE(ending.whole);
      EXPECT_EQ(ending.result, std::string(i * 100'000, static_cast<char>('a' + i)));
      EXPECT_EQ(seen.told.at(i), "ab" + std::to_string(i));
    }
    EXPECT_FALSE(has_children());
  }
}

TEST(Processes, OneThatDiesTakesNoOtherWithIt) {
  const Seen seen = run(5, 2, [](std::size_t i, const auto &) -> std::string {
    if (i == 1)
      (void)std::raise(SIGKILL);
    if (i == 2)
      _exit(kOutOfTime);
    if (i == 3)
      throw std::string("not caught by anybody");
    return "whole";
  });
  EXPECT_TRUE(seen.endings.at(0).whole && seen.endings.at(4).whole);
  EXPECT_FALSE(seen.endings.at(1).whole || seen.endings.at(2).whole || seen.endings.at(3).whole);
  EXPECT_EQ(seen.endings.at(1).signal, SIGKILL);
  EXPECT_EQ(seen.endings.at(2).code, kOutOfTime);
  EXPECT_EQ(seen.endings.at(3).signal, 0);
  EXPECT_FALSE(has_children());
}

TEST(Processes, WhatIsDoneMeanwhileIsDoneOnceWhileTheyAreAtWork) {
  for (const std::size_t count : {0u, 1u, 2u, 9u}) {
    unsigned times = 0;
    const Seen seen = run(
        count, 2, [](std::size_t, const auto &) { return std::string("done"); },
        [&](Seen &until_then) {
          ++times;
          EXPECT_TRUE(until_then.endings.empty()); // none has been waited for
          EXPECT_EQ(until_then.began.size(), std::min<std::size_t>(count, 2));
        });
    EXPECT_EQ(times, 1u);
    EXPECT_EQ(seen.endings.size(), count);
  }
}

TEST(Processes, SlotsOfTheDeadAreGivenBack) {
  JobSlots slots(2, 3);
  EXPECT_TRUE(slots.take(0));
  EXPECT_TRUE(slots.take(1));
  EXPECT_FALSE(slots.take(2));
  slots.bury(0);
  EXPECT_TRUE(slots.take(2));
  slots.give(2);
  EXPECT_TRUE(slots.take(1));
  slots.bury(1); // both of them
  EXPECT_TRUE(slots.take(0) && slots.take(0));
  EXPECT_FALSE(slots.take(0));
}

TEST(Processes, MemoryBeyondTheBoundEndsThem) {
  if (!can_bound_memory())
    GTEST_SKIP() << "a sanitizer's tables take more addresses than any bound";
  const Seen seen = run(2, 1, [](std::size_t i, const auto &) {
    bound_process(256);
    std::size_t sum = 0;
    for (std::size_t mib = 0; mib < (i == 0 ? 16u : 1024u); ++mib) {
      // Never freed: the process ends soon.
      auto *const piece = new char[1 << 20]; // NOLINT
      piece[mib % 1024] = 1;
      sum += static_cast<std::size_t>(piece[mib % 1024]);
      static std::vector<std::unique_ptr<char[]>> kept;
      kept.emplace_back(piece);
    }
    return std::to_string(sum);
  });
  EXPECT_TRUE(seen.endings.at(0).whole);
  EXPECT_EQ(seen.endings.at(0).result, "16");
  EXPECT_FALSE(seen.endings.at(1).whole);
  EXPECT_EQ(seen.endings.at(1).code, kOutOfMemory);
}

} // namespace
} // namespace smem
