// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int release(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size, (void)data;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        // Writable segments have relocated constants, which are not in the file.
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
            continue;
        uintptr_t address = object->dlpi_addr + segment->p_vaddr;
        uintptr_t start = address & ~(page - 1);
        uintptr_t end = (address + segment->p_filesz + page - 1) & ~(page - 1);
        // A failure changes nothing.
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void cposix_release_code_pages(void) { dl_iterate_phdr(release, NULL); }
