// SPDX-License-Identifier: Apache-2.0

#include "CPosix.h"

const char *cposix_optarg(void) { return optarg; }

int cposix_optind(void) { return optind; }

// 0, not 1: GNU's own way to forget all that it keeps.
void cposix_getopt_restart(void) { optind = 0; }
