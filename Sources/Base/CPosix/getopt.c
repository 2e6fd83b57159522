// SPDX-License-Identifier: Apache-2.0

#include "CPosix.h"

const char *cposix_optarg(void) { return optarg; }

int cposix_optind(void) { return optind; }

int cposix_optopt(void) { return optopt; }

// 0 instead of 1 also resets the internal state of glibc's getopt.
void cposix_getopt_restart(void) { optind = 0; }

#ifndef __GLIBC__
#error "only glibc passes the command line to constructors"
#endif

static int count;
static char **arguments;

__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    arguments = argv;
}

char **cposix_arguments(int *argc) {
    *argc = count;
    return arguments;
}
