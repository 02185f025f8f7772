// One function compiled for several instruction sets and chosen when the library loads. The arithmetic is the same
// in all (no fused multiply-add), only its width differs.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define PLANETREE_WIDEST_VECTORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLANETREE_WIDEST_VECTORS
#endif
