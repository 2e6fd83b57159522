// SPDX-License-Identifier: Apache-2.0

// Functions that Swift's Glibc module lacks, each with the reason.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

// getopt_long: not part of Swift's Glibc module.
#include <getopt.h>

// malloc_trim, mallopt: not part of Swift's Glibc module.
#include <malloc.h>

// epoll: not part of Swift's Glibc module.
#include <sys/epoll.h>

// eventfd: not part of Swift's Glibc module.
#include <sys/eventfd.h>

// timerfd: not part of Swift's Glibc module.
#include <sys/timerfd.h>

// getopt_long returns values in mutable globals, which Swift 6 does not permit to access. cposix_optarg returns the
// argument of the current option, or NULL; cposix_optind the index of the first operand, once getopt_long has returned
// -1; cposix_optopt the character or the value of the refused option, 0 for an unknown long one; cposix_getopt_restart
// resets the parser.
const char *cposix_optarg(void);
int cposix_optind(void);
int cposix_optopt(void);
void cposix_getopt_restart(void);

// Swift reads the command line from /proc; glibc passes it to constructors. Returns the arguments of this process, and
// their number.
char **cposix_arguments(int *argc);

// accept4 is a GNU extension, and Swift's Glibc is imported without _GNU_SOURCE. Accepts a connection with
// SOCK_NONBLOCK and SOCK_CLOEXEC. Returns the descriptor, or -1 and errno.
int cposix_accept_nonblocking(int listener);

// ioctl is variadic. Returns the memory of the sent data that the peer of a Unix socket has not read, in bytes; 0 if none,
// and on failure.
size_t cposix_unread_by_peer(int socket);

// struct ucred requires _GNU_SOURCE too. Reads the credentials of the peer at the time of its connection. Returns 0, or
// -1 and errno.
int cposix_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

// SO_PEERGROUPS comes from a kernel header that the module map does not cover. `count` is the capacity of `groups`, and
// on return the number of groups. Returns 0, or -1 and errno: ERANGE if the capacity is too small.
int cposix_peer_groups(int socket, gid_t *groups, size_t *count);

// fopencookie is a GNU extension, and `stderr` is a mutable global. Redirects stdio's stderr to `write`, line by line;
// writes to descriptor 2 are not affected. `write` returns the number of bytes, which must be all of them. Returns 0,
// or -1 and errno.
int cposix_capture_stderr(ssize_t (*write)(void *cookie, const char *text, size_t count));

// SO_PASSRIGHTS (Linux 6.16) is newer than the C library's headers. Makes the kernel reject file descriptors
// (SCM_RIGHTS) that a peer sends to this socket, with EPERM for the sender. Later connections of a listener inherit the
// option. Returns 0, or -1 and errno: ENOPROTOOPT on older kernels.
int cposix_refuse_descriptors(int socket);

// Returns 1 if the kernel rejects file descriptors sent to this socket, 0 if it does not or the option is unknown.
int cposix_refuses_descriptors(int socket);

// struct cmsghdr and MSG_CTRUNC require recvmsg with a control buffer of length 0. Copies queued bytes to `buffer`
// without removing them, at most up to a message with file descriptors, which sets `hasDescriptors`. Opens and closes
// no descriptor, and never blocks. Returns the number of bytes, 0 at end of file, or -1 and errno.
ssize_t cposix_peek(int socket, void *buffer, size_t size, int *hasDescriptors);

// Closes all descriptors except `kept`, which are in ascending order: copies of other files in a child process would delay the
// release of their locks and their end of file.
void cposix_close_others(const int *kept, size_t count);

// Closes descriptors without blocking on SO_LINGER: a process holds copies while the originals are closed, and drops the
// copies on exit, when the kernel ignores SO_LINGER. Returns after that process has exited. Sorts `descriptors`. If the
// process cannot be created, or `mayCopy` is 0, closes them one by one, and may block. Not for the event loop's thread.
void cposix_close_without_linger(int *descriptors, size_t count, int mayCopy);

// ioctl is variadic, and IIO_GET_EVENT_FD_IOCTL is a C macro. Returns a nonblocking descriptor with the events of the IIO
// device whose node is `node`, or -1 and errno: EBUSY if another process has it, ENODEV without events.
int cposix_iio_event_descriptor(int node);

// unshare is a GNU extension. Binds a Unix socket whose file gets the mode of the socket, independently of the umask:
// on a thread with its own umask: files created by other threads are not affected. If unshare or the creation
// of the thread fails, the umask of the process is 0 during the call. Returns 0, or -1 and errno.
int cposix_bind_without_umask(int socket, const struct sockaddr *address, socklen_t size);

// pthread_setname_np is a GNU extension. Names the calling thread for `top -H` and debuggers. Has no effect if the name has
// more than 15 bytes.
void cposix_name_thread(const char *name);

// struct sockaddr_qrtr comes from a kernel header that the module map does not cover. Opens a nonblocking datagram socket of
// AF_QIPCRTR, and returns the node of this machine. Returns the descriptor, or -1 and errno: EAFNOSUPPORT without the module.
int cposix_qrtr_open(uint32_t *node);

// sendto and recvfrom with addresses of AF_QIPCRTR; neither blocks. The kernel does not report that a datagram was longer than
// `size`. Each returns the number of bytes, or -1 and errno.
ssize_t cposix_qrtr_send(int socket, const void *bytes, size_t count, uint32_t node, uint32_t port);
ssize_t cposix_qrtr_receive(int socket, void *bytes, size_t size, uint32_t *node, uint32_t *port);
