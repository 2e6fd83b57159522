// SPDX-License-Identifier: Apache-2.0
//
// Sources: io_uring(7), io_uring_setup(2), io_uring_enter(2). liburing is not used: it would be loaded for two system calls.
#include "CPosix.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The process writes the tail of the submission queue and the head of the completion queue; the kernel writes the other ends.
struct cposix_send_ring {
    int descriptor;
    char *queues;
    size_t queuesSize;
    struct io_uring_sqe *entries;
    size_t entriesSize;
    // Pointers into the queues.
    unsigned *submissionTail, submissionMask, *submissions;
    unsigned *completionHead, *completionTail, completionMask;
    struct io_uring_cqe *completions;
};

static void *map(int descriptor, size_t size, off_t offset) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, offset);
}

// Maps the queues of a new ring. Returns 0, or -1 and errno.
static int map_ring(struct cposix_send_ring *ring, const struct io_uring_params *parameters) {
    const struct io_sqring_offsets *sq = &parameters->sq_off;
    const struct io_cqring_offsets *cq = &parameters->cq_off;
    size_t submissionsEnd = sq->array + parameters->sq_entries * sizeof(unsigned);
    size_t completionsEnd = cq->cqes + parameters->cq_entries * sizeof(struct io_uring_cqe);
    ring->queuesSize = submissionsEnd > completionsEnd ? submissionsEnd : completionsEnd;
    ring->entriesSize = parameters->sq_entries * sizeof(struct io_uring_sqe);
    ring->queues = map(ring->descriptor, ring->queuesSize, IORING_OFF_SQ_RING);
    ring->entries = map(ring->descriptor, ring->entriesSize, IORING_OFF_SQES);
    if (ring->queues == MAP_FAILED || ring->entries == MAP_FAILED)
        return -1;
    ring->submissionTail = (unsigned *)(ring->queues + sq->tail);
    ring->submissionMask = *(unsigned *)(ring->queues + sq->ring_mask);
    ring->submissions = (unsigned *)(ring->queues + sq->array);
    ring->completionHead = (unsigned *)(ring->queues + cq->head);
    ring->completionTail = (unsigned *)(ring->queues + cq->tail);
    ring->completionMask = *(unsigned *)(ring->queues + cq->ring_mask);
    ring->completions = (struct io_uring_cqe *)(ring->queues + cq->cqes);
    return 0;
}

struct cposix_send_ring *cposix_send_ring_create(unsigned capacity) {
    struct cposix_send_ring *ring = malloc(sizeof *ring);
    if (!ring)
        return NULL;
    *ring = (struct cposix_send_ring){.queues = MAP_FAILED, .entries = MAP_FAILED};
    struct io_uring_params parameters = {0};
    ring->descriptor = (int)syscall(SYS_io_uring_setup, capacity, &parameters);
    // IORING_FEAT_FAST_POLL (5.7) implies IORING_OP_SEND and one mapping for both queues.
    if (ring->descriptor >= 0 && !(parameters.features & IORING_FEAT_FAST_POLL))
        errno = ENOSYS;
    else if (ring->descriptor >= 0 && map_ring(ring, &parameters) == 0)
        return ring;
    int failure = errno;
    cposix_send_ring_destroy(ring);
    errno = failure;
    return NULL;
}

void cposix_send_ring_destroy(struct cposix_send_ring *ring) {
    if (ring->queues != MAP_FAILED)
        munmap(ring->queues, ring->queuesSize);
    if (ring->entries != MAP_FAILED)
        munmap(ring->entries, ring->entriesSize);
    if (ring->descriptor >= 0)
        close(ring->descriptor);
    free(ring);
}

int cposix_send_ring_descriptor(const struct cposix_send_ring *ring) {
    return ring->descriptor;
}

// Moves the completions of the last call to `results`; returns their number.
static size_t take_completions(struct cposix_send_ring *ring, int *results) {
    unsigned head = *ring->completionHead, tail = __atomic_load_n(ring->completionTail, __ATOMIC_ACQUIRE);
    size_t count = tail - head;
    for (; head != tail; head++) {
        const struct io_uring_cqe *completion = &ring->completions[head & ring->completionMask];
        results[completion->user_data] = completion->res;
    }
    __atomic_store_n(ring->completionHead, head, __ATOMIC_RELEASE);
    return count;
}

size_t cposix_send_ring_send(
    struct cposix_send_ring *ring, const int *sockets, size_t count, const void *bytes, size_t size, int *results,
    bool *hasFailed) {
    unsigned tail = *ring->submissionTail;
    for (size_t i = 0; i < count; i++, tail++) {
        unsigned place = tail & ring->submissionMask;
        // The kernel completes it before the call returns: with MSG_DONTWAIT, a full socket results in EAGAIN.
        ring->entries[place] = (struct io_uring_sqe){
            .opcode = IORING_OP_SEND,
            .fd = sockets[i],
            .addr = (uintptr_t)bytes,
            .len = (unsigned)size,
            .msg_flags = MSG_NOSIGNAL | MSG_DONTWAIT,
            .user_data = i,
        };
        ring->submissions[place] = place;
        // Replaced by the completion: without one, how much was sent would be unknown.
        results[i] = -EIO;
    }
    __atomic_store_n(ring->submissionTail, tail, __ATOMIC_RELEASE);
    long submitted = syscall(
        SYS_io_uring_enter, ring->descriptor, (unsigned)count, (unsigned)count, IORING_ENTER_GETEVENTS, NULL, (size_t)0);
    *hasFailed = take_completions(ring, results) < count;
    return submitted > 0 ? (size_t)submitted : 0;
}
