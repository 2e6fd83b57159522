// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// The depth below the current frame that is released, in bytes.
#define RELEASED_DEPTH ((uintptr_t)1 << 20)

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

void cposix_release_stack_pages(void) {
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    // The main thread's size is its limit (RLIMIT_STACK).
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    // Keeps one page below the frame for the calls of this function.
    uintptr_t end = ((uintptr_t)__builtin_frame_address(0) & ~(page - 1)) - page;
    uintptr_t start = end - RELEASED_DEPTH > (uintptr_t)lowest ? end - RELEASED_DEPTH : (uintptr_t)lowest;
    // ENOMEM is expected for the part of the main thread's stack that is not mapped yet: the rest is released.
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
}
