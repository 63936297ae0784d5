// What nvcc's implicit includes bring from the C library, on both sides, declared as
// glibc declares it so that the real headers may follow. Device code gets overloads of
// its own: a function that is only declared for the host cannot be called from a kernel.
#ifndef SMEM_LINT_C_LIBRARY_H
#define SMEM_LINT_C_LIBRARY_H

typedef long time_t;
typedef long clock_t;
typedef struct _IO_FILE FILE;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#ifndef NULL
#define NULL __null
#endif
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define RAND_MAX 2147483647

extern "C" {
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *__restrict, ...);
int fprintf(FILE *__restrict, const char *__restrict, ...);
int puts(const char *);
int putchar(int);
int fflush(FILE *);
int snprintf(char *__restrict, size_t, const char *__restrict, ...) noexcept;
void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void free(void *) noexcept;
void exit(int) noexcept __attribute__((noreturn));
void abort() noexcept __attribute__((noreturn));
int atoi(const char *) noexcept;
double atof(const char *) noexcept;
char *getenv(const char *) noexcept;
int rand() noexcept;
void srand(unsigned) noexcept;
double drand48() noexcept;
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *memcpy(void *__restrict, const void *__restrict, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
size_t strlen(const char *) noexcept;
int strcmp(const char *, const char *) noexcept;
int strncmp(const char *, const char *, size_t) noexcept;
char *strcpy(char *__restrict, const char *__restrict) noexcept;
time_t time(time_t *) noexcept;
clock_t clock() noexcept;

// Device side. printf becomes vprintf and a packed argument buffer in the compiler.
__attribute__((device)) int printf(const char *, ...);
__attribute__((device)) int vprintf(const char *, const char *);
__attribute__((device)) void *malloc(size_t) noexcept __attribute__((malloc));
__attribute__((device)) void free(void *) noexcept;
__attribute__((device)) void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                                          size_t charSize) noexcept;
// The assert macro of the C library calls this one.
SMEM_LINT_DEVICE void __assert_fail(const char *message, const char *file, unsigned line,
                                    const char *function) noexcept {
  __assertfail(message, file, line, function, 1);
}
}

SMEM_LINT_DEVICE void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
SMEM_LINT_DEVICE void *memmove(void *to, const void *from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
SMEM_LINT_DEVICE void *memset(void *to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }
SMEM_LINT_DEVICE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
SMEM_LINT_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
SMEM_LINT_DEVICE void __trap() { asm volatile("trap;"); }
SMEM_LINT_DEVICE void __brkpt(int = 0) { asm volatile("brkpt;"); }
SMEM_LINT_DEVICE void abort() { asm volatile("trap;"); }

#ifndef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept __attribute__((noreturn));
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif

#endif
