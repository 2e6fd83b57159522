// SPDX-License-Identifier: Apache-2.0

#include "CPosix.h"

const char *cposix_optarg(void) { return optarg; }

int cposix_optind(void) { return optind; }

int cposix_optopt(void) { return optopt; }

// 0 instead of 1 also resets the internal state of glibc's getopt.
void cposix_getopt_restart(void) { optind = 0; }
