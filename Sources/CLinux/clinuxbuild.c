#define _GNU_SOURCE
#include "clinuxbuild.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

struct build_id {
    unsigned char *out;
    size_t size;
    int length;
};

static int search(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct build_id *found = data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE) continue;
        const uint8_t *at = (const uint8_t *)(info->dlpi_addr + header->p_vaddr);
        const uint8_t *end = at + header->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const uint8_t *name = at + sizeof *note;
            const uint8_t *description = name + ((note->n_namesz + 3u) & ~3u);
            at = description + ((note->n_descsz + 3u) & ~3u);
            if (at > end) break;
            if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4 || memcmp(name, "GNU", 4) != 0) continue;
            size_t length = note->n_descsz < found->size ? note->n_descsz : found->size;
            memcpy(found->out, description, length);
            found->length = (int)length;
            return 1;
        }
    }
    return 1;  // the program itself comes first; its libraries do not matter
}

int clinux_build_id(unsigned char *out, size_t size) {
    struct build_id found = {out, size, 0};
    dl_iterate_phdr(search, &found);
    return found.length;
}

int clinux_kernel_release(char *out, size_t size) {
    struct utsname name;
    if (uname(&name) != 0) return -1;
    snprintf(out, size, "%s", name.release);
    return 0;
}
