// Clang knows managed variables for HIP only. To a kernel they are device variables; what they hold is not known of either.
#undef __managed__
#define __managed__ __attribute__((device))
