// The part of CUDA that nvcc makes visible without any #include: keywords, built-in
// variables, vector types, device functions, and the declarations of the runtime API.
//
// Force-included (`-include smem_lint_cuda_prelude.h`) where no CUDA toolkit is
// installed. It exists to be *analysed*, not run: whatever can reach an address, a
// branch or a memory instruction has its exact meaning, floating-point results do not.
// Kept free of standard headers, so that it costs milliseconds.
#ifndef SMEM_LINT_CUDA_PRELUDE_H
#define SMEM_LINT_CUDA_PRELUDE_H

#include "smem_lint/keywords.h"

#include "smem_lint/vector_types.h"

#include "smem_lint/builtin_variables.h"

#include "smem_lint/runtime_api.h"

#include "smem_lint/c_library.h"

#include "smem_lint/math.h"

#include "smem_lint/device_functions.h"
#include "smem_lint/dpx.h"
#include "smem_lint/clusters.h"

#include "smem_lint/atomics.h"
#include "smem_lint/callable.h"
#include "smem_lint/device_launch.h"
#include "smem_lint/nv_atomics.h"

#ifdef SMEM_LINT_EARLIER_NAMES
#include "smem_lint/earlier_names.h"
#endif

// Macros of the C library that nvcc's implicit headers bring; its own headers define the same.
#ifndef INFINITY
#define INFINITY (__builtin_inff())
#endif
#ifndef NAN
#define NAN (__builtin_nanf(""))
#endif
#ifndef HUGE_VALF
#define HUGE_VALF (__builtin_huge_valf())
#endif
#ifndef HUGE_VAL
#define HUGE_VAL (__builtin_huge_val())
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef INT_MAX
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#endif

// nvcc's implicit headers include parts of the C++ library, on which few sources rely.
// They cost more time than the rest; this is for a second attempt at one that does.
#ifdef SMEM_LINT_FULL_PRELUDE
#include <algorithm>
#include <assert.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <utility>
#endif

#endif
