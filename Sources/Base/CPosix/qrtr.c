// SPDX-License-Identifier: Apache-2.0
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifndef AF_QIPCRTR
#define AF_QIPCRTR 42
#endif

// As in linux/qrtr.h, which not every system has.
struct address {
    sa_family_t family;
    uint32_t node;
    uint32_t port;
};

int cposix_qrtr_open(uint32_t *node) {
    int descriptor = socket(AF_QIPCRTR, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return -1;
    struct address own = {0};
    socklen_t size = sizeof own;
    if (getsockname(descriptor, (struct sockaddr *)&own, &size) == 0) {
        *node = own.node;
        return descriptor;
    }
    int code = errno;
    close(descriptor);
    errno = code;
    return -1;
}

ssize_t cposix_qrtr_send(int socket, const void *bytes, size_t count, uint32_t node, uint32_t port) {
    struct address to = {.family = AF_QIPCRTR, .node = node, .port = port};
    return sendto(socket, bytes, count, MSG_DONTWAIT, (struct sockaddr *)&to, sizeof to);
}

ssize_t cposix_qrtr_receive(int socket, void *bytes, size_t size, uint32_t *node, uint32_t *port) {
    struct address from = {0};
    socklen_t length = sizeof from;
    ssize_t count = recvfrom(socket, bytes, size, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
    *node = from.node;
    *port = from.port;
    return count;
}
