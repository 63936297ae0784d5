// What host code calls of glog, and of what took its macros over (Abseil, PyTorch's c10): a check that fails does not return, and nothing is written.
#pragma once

#include <ostream>

namespace smem_lint_host {
struct Failure {};
std::ostream &log();
[[noreturn]] void operator&(Failure, std::ostream &);

struct Silence {};
void operator&(Silence, std::ostream &);
} // namespace smem_lint_host

#define SMEM_LINT_CHECK(condition) (condition) ? (void)0 : smem_lint_host::Failure() & smem_lint_host::log()
#define SMEM_LINT_LOG_INFO smem_lint_host::Silence() & smem_lint_host::log()
#define SMEM_LINT_LOG_WARNING SMEM_LINT_LOG_INFO
#define SMEM_LINT_LOG_ERROR SMEM_LINT_LOG_INFO
#define SMEM_LINT_LOG_DFATAL SMEM_LINT_LOG_INFO
#define SMEM_LINT_LOG_FATAL smem_lint_host::Failure() & smem_lint_host::log()

#ifndef CHECK // of the program
#define CHECK(condition) SMEM_LINT_CHECK(condition)
#define CHECK_EQ(a, b) SMEM_LINT_CHECK((a) == (b))
#define CHECK_NE(a, b) SMEM_LINT_CHECK((a) != (b))
#define CHECK_LT(a, b) SMEM_LINT_CHECK((a) < (b))
#define CHECK_LE(a, b) SMEM_LINT_CHECK((a) <= (b))
#define CHECK_GT(a, b) SMEM_LINT_CHECK((a) > (b))
#define CHECK_GE(a, b) SMEM_LINT_CHECK((a) >= (b))
#define CHECK_NOTNULL(pointer) (pointer)
#define PCHECK(condition) SMEM_LINT_CHECK(condition)
#define QCHECK(condition) SMEM_LINT_CHECK(condition)
#endif

#ifndef DCHECK
// A release build leaves these out.
#define SMEM_LINT_DCHECK(condition) (true || (condition)) ? (void)0 : SMEM_LINT_LOG_INFO
#define DCHECK(condition) SMEM_LINT_DCHECK(condition)
#define DCHECK_EQ(a, b) SMEM_LINT_DCHECK((a) == (b))
#define DCHECK_NE(a, b) SMEM_LINT_DCHECK((a) != (b))
#define DCHECK_LT(a, b) SMEM_LINT_DCHECK((a) < (b))
#define DCHECK_LE(a, b) SMEM_LINT_DCHECK((a) <= (b))
#define DCHECK_GT(a, b) SMEM_LINT_DCHECK((a) > (b))
#define DCHECK_GE(a, b) SMEM_LINT_DCHECK((a) >= (b))
#define DCHECK_NOTNULL(pointer) (pointer)
#endif

#ifndef LOG
#define LOG(severity) SMEM_LINT_LOG_##severity
#define LOG_IF(severity, condition) !(condition) ? (void)0 : LOG(severity)
#define LOG_EVERY_N(severity, n) LOG(severity)
#define LOG_FIRST_N(severity, n) LOG(severity)
#define DLOG(severity) SMEM_LINT_LOG_INFO
#define PLOG(severity) LOG(severity)
#define VLOG(level) SMEM_LINT_LOG_INFO
#define VLOG_IS_ON(level) false
#endif
