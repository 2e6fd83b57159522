// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int cposix_accept_nonblocking(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

size_t cposix_unread_by_peer(int socket) {
    int bytes = 0;
    return ioctl(socket, SIOCOUTQ, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

int cposix_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
        return -1;
    *pid = credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

int cposix_peer_groups(int socket, gid_t *groups, size_t *count) {
    socklen_t size = (socklen_t)(*count * sizeof *groups);
    int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    *count = size / sizeof *groups;
    return result;
}
