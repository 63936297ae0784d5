// Every memory operation the micro-benchmark measures: one struct each, one predicated PTX instruction inside.
// Inline PTX keeps the compiler from merging, widening or hoisting what is to be measured.
#pragma once

#include <cstdint>

namespace smem_lint::microbench {

// What one lane hands to the instruction.
struct Lane {
  std::uint32_t shared;   // shared-window address
  char* global;           // global address
  char* generic_shared;   // the same shared address as a generic pointer whose space the compiler cannot infer
  char* generic_global;   // likewise for the global address
  std::uint32_t on;       // predicate
  std::uint32_t aux;      // second predicate, where the operation has one
  std::uint32_t value;    // differs from lane to lane
};

enum class Space { shared, global, both };

// `space` says which of the lane's addresses the pattern drives; `targets` are the machine opcodes that belong to it.
#define SMEM_OP(TYPE, NAME, SPACE, WIDTH, COPIES, TARGETS, ...)                     \
  struct TYPE {                                                                     \
    static constexpr const char* name = NAME;                                       \
    static constexpr const char* targets = TARGETS;                                 \
    static constexpr Space space = Space::SPACE;                                    \
    static constexpr int width = WIDTH;                                             \
    static constexpr int copies = COPIES;                                           \
    __device__ static std::uint32_t run(const Lane& a) {                            \
      std::uint32_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;                                 \
      std::uint64_t d0 = 0, d1 = 0;                                                 \
      __VA_ARGS__                                                                   \
      return r0 ^ r1 ^ r2 ^ r3 ^ std::uint32_t(d0) ^ std::uint32_t(d0 >> 32) ^      \
             std::uint32_t(d1) ^ std::uint32_t(d1 >> 32);                           \
    }                                                                               \
  };

#define PRED(N) "{\n .reg .pred p;\n setp.ne.u32 p, %" #N ", 0;\n @p "
#define CLOSE ";\n}"

// Loads and stores.  ADDRESS is an asm operand.
#define LOAD_R1(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " %0, [%1]" CLOSE : "+r"(r0) : ADDRESS, "r"(a.on) : "memory");
#define LOAD_V2(TEXT, ADDRESS) asm volatile(PRED(3) TEXT " {%0, %1}, [%2]" CLOSE : "+r"(r0), "+r"(r1) : ADDRESS, "r"(a.on) : "memory");
#define LOAD_V4(TEXT, ADDRESS) asm volatile(PRED(5) TEXT " {%0, %1, %2, %3}, [%4]" CLOSE : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3) : ADDRESS, "r"(a.on) : "memory");
#define STORE_R1(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " [%0], %1" CLOSE : : ADDRESS, "r"(a.value), "r"(a.on) : "memory");
#define STORE_V2(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " [%0], {%1, %1}" CLOSE : : ADDRESS, "r"(a.value), "r"(a.on) : "memory");
#define STORE_V4(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " [%0], {%1, %1, %1, %1}" CLOSE : : ADDRESS, "r"(a.value), "r"(a.on) : "memory");
#define S "r"(a.shared)
#define G "l"(a.global)
#define GS "l"(a.generic_shared)
#define GG "l"(a.generic_global)

SMEM_OP(SharedLoad8, "shared.load.8", shared, 1, 64, "LDS", LOAD_R1("ld.shared.u8", S))
SMEM_OP(SharedLoad16, "shared.load.16", shared, 2, 64, "LDS", asm volatile(PRED(2) "ld.shared.u16 %0, [%1]" CLOSE : "+h"(reinterpret_cast<std::uint16_t&>(r0)) : S, "r"(a.on) : "memory");)
SMEM_OP(SharedLoad32, "shared.load.32", shared, 4, 64, "LDS", LOAD_R1("ld.shared.u32", S))
SMEM_OP(SharedLoad64, "shared.load.64", shared, 8, 64, "LDS", LOAD_V2("ld.shared.v2.u32", S))
SMEM_OP(SharedLoad128, "shared.load.128", shared, 16, 64, "LDS", LOAD_V4("ld.shared.v4.u32", S))
SMEM_OP(SharedStore8, "shared.store.8", shared, 1, 64, "STS", STORE_R1("st.shared.u8", S))
SMEM_OP(SharedStore16, "shared.store.16", shared, 2, 64, "STS", asm volatile(PRED(2) "st.shared.u16 [%0], %1" CLOSE : : S, "h"(std::uint16_t(a.value)), "r"(a.on) : "memory");)
SMEM_OP(SharedStore32, "shared.store.32", shared, 4, 64, "STS", STORE_R1("st.shared.u32", S))
SMEM_OP(SharedStore64, "shared.store.64", shared, 8, 64, "STS", STORE_V2("st.shared.v2.u32", S))
SMEM_OP(SharedStore128, "shared.store.128", shared, 16, 64, "STS", STORE_V4("st.shared.v4.u32", S))
SMEM_OP(GenericSharedLoad32, "generic-shared.load.32", shared, 4, 64, "LD LD.E LDS LDG", LOAD_R1("ld.u32", GS))
SMEM_OP(GenericSharedLoad128, "generic-shared.load.128", shared, 16, 64, "LD LDS LDG", LOAD_V4("ld.v4.u32", GS))
SMEM_OP(GenericSharedStore32, "generic-shared.store.32", shared, 4, 64, "ST STS STG", STORE_R1("st.u32", GS))
SMEM_OP(GenericGlobalLoad32, "generic-global.load.32", global, 4, 64, "LD LDS LDG", LOAD_R1("ld.u32", GG))
SMEM_OP(GenericGlobalStore32, "generic-global.store.32", global, 4, 64, "ST STS STG", STORE_R1("st.u32", GG))

SMEM_OP(GlobalLoad8, "global.load.8", global, 1, 64, "LDG", LOAD_R1("ld.global.u8", G))
SMEM_OP(GlobalLoad16, "global.load.16", global, 2, 64, "LDG", asm volatile(PRED(2) "ld.global.u16 %0, [%1]" CLOSE : "+h"(reinterpret_cast<std::uint16_t&>(r0)) : G, "r"(a.on) : "memory");)
SMEM_OP(GlobalLoad32, "global.load.32", global, 4, 64, "LDG", LOAD_R1("ld.global.u32", G))
SMEM_OP(GlobalLoad64, "global.load.64", global, 8, 64, "LDG", LOAD_V2("ld.global.v2.u32", G))
SMEM_OP(GlobalLoad128, "global.load.128", global, 16, 64, "LDG", LOAD_V4("ld.global.v4.u32", G))
SMEM_OP(GlobalLoadNc8, "global.load.nc.8", global, 1, 64, "LDG", LOAD_R1("ld.global.nc.u8", G))
SMEM_OP(GlobalLoadNc32, "global.load.nc.32", global, 4, 64, "LDG", LOAD_R1("ld.global.nc.u32", G))
SMEM_OP(GlobalLoadNc64, "global.load.nc.64", global, 8, 64, "LDG", LOAD_V2("ld.global.nc.v2.u32", G))
SMEM_OP(GlobalLoadNc128, "global.load.nc.128", global, 16, 64, "LDG", LOAD_V4("ld.global.nc.v4.u32", G))
SMEM_OP(GlobalLoadCg32, "global.load.cg.32", global, 4, 64, "LDG", LOAD_R1("ld.global.cg.u32", G))
SMEM_OP(GlobalLoadVolatile32, "global.load.volatile.32", global, 4, 64, "LDG", LOAD_R1("ld.volatile.global.u32", G))
SMEM_OP(GlobalStore8, "global.store.8", global, 1, 64, "STG", STORE_R1("st.global.u8", G))
SMEM_OP(GlobalStore16, "global.store.16", global, 2, 64, "STG", asm volatile(PRED(2) "st.global.u16 [%0], %1" CLOSE : : G, "h"(std::uint16_t(a.value)), "r"(a.on) : "memory");)
SMEM_OP(GlobalStore32, "global.store.32", global, 4, 64, "STG", STORE_R1("st.global.u32", G))
SMEM_OP(GlobalStore64, "global.store.64", global, 8, 64, "STG", STORE_V2("st.global.v2.u32", G))
SMEM_OP(GlobalStore128, "global.store.128", global, 16, 64, "STG", STORE_V4("st.global.v4.u32", G))

// Atomics: with the result used, and without.  The operand differs from lane to lane unless it is the constant one.
#define ATOM_R(TEXT, ADDRESS, VALUE) asm volatile(PRED(3) TEXT " %0, [%1], " VALUE CLOSE : "+r"(r0) : ADDRESS, "r"(a.value), "r"(a.on) : "memory");
#define ATOM_RF(TEXT, ADDRESS) asm volatile(PRED(3) TEXT " %0, [%1], %2" CLOSE : "+f"(reinterpret_cast<float&>(r0)) : ADDRESS, "f"(float(a.value)), "r"(a.on) : "memory");
#define ATOM_D(TEXT, ADDRESS) asm volatile(PRED(3) TEXT " %0, [%1], %2" CLOSE : "+l"(d0) : ADDRESS, "l"(std::uint64_t(a.value)), "r"(a.on) : "memory");
#define ATOM_DF(TEXT, ADDRESS) asm volatile(PRED(3) TEXT " %0, [%1], %2" CLOSE : "+d"(reinterpret_cast<double&>(d0)) : ADDRESS, "d"(double(a.value)), "r"(a.on) : "memory");
#define CAS_R(TEXT, ADDRESS) asm volatile(PRED(4) TEXT " %0, [%1], %2, %3" CLOSE : "+r"(r0) : ADDRESS, "r"(a.value - 7), "r"(a.value), "r"(a.on) : "memory");
#define CAS_D(TEXT, ADDRESS) asm volatile(PRED(4) TEXT " %0, [%1], %2, %3" CLOSE : "+l"(d0) : ADDRESS, "l"(std::uint64_t(a.value - 7)), "l"(std::uint64_t(a.value)), "r"(a.on) : "memory");
#define RED_R(TEXT, ADDRESS, VALUE) asm volatile(PRED(2) TEXT " [%0], " VALUE CLOSE : : ADDRESS, "r"(a.value), "r"(a.on) : "memory");
#define RED_RF(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " [%0], %1" CLOSE : : ADDRESS, "f"(float(a.value)), "r"(a.on) : "memory");
#define RED_D(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " [%0], %1" CLOSE : : ADDRESS, "l"(std::uint64_t(a.value)), "r"(a.on) : "memory");
#define RED_DF(TEXT, ADDRESS) asm volatile(PRED(2) TEXT " [%0], %1" CLOSE : : ADDRESS, "d"(double(a.value)), "r"(a.on) : "memory");
#define VALUE_RED "%1"
#define VALUE_ATOM "%2"

#define SHARED_TARGETS "ATOMS LDS"
SMEM_OP(SharedAtomAdd, "shared.atom.add.u32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.add.u32", S, VALUE_ATOM))
SMEM_OP(SharedRedAdd, "shared.red.add.u32", shared, 4, 64, SHARED_TARGETS, RED_R("red.shared.add.u32", S, VALUE_RED))
SMEM_OP(SharedAtomAddOne, "shared.atom.add.one.u32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.add.u32", S, "1"))
SMEM_OP(SharedRedAddOne, "shared.red.add.one.u32", shared, 4, 64, SHARED_TARGETS, RED_R("red.shared.add.u32", S, "1"))
SMEM_OP(SharedAtomMinS32, "shared.atom.min.s32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.min.s32", S, VALUE_ATOM))
SMEM_OP(SharedRedMaxS32, "shared.red.max.s32", shared, 4, 64, SHARED_TARGETS, RED_R("red.shared.max.s32", S, VALUE_RED))
SMEM_OP(SharedRedMaxU32, "shared.red.max.u32", shared, 4, 64, SHARED_TARGETS, RED_R("red.shared.max.u32", S, VALUE_RED))
SMEM_OP(SharedAtomAnd, "shared.atom.and.b32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.and.b32", S, VALUE_ATOM))
SMEM_OP(SharedRedOr, "shared.red.or.b32", shared, 4, 64, SHARED_TARGETS, RED_R("red.shared.or.b32", S, VALUE_RED))
SMEM_OP(SharedRedXor, "shared.red.xor.b32", shared, 4, 64, SHARED_TARGETS, RED_R("red.shared.xor.b32", S, VALUE_RED))
SMEM_OP(SharedAtomExch, "shared.atom.exch.b32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.exch.b32", S, VALUE_ATOM))
SMEM_OP(SharedAtomInc, "shared.atom.inc.u32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.inc.u32", S, VALUE_ATOM))
SMEM_OP(SharedAtomDec, "shared.atom.dec.u32", shared, 4, 64, SHARED_TARGETS, ATOM_R("atom.shared.dec.u32", S, VALUE_ATOM))
SMEM_OP(SharedAtomCas32, "shared.atom.cas.b32", shared, 4, 64, SHARED_TARGETS, CAS_R("atom.shared.cas.b32", S))
SMEM_OP(SharedAtomCas64, "shared.atom.cas.b64", shared, 8, 64, SHARED_TARGETS, CAS_D("atom.shared.cas.b64", S))
SMEM_OP(SharedAtomExch64, "shared.atom.exch.b64", shared, 8, 1, SHARED_TARGETS, ATOM_D("atom.shared.exch.b64", S))
SMEM_OP(SharedAtomAdd64, "shared.atom.add.u64", shared, 8, 1, SHARED_TARGETS, ATOM_D("atom.shared.add.u64", S))
SMEM_OP(SharedRedAdd64, "shared.red.add.u64", shared, 8, 1, SHARED_TARGETS, RED_D("red.shared.add.u64", S))
SMEM_OP(SharedRedMax64, "shared.red.max.u64", shared, 8, 1, SHARED_TARGETS, RED_D("red.shared.max.u64", S))
SMEM_OP(SharedAtomAddF32, "shared.atom.add.f32", shared, 4, 1, SHARED_TARGETS, ATOM_RF("atom.shared.add.f32", S))
SMEM_OP(SharedRedAddF32, "shared.red.add.f32", shared, 4, 1, SHARED_TARGETS, RED_RF("red.shared.add.f32", S))
SMEM_OP(SharedRedAddF64, "shared.red.add.f64", shared, 8, 1, SHARED_TARGETS, RED_DF("red.shared.add.f64", S))
SMEM_OP(SharedRedAddF16x2, "shared.red.add.noftz.f16x2", shared, 4, 1, SHARED_TARGETS, RED_R("red.shared.add.noftz.f16x2", S, VALUE_RED))
SMEM_OP(SharedRedAddBf16x2, "shared.red.add.noftz.bf16x2", shared, 4, 1, SHARED_TARGETS, RED_R("red.shared.add.noftz.bf16x2", S, VALUE_RED))

#define GLOBAL_TARGETS "ATOMG ATOM RED REDG"
SMEM_OP(GlobalAtomAdd, "global.atom.add.u32", global, 4, 64, GLOBAL_TARGETS, ATOM_R("atom.global.add.u32", G, VALUE_ATOM))
SMEM_OP(GlobalRedAdd, "global.red.add.u32", global, 4, 64, GLOBAL_TARGETS, RED_R("red.global.add.u32", G, VALUE_RED))
SMEM_OP(GlobalAtomAddOne, "global.atom.add.one.u32", global, 4, 64, GLOBAL_TARGETS, ATOM_R("atom.global.add.u32", G, "1"))
SMEM_OP(GlobalRedMax, "global.red.max.s32", global, 4, 64, GLOBAL_TARGETS, RED_R("red.global.max.s32", G, VALUE_RED))
SMEM_OP(GlobalAtomOr, "global.atom.or.b32", global, 4, 64, GLOBAL_TARGETS, ATOM_R("atom.global.or.b32", G, VALUE_ATOM))
SMEM_OP(GlobalAtomExch, "global.atom.exch.b32", global, 4, 64, GLOBAL_TARGETS, ATOM_R("atom.global.exch.b32", G, VALUE_ATOM))
SMEM_OP(GlobalAtomCas32, "global.atom.cas.b32", global, 4, 64, GLOBAL_TARGETS, CAS_R("atom.global.cas.b32", G))
SMEM_OP(GlobalAtomCas64, "global.atom.cas.b64", global, 8, 64, GLOBAL_TARGETS, CAS_D("atom.global.cas.b64", G))
SMEM_OP(GlobalAtomAdd64, "global.atom.add.u64", global, 8, 64, GLOBAL_TARGETS, ATOM_D("atom.global.add.u64", G))
SMEM_OP(GlobalRedAdd64, "global.red.add.u64", global, 8, 64, GLOBAL_TARGETS, RED_D("red.global.add.u64", G))
SMEM_OP(GlobalAtomAddF32, "global.atom.add.f32", global, 4, 64, GLOBAL_TARGETS, ATOM_RF("atom.global.add.f32", G))
SMEM_OP(GlobalRedAddF32, "global.red.add.f32", global, 4, 64, GLOBAL_TARGETS, RED_RF("red.global.add.f32", G))
SMEM_OP(GlobalRedAddF64, "global.red.add.f64", global, 8, 64, GLOBAL_TARGETS, RED_DF("red.global.add.f64", G))
SMEM_OP(GlobalRedAddF16x2, "global.red.add.noftz.f16x2", global, 4, 64, GLOBAL_TARGETS, RED_R("red.global.add.noftz.f16x2", G, VALUE_RED))
SMEM_OP(GlobalRedAddV2F32, "global.red.add.v2.f32", global, 8, 64, GLOBAL_TARGETS,
        asm volatile(PRED(2) "red.global.add.v2.f32 [%0], {%1, %1}" CLOSE : : G, "f"(float(a.value)), "r"(a.on) : "memory");)
SMEM_OP(GlobalRedAddV4F32, "global.red.add.v4.f32", global, 16, 64, GLOBAL_TARGETS,
        asm volatile(PRED(2) "red.global.add.v4.f32 [%0], {%1, %1, %1, %1}" CLOSE : : G, "f"(float(a.value)), "r"(a.on) : "memory");)

// Matrix loads and stores: each lane's address is that of one 16-byte row; the predicate must be warp-uniform.
#define MATRIX_LOAD_X1(TEXT) asm volatile(PRED(2) TEXT " {%0}, [%1]" CLOSE : "+r"(r0) : S, "r"(a.on) : "memory");
#define MATRIX_STORE_X1(TEXT) asm volatile(PRED(2) TEXT " [%0], {%1}" CLOSE : : S, "r"(a.value), "r"(a.on) : "memory");
#define LDSM(SUFFIX) "ldmatrix.sync.aligned.m8n8." SUFFIX ".shared.b16"
#define STSM(SUFFIX) "stmatrix.sync.aligned.m8n8." SUFFIX ".shared.b16"
SMEM_OP(Ldmatrix1, "ldmatrix.x1", shared, 16, 64, "LDSM", MATRIX_LOAD_X1(LDSM("x1")))
SMEM_OP(Ldmatrix2, "ldmatrix.x2", shared, 16, 64, "LDSM", LOAD_V2(LDSM("x2"), S))
SMEM_OP(Ldmatrix4, "ldmatrix.x4", shared, 16, 64, "LDSM", LOAD_V4(LDSM("x4"), S))
SMEM_OP(Ldmatrix1Trans, "ldmatrix.x1.trans", shared, 16, 64, "LDSM", MATRIX_LOAD_X1(LDSM("x1.trans")))
SMEM_OP(Ldmatrix2Trans, "ldmatrix.x2.trans", shared, 16, 64, "LDSM", LOAD_V2(LDSM("x2.trans"), S))
SMEM_OP(Ldmatrix4Trans, "ldmatrix.x4.trans", shared, 16, 64, "LDSM", LOAD_V4(LDSM("x4.trans"), S))
SMEM_OP(Stmatrix1, "stmatrix.x1", shared, 16, 64, "STSM", MATRIX_STORE_X1(STSM("x1")))
SMEM_OP(Stmatrix2, "stmatrix.x2", shared, 16, 64, "STSM", STORE_V2(STSM("x2"), S))
SMEM_OP(Stmatrix4, "stmatrix.x4", shared, 16, 64, "STSM", STORE_V4(STSM("x4"), S))
SMEM_OP(Stmatrix1Trans, "stmatrix.x1.trans", shared, 16, 64, "STSM", MATRIX_STORE_X1(STSM("x1.trans")))
SMEM_OP(Stmatrix2Trans, "stmatrix.x2.trans", shared, 16, 64, "STSM", STORE_V2(STSM("x2.trans"), S))
SMEM_OP(Stmatrix4Trans, "stmatrix.x4.trans", shared, 16, 64, "STSM", STORE_V4(STSM("x4.trans"), S))

// Asynchronous copies drive both addresses.  With zero-fill a lane whose `aux` is zero copies no source byte, or half.
#define WAIT ";\n cp.async.wait_all;\n}"
#define COPY(TEXT, SIZE) asm volatile(PRED(2) TEXT " [%0], [%1], " SIZE WAIT : : S, G, "r"(a.on) : "memory");
#define COPY_SOURCE(TEXT, SIZE, NONE) asm volatile(PRED(2) TEXT " [%0], [%1], " #SIZE ", %3" WAIT : : S, G, "r"(a.on), "r"(a.aux ? SIZE : NONE) : "memory");
SMEM_OP(CopyCa4, "cp.async.ca.4", both, 4, 64, "LDGSTS", COPY("cp.async.ca.shared.global", "4"))
SMEM_OP(CopyCa8, "cp.async.ca.8", both, 8, 64, "LDGSTS", COPY("cp.async.ca.shared.global", "8"))
SMEM_OP(CopyCa16, "cp.async.ca.16", both, 16, 64, "LDGSTS", COPY("cp.async.ca.shared.global", "16"))
SMEM_OP(CopyCg16, "cp.async.cg.16", both, 16, 64, "LDGSTS", COPY("cp.async.cg.shared.global", "16"))
SMEM_OP(CopyCg16Prefetch, "cp.async.cg.16.l2-128", both, 16, 64, "LDGSTS", COPY("cp.async.cg.shared.global.L2::128B", "16"))
#define COPY_NO_WAIT(TEXT, SIZE) asm volatile(PRED(2) TEXT " [%0], [%1], " SIZE CLOSE : : S, G, "r"(a.on) : "memory");
SMEM_OP(CopyCa16NoWait, "cp.async.ca.16.nowait", both, 16, 64, "LDGSTS", COPY_NO_WAIT("cp.async.ca.shared.global", "16"))
SMEM_OP(CopyCg16NoWait, "cp.async.cg.16.nowait", both, 16, 64, "LDGSTS", COPY_NO_WAIT("cp.async.cg.shared.global", "16"))
#define COPY_ALWAYS(TEXT, SIZE) asm volatile(TEXT " [%0], [%1], " SIZE ";" : : S, G : "memory");
SMEM_OP(CopyCg16Always, "cp.async.cg.16.always", both, 16, 64, "LDGSTS", COPY_ALWAYS("cp.async.cg.shared.global", "16"))
#define COPY_ALWAYS_WAIT(TEXT, SIZE) asm volatile(TEXT " [%0], [%1], " SIZE ";\n cp.async.wait_all;" : : S, G : "memory");
SMEM_OP(CopyCg16AlwaysWait, "cp.async.cg.16.always.wait", both, 16, 64, "LDGSTS", COPY_ALWAYS_WAIT("cp.async.cg.shared.global", "16"))
#define COPY_BRANCH(TEXT, SIZE) if (a.on) asm volatile(TEXT " [%0], [%1], " SIZE ";" : : S, G : "memory");
SMEM_OP(CopyCg16Branch, "cp.async.cg.16.branch", both, 16, 64, "LDGSTS", COPY_BRANCH("cp.async.cg.shared.global", "16"))
SMEM_OP(CopyCa4Zero, "cp.async.ca.4.zero", both, 4, 64, "LDGSTS", COPY_SOURCE("cp.async.ca.shared.global", 4, 0))
SMEM_OP(CopyCa16Zero, "cp.async.ca.16.zero", both, 16, 64, "LDGSTS", COPY_SOURCE("cp.async.ca.shared.global", 16, 0))
SMEM_OP(CopyCg16Zero, "cp.async.cg.16.zero", both, 16, 64, "LDGSTS", COPY_SOURCE("cp.async.cg.shared.global", 16, 0))
SMEM_OP(CopyCg16Half, "cp.async.cg.16.half", both, 16, 64, "LDGSTS", COPY_SOURCE("cp.async.cg.shared.global", 16, 8))

template <class... Operations>
struct OperationList {};

using AllOperations = OperationList<
    SharedLoad8, SharedLoad16, SharedLoad32, SharedLoad64, SharedLoad128, SharedStore8, SharedStore16,
    SharedStore32, SharedStore64, SharedStore128, GenericSharedLoad32, GenericSharedLoad128, GenericSharedStore32,
    GenericGlobalLoad32, GenericGlobalStore32, GlobalLoad8, GlobalLoad16, GlobalLoad32, GlobalLoad64, GlobalLoad128,
    GlobalLoadNc8, GlobalLoadNc32, GlobalLoadNc64, GlobalLoadNc128, GlobalLoadCg32, GlobalLoadVolatile32,
    GlobalStore8, GlobalStore16, GlobalStore32, GlobalStore64, GlobalStore128, SharedAtomAdd, SharedRedAdd,
    SharedAtomAddOne, SharedRedAddOne, SharedAtomMinS32, SharedRedMaxS32, SharedRedMaxU32, SharedAtomAnd,
    SharedRedOr, SharedRedXor, SharedAtomExch, SharedAtomInc, SharedAtomDec, SharedAtomCas32, SharedAtomCas64,
    SharedAtomExch64, SharedAtomAdd64, SharedRedAdd64, SharedRedMax64, SharedAtomAddF32, SharedRedAddF32,
    SharedRedAddF64, SharedRedAddF16x2, SharedRedAddBf16x2, GlobalAtomAdd, GlobalRedAdd, GlobalAtomAddOne,
    GlobalRedMax, GlobalAtomOr, GlobalAtomExch, GlobalAtomCas32, GlobalAtomCas64, GlobalAtomAdd64, GlobalRedAdd64,
    GlobalAtomAddF32, GlobalRedAddF32, GlobalRedAddF64, GlobalRedAddF16x2, GlobalRedAddV2F32, GlobalRedAddV4F32,
    Ldmatrix1, Ldmatrix2, Ldmatrix4, Ldmatrix1Trans, Ldmatrix2Trans, Ldmatrix4Trans, Stmatrix1, Stmatrix2,
    Stmatrix4, Stmatrix1Trans, Stmatrix2Trans, Stmatrix4Trans, CopyCa4, CopyCa8, CopyCa16, CopyCg16,
    CopyCg16Prefetch, CopyCa16NoWait, CopyCg16NoWait, CopyCg16Always, CopyCg16AlwaysWait, CopyCg16Branch, CopyCa4Zero, CopyCa16Zero, CopyCg16Zero, CopyCg16Half>;

}  // namespace smem_lint::microbench
