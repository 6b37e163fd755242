#include "ccryptoshim.h"
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
bool ccrypto_poison_works(void) { return RUNNING_ON_VALGRIND != 0; }
void ccrypto_poison(const void *p, size_t n) { (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n); }
void ccrypto_unpoison(const void *p, size_t n) { (void)VALGRIND_MAKE_MEM_DEFINED(p, n); }
#else
bool ccrypto_poison_works(void) { return false; }
void ccrypto_poison(const void *p, size_t n) { (void)p; (void)n; }
void ccrypto_unpoison(const void *p, size_t n) { (void)p; (void)n; }
#endif
