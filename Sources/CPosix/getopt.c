// SPDX-License-Identifier: Apache-2.0

#include "CPosix.h"

const char *cposix_optarg(void) { return optarg; }

int cposix_optind(void) { return optind; }
