// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

struct request {
    int socket;
    const struct sockaddr *address;
    socklen_t size;
    // 0, or errno.
    int error;
};

// If unshare fails, the umask belongs to the process: one thread at a time changes it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bind_without_umask(void *argument) {
    struct request *request = argument;
    pthread_mutex_lock(&lock);
    mode_t mask = umask(0);
    request->error = bind(request->socket, request->address, request->size) < 0 ? errno : 0;
    umask(mask);
    pthread_mutex_unlock(&lock);
    return NULL;
}

// On a thread of its own, because unshare cannot be undone: the calling thread would no longer share the umask and the
// working directory with the others.
static void *bind_unshared(void *argument) {
    unshare(CLONE_FS);
    return bind_without_umask(argument);
}

int cposix_bind_without_umask(int socket, const struct sockaddr *address, socklen_t size) {
    struct request request = {.socket = socket, .address = address, .size = size};
    pthread_t thread;
    if (pthread_create(&thread, NULL, bind_unshared, &request) == 0)
        pthread_join(thread, NULL);
    else
        bind_without_umask(&request);
    errno = request.error;
    return request.error ? -1 : 0;
}
