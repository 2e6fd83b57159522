// SPDX-License-Identifier: Apache-2.0

// Preloaded before umockdev's library into a program with several threads. That library blocks all signals during each
// of its functions, and keeps the mask to restore in one static variable for all threads (0.17.16): a thread may get the
// mask of another one, and a signal that the program reads from a descriptor ends it. Here these two calls have no
// effect; programs under test have no signal handlers that umockdev would have to keep out.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

static uintptr_t start, end;

static int find(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (!strstr(info->dlpi_name, "libumockdev-preload")) return 0;
    start = info->dlpi_addr;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        uintptr_t last = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (segment->p_type == PT_LOAD && last > end) end = last;
    }
    return 1;
}

__attribute__((constructor)) static void find_umockdev(void) { dl_iterate_phdr(find, NULL); }

static int is_static_in_umockdev(const sigset_t *mask) { return (uintptr_t)mask >= start && (uintptr_t)mask < end; }

int pthread_sigmask(int how, const sigset_t *mask, sigset_t *former) {
    if (is_static_in_umockdev(mask) || is_static_in_umockdev(former)) return 0;
    int (*real)(int, const sigset_t *, sigset_t *) = dlsym(RTLD_NEXT, "pthread_sigmask");
    return real(how, mask, former);
}
