// SPDX-License-Identifier: Apache-2.0

// What Swift's Glibc module lacks, and nothing else. Each with the reason.
#pragma once

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

// getopt_long: not part of Swift's Glibc module.
#include <getopt.h>

// malloc_trim: not part of Swift's Glibc module.
#include <malloc.h>

// eventfd: not part of Swift's Glibc module.
#include <sys/eventfd.h>

// malloc_usable_size: not part of Swift's Glibc module.
#include <malloc.h>

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

// SO_PASSRIGHTS (Linux 6.16) is newer than the C library's headers. Makes the kernel refuse file descriptors (SCM_RIGHTS)
// that a peer sends to this socket: the sender gets EPERM. A listener hands the setting to connections made from then on.
// 0, or -1 and errno: ENOPROTOOPT on older kernels.
int cposix_refuse_descriptors(int socket);

// Whether the kernel refuses file descriptors sent to this socket: 1 or 0; 0 where that cannot be found out.
int cposix_refuses_descriptors(int socket);

// struct cmsghdr and MSG_CTRUNC need recvmsg with a control buffer of length 0. Copies what waits on a socket to `buffer`
// without taking it from the queue, and stops after a message to which file descriptors are attached: `hasDescriptors` says
// so. Opens and closes no descriptor, and never blocks. Returns the number of bytes, 0 at the end, or -1 and errno.
ssize_t cposix_peek(int socket, void *buffer, size_t size, int *hasDescriptors);

// unshare is a GNU extension. Closes descriptors so that no close waits (SO_LINGER): a thread with a descriptor table of its
// own holds them while this one closes them, and drops them as it exits, when the kernel ignores SO_LINGER. Waits until
// that thread has gone. Sorts `descriptors`. Where unshare is forbidden, or `mayUnshare` is 0, closes them one after the
// other, and waits as long as the kernel does. Not for a thread that must not wait.
void cposix_close_without_linger(int *descriptors, size_t count, int mayUnshare);

// unshare is a GNU extension. Binds a Unix socket so that its file has the mode of the socket, whatever the umask: on a thread
// with a umask of its own, so that no other thread makes files without one meanwhile. Where unshare is forbidden, or no
// thread can be had, the umask of the process is 0 for the length of the call. 0, or -1 and errno.
int cposix_bind_without_umask(int socket, const struct sockaddr *address, socklen_t size);
