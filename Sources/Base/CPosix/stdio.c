// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <stdio.h>

int cposix_capture_stderr(ssize_t (*write)(void *cookie, const char *text, size_t count)) {
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write});
    if (!stream)
        return -1;
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    stderr = stream;
    return 0;
}
