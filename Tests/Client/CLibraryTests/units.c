// SPDX-License-Identifier: Apache-2.0
// Tables of what the library decides without I/O: the rule of SocketPath, the delays, and text from outside.
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <sys/wait.h>

// Without the bus.
#include "../../../Sources/Client/CLibrary/calls.c"
#define fail fail_core
#include "../../../Sources/Client/CLibrary/core.c"
#include "../../../Sources/Client/CLibrary/stream.c"
#define process process_varlink
#define deadline deadline_varlink
#include "../../../Sources/Client/CLibrary/varlink.c"

static bool trusts(int trust, uid_t user, uid_t own, int owner) {
    struct endpoint endpoint = {.path = "/run/a"};
    endpoint.trust = trust;
    uid_t folder = (uid_t)owner;
    return orientation_trusts(&endpoint, user, own, owner < 0 ? NULL : &folder);
}

int main(void) {
    // The system's socket is trusted from root and the owner of its folder.
    assert(trusts(TRUST_FOLDER_OWNER, 0, 1000, 0) && trusts(TRUST_FOLDER_OWNER, 0, 1000, 900));
    assert(trusts(TRUST_FOLDER_OWNER, 900, 1000, 900) && !trusts(TRUST_FOLDER_OWNER, 900, 1000, 0));
    assert(!trusts(TRUST_FOLDER_OWNER, 1000, 1000, 0) && !trusts(TRUST_FOLDER_OWNER, 1001, 1000, -1));
    assert(trusts(TRUST_FOLDER_OWNER, 65534, 1000, 65534));
    // A user's socket is trusted from that user and root.
    assert(trusts(TRUST_OWN_USER, 1, 1, 1) && trusts(TRUST_OWN_USER, 0, 1, 1) && trusts(TRUST_OWN_USER, 0, 0, 1));
    assert(!trusts(TRUST_OWN_USER, 1, 0, 1) && !trusts(TRUST_OWN_USER, 2, 1, 1));
    assert(!trusts(TRUST_OWN_USER, 65534, 65534, 1));
    // An explicit path is trusted from any user.
    assert(trusts(TRUST_ANY, 2, 1, 0));

    // The delays double from 50 to 400 ms, less a quarter; after a long outage they are at most 10 s.
    struct backoff backoff = {0};
    int64_t full[] = {50, 100, 200, 400, 400};
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        int64_t delay = orientation_backoff(&backoff);
        assert(delay <= full[i] && delay >= full[i] * 3 / 4);
    }
    for (int i = 0; i < 1000; i++) {
        int64_t longest = backoff.outage / 64 > 400 ? backoff.outage / 64 : 400, delay = orientation_backoff(&backoff);
        assert(delay <= (longest < 10000 ? longest : 10000) && delay > 0);
    }
    assert(backoff.delay == 10000);

    // Text is shortened to whole characters, and has no control characters.
    char text[8];
    struct orientation *handle;
    orientation_copy_text(text, sizeof text, "a\n\x7f\xc2\x9b.");
    assert(strcmp(text, "a    .") == 0);
    orientation_copy_text(text, sizeof text, "abcde\xe2\x82\xac");
    assert(strcmp(text, "abcde") == 0);
    orientation_copy_text(text, sizeof text, "abcd\xe2\x82\xac!");
    assert(strcmp(text, "abcd\xe2\x82\xac") == 0);

    orientation_copy_text(text, sizeof text, "a\xe2\x82");
    assert(strcmp(text, "a") == 0);
    orientation_copy_text(text, sizeof text, "");
    assert(strcmp(text, "") == 0);

    // New members of the structures do not begin in padding, which programs leave uninitialized. In them, 0 has to be unknown.
    assert(sizeof(struct orientation_options) == offsetof(struct orientation_options, socket) + sizeof(char *));
    assert(sizeof(struct orientation_hold) == offsetof(struct orientation_hold, reserved) + sizeof(int));
    assert(sizeof(struct orientation_state) == offsetof(struct orientation_state, hold_reason) + SENTENCE);

    // A program that knows less of the state than the library, and one that knows more.
    unsigned char bytes[sizeof(struct orientation_state) + 8];
    struct orientation_state *state = (struct orientation_state *)bytes;
    assert(orientation_open(NULL, &handle) == 0);
    memset(bytes, 0xff, sizeof bytes);
    state->size = sizeof bytes;
    assert(orientation_state(handle, state) == 0 && bytes[sizeof bytes - 1] == 0 && state->rotation == -1);
    memset(bytes, 0xff, sizeof bytes);
    state->size = offsetof(struct orientation_state, rotation);
    assert(orientation_state(handle, state) == 0 && state->pose == ORIENTATION_UNKNOWN);
    assert(bytes[offsetof(struct orientation_state, rotation)] == 0xff);
    state->size = 0;
    assert(orientation_state(handle, state) == -EINVAL);
    struct orientation *none = handle;
    assert(orientation_open(&(struct orientation_options){.size = 0}, &none) == -EINVAL && !none);
    // An app ID that is not UTF-8, and a preferred orientation that is not supported.
    struct orientation_hold hold = {.size = sizeof hold, .supported = ORIENTATION_INTERFACE_LANDSCAPE, .app_id = "\xff"};
    assert(orientation_hold(handle, &hold) == -EINVAL && *orientation_error(handle));
    hold.app_id = NULL;
    hold.preferred = ORIENTATION_INTERFACE_PORTRAIT;
    assert(orientation_hold(handle, &hold) == -EINVAL);
    hold.preferred = ORIENTATION_INTERFACE_LANDSCAPE;
    assert(orientation_hold(handle, &hold) == -EINVAL);
    hold.preferred = ORIENTATION_INTERFACE_LANDSCAPE_LEFT;
    assert(orientation_hold(handle, &hold) == 0 && strstr(handle->hold_call, "\"preferred\":\"landscape-secondary\""));
    // A hold that replaces one in force is not in force before the reply.
    set_hold_state(handle, 1, "In force.");
    assert(orientation_hold(handle, &hold) == 0 && handle->state.held == -1 && !handle->state.hold_reason[0]);
    orientation_close(handle);
    orientation_close(NULL);

    // A child process that closes its copy of a handle does not change that of its parent.
    int pair[2];
    assert(orientation_open(NULL, &handle) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    handle->lock.fd = pair[0];
    assert(orientation_watch(handle, pair[0], EPOLLIN, true) == 0);
    pid_t child = fork();
    if (child == 0) {
        orientation_close(handle);
        _exit(0);
    }
    assert(waitpid(child, NULL, 0) == child && write(pair[1], "", 1) == 1);
    assert(poll(&(struct pollfd){.fd = orientation_fd(handle), .events = POLLIN}, 1, 0) == 1);
    orientation_close(handle);
    close(pair[1]);
    assert(strcmp(orientation_pose_name((enum orientation_pose)99), "unknown") == 0);
    assert(strcmp(orientation_edge_name((enum orientation_edge)-1), "unknown") == 0);
}
