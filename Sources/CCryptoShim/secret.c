#define _GNU_SOURCE
#include "ccryptoshim.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

// Memory for secrets: one range of pages that no core dump and no forked child has, handed out in
// chunks of fixed sizes. Pages are locked against swapping one by one as they come into use, because
// RLIMIT_MEMLOCK may allow few; a page that cannot be locked is used all the same.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLAIN_HEAP 1  // the sanitizer's own heap sees an overrun, this one would not
#endif
#endif

enum {
    PAGE = 4096,
    PAGES = 256,        // a paired device holds about 10 chunks, a session 20: room for far more than are served
    SMALLEST = 16,      // every chunk is aligned to it
    CLASSES = 7         // 16, 32, … 1024 octets
};

struct chunk {
    struct chunk *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *arena;
static size_t used_pages;
static struct chunk *unused[CLASSES];

static int class_of(size_t count) {
    size_t size = SMALLEST;
    for (int class = 0; class < CLASSES; class++, size *= 2) {
        if (count <= size) return class;
    }
    return -1;
}

static void *map_private(size_t count) {
    void *pages = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    madvise(pages, count, MADV_DONTDUMP);
    madvise(pages, count, MADV_WIPEONFORK);
    return pages;
}

static void *map_own(size_t count) {
    void *pages = map_private(count);
    if (pages) mlock(pages, count);
    return pages;
}

// Cuts the next page into chunks of one class; with the lock held.
static void refill(int class) {
    if (!arena) arena = map_private((size_t)PAGE * PAGES);
    if (!arena || used_pages == PAGES) return;
    uint8_t *page = arena + PAGE * used_pages++;
    mlock(page, PAGE);
    size_t size = (size_t)SMALLEST << class;
    for (size_t offset = PAGE; offset >= size; offset -= size) {
        struct chunk *chunk = (struct chunk *)(page + offset - size);
        chunk->next = unused[class];
        unused[class] = chunk;
    }
}

static int is_in_arena(const void *octets) {
    const uint8_t *at = octets;
    return arena && at >= arena && at < arena + (size_t)PAGE * PAGES;
}

void *ccrypto_secret_new(size_t count) {
#ifdef PLAIN_HEAP
    return calloc(1, count ? count : 1);
#else
    int class = class_of(count);
    struct chunk *chunk = NULL;
    if (class >= 0) {
        pthread_mutex_lock(&lock);
        if (!unused[class]) refill(class);
        chunk = unused[class];
        if (chunk) {
            unused[class] = chunk->next;
            chunk->next = NULL;  // the rest of a chunk is zero while nobody has it
        }
        pthread_mutex_unlock(&lock);
    }
    return chunk ? (void *)chunk : map_own(count);  // too large, or the arena is full
#endif
}

void ccrypto_secret_free(void *octets, size_t count) {
    if (!octets) return;
    ccrypto_zero(octets, count);
#ifdef PLAIN_HEAP
    free(octets);
#else
    pthread_mutex_lock(&lock);
    int is_ours = is_in_arena(octets);
    if (is_ours) {
        int class = class_of(count);
        struct chunk *chunk = octets;
        chunk->next = unused[class];
        unused[class] = chunk;
    }
    pthread_mutex_unlock(&lock);
    if (!is_ours) munmap(octets, count);
#endif
}
