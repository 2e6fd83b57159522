// SPDX-License-Identifier: Apache-2.0

/// What Swift's Glibc module lacks.
#pragma once

#include <getopt.h>

// eventfd: this header is not part of Swift's Glibc module.
#include <sys/eventfd.h>

// getopt_long reports through mutable globals, which Swift 6 refuses to read: these read them.

/// The argument of the option that getopt_long has just returned, or NULL.
const char *cposix_optarg(void);

/// The index of the first argument that is no option, once getopt_long has returned -1.
int cposix_optind(void);
