// How jemalloc serves smem-lint; read from this name when the process starts (jemalloc(3), "TUNING").
//
// A run is short and allocates nearly all of its memory once: huge pages spare it a quarter to a half of its page faults, and one arena is filled by all of its
// few threads, whose own caches spare them its lock. kernels/gemm_tiled_conflict.cu takes 0.83 of the time without (wall, median of 40 paired runs).

extern "C" {
extern const char *malloc_conf;
const char *malloc_conf = "thp:always,metadata_thp:always,narenas:1";
}
