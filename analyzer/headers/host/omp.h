// OpenMP's own header where there is one; else what timing and verification code calls.
#pragma once
#if __has_include_next(<omp.h>)
#include_next <omp.h>
#else
extern "C" {
int omp_get_num_threads(void) noexcept;
int omp_get_max_threads(void) noexcept;
int omp_get_thread_num(void) noexcept;
int omp_get_num_procs(void) noexcept;
void omp_set_num_threads(int) noexcept;
double omp_get_wtime(void) noexcept;
}
#endif
