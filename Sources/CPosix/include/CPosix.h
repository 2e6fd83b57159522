// SPDX-License-Identifier: Apache-2.0

// What Swift's Glibc module lacks, and nothing else. Each with the reason.
#pragma once

#include <stddef.h>
#include <sys/types.h>

// getopt_long: not part of Swift's Glibc module.
#include <getopt.h>

// eventfd: not part of Swift's Glibc module.
#include <sys/eventfd.h>

// timerfd: not part of Swift's Glibc module.
#include <sys/timerfd.h>

// getopt_long speaks through mutable globals, which Swift 6 refuses to touch. The argument of the option that it has
// just returned, or NULL; the index of the first argument that is no option, once it has returned -1; and a fresh start.
const char *cposix_optarg(void);
int cposix_optind(void);
void cposix_getopt_restart(void);

// accept4 is a GNU extension, and Swift's Glibc is imported without _GNU_SOURCE. Accepts without blocking,
// close-on-exec; -1 and errno on failure.
int cposix_accept_nonblocking(int listener);

// struct ucred is hidden behind _GNU_SOURCE too. Fills in who was at the other end when it connected; 0 or -1.
int cposix_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

// SO_PEERGROUPS comes from a kernel header that the module map does not cover. `count` is the room in `groups`, and
// afterwards the number of groups; -1 with ERANGE says that the room was too small.
int cposix_peer_groups(int socket, gid_t *groups, size_t *count);

// fopencookie is a GNU extension, and `stderr` is a mutable global. From now on `take` is given, a line at a time, what is
// printed to stderr through stdio; what is written to the descriptor 2 is not affected. It returns the number of bytes
// that it took: all of them. 0, or -1 and errno.
int cposix_capture_stderr(ssize_t (*take)(void *cookie, const char *text, size_t count));
