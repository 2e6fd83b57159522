// SPDX-License-Identifier: Apache-2.0

// Preloaded into the program under test: the C library passes it no arguments, as if it were started with an empty vector,
// which recent kernels do not permit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef int entry(int, char **, char **);
typedef void hook(void);

int __libc_start_main(entry *program, int count, char **arguments, hook *init, hook *fini, hook *rtld, void *stack) {
    static char *none[] = {NULL};
    (void)count, (void)arguments;
    int (*real)(entry *, int, char **, hook *, hook *, hook *, void *) =
        (int (*)(entry *, int, char **, hook *, hook *, hook *, void *))dlsym(RTLD_NEXT, "__libc_start_main");
    return real(program, 0, none, init, fini, rtld, stack);
}
