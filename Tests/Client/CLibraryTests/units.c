// SPDX-License-Identifier: Apache-2.0
// Tables of what the library decides without I/O: trusted users, what is followed, the delays, names, and text from outside.
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <poll.h>
#include <sys/wait.h>

// Without the bus.
#include "../../../Sources/Client/CLibrary/call.c"
#include "../../../Sources/Client/CLibrary/follow.c"
#include "../../../Sources/Client/CLibrary/handle.c"
#include "../../../Sources/Client/CLibrary/hold.c"
#include "../../../Sources/Client/CLibrary/text.c"
#include "../../../Sources/Client/CLibrary/varlink.c"

static bool trusts(int trust, uid_t user, uid_t own, int owner) {
    struct endpoint endpoint = {.path = "/run/a"};
    endpoint.trust = trust;
    uid_t folder = (uid_t)owner;
    return orientation_trusts(&endpoint, user, own, owner < 0 ? NULL : &folder);
}

// The follower: each row is an event at a time, its effect, the phase and the backend after it.
static void check_follower(void) {
    struct follower follower = {.phase = WAITING, .count = 2};
    const struct {
        enum follower_event event;
        int64_t now;
        enum follower_effect effect;
        unsigned phase;
        size_t attempt;
    } rows[] = {
        {TIME_PASSED, 0, CONNECT, TRYING, 0},
        {TIME_PASSED, 10, NOTHING, TRYING, 0},
        {BACKEND_IS_ABSENT, 10, CONNECT, TRYING, 1},
        {STATE_ARRIVED, 20, NOTHING, FOLLOWING, 1},
        {STATE_ARRIVED, 30, NOTHING, FOLLOWING, 1},
        // The daemon's socket appears; the daemon hangs, so that it is not tried again for 10 s.
        {FIRST_APPEARED, 2000, CONNECT, TRYING, 0},
        {BACKEND_FAILED, 7000, CONNECT, TRYING, 1},
        {STATE_ARRIVED, 7000, NOTHING, FOLLOWING, 1},
        {FIRST_APPEARED, 16999, NOTHING, FOLLOWING, 1},
        {FIRST_APPEARED, 17000, CONNECT, TRYING, 0},
        {STATE_ARRIVED, 17000, NOTHING, FOLLOWING, 0},
        // What was followed for a second is tried again at once, another one after a delay.
        {BACKEND_FAILED, 18000, CONNECT, TRYING, 0},
        {STATE_ARRIVED, 18000, NOTHING, FOLLOWING, 0},
        {BACKEND_FAILED, 18999, REPORT_OUTAGE, WAITING, 0},
        {BACKEND_FAILED, 18999, NOTHING, WAITING, 0},
        {TIME_PASSED, 18999, NOTHING, WAITING, 0},
        {TIME_PASSED, 19100, CONNECT, TRYING, 0},
        {BACKEND_FAILED, 19100, CONNECT, TRYING, 1},
        {BACKEND_FAILED, 19100, REPORT_OUTAGE, WAITING, 1},
        {SUSPEND, 19100, DISCONNECT, SUSPENDED, 1},
        {SUSPEND, 19100, NOTHING, SUSPENDED, 1},
        {TIME_PASSED, 99999, NOTHING, SUSPENDED, 1},
        {RESUME, 99999, NOTHING, WAITING, 1},
        {RESUME, 99999, NOTHING, WAITING, 1},
        {TIME_PASSED, 99999, CONNECT, TRYING, 0},
        {SUSPEND, 99999, DISCONNECT, SUSPENDED, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert(orientation_follow(&follower, rows[i].event, rows[i].now) == rows[i].effect);
        assert(follower.phase == rows[i].phase && follower.attempt == rows[i].attempt);
        assert((follower.deadline == NEVER) == (follower.phase == FOLLOWING || follower.phase == SUSPENDED));
    }
    // Of a hold, the daemon is asked only if no agent runs.
    struct follower holder = {.phase = WAITING, .count = 2, .keeps_first = true};
    assert(orientation_follow(&holder, TIME_PASSED, 0) == CONNECT);
    assert(orientation_follow(&holder, BACKEND_FAILED, 10) == REPORT_OUTAGE);
    assert(orientation_follow(&holder, TIME_PASSED, 1000) == CONNECT && holder.attempt == 0);
    assert(orientation_follow(&holder, BACKEND_IS_ABSENT, 1010) == CONNECT && holder.attempt == 1);
}

static void check_names(void) {
    // On a tall panel the left edge is up in landscape right, on a wide one in portrait.
    assert(orientation_edge_of(ORIENTATION_LANDSCAPE_RIGHT, ORIENTATION_PORTRAIT) == ORIENTATION_EDGE_LEFT);
    assert(orientation_edge_of(ORIENTATION_PORTRAIT, ORIENTATION_LANDSCAPE_LEFT) == ORIENTATION_EDGE_LEFT);
    assert(orientation_edge_of(ORIENTATION_FACE_UP, ORIENTATION_PORTRAIT) == ORIENTATION_EDGE_UNKNOWN);
    for (int pose = ORIENTATION_UNKNOWN; pose <= ORIENTATION_FACE_DOWN; pose++) {
        // The natural orientation has the top edge up.
        bool is_edge = pose >= ORIENTATION_PORTRAIT && pose <= ORIENTATION_LANDSCAPE_RIGHT;
        assert((int)orientation_edge_of((enum orientation_pose)pose, (enum orientation_pose)pose) == is_edge);
    }
    assert(orientation_interface(ORIENTATION_PORTRAIT) == ORIENTATION_INTERFACE_PORTRAIT);
    assert(orientation_interface(ORIENTATION_LANDSCAPE_LEFT) == ORIENTATION_INTERFACE_LANDSCAPE_RIGHT);
    assert(orientation_interface(ORIENTATION_LANDSCAPE_RIGHT) == ORIENTATION_INTERFACE_LANDSCAPE_LEFT);
    assert(orientation_interface(ORIENTATION_FACE_UP) == ORIENTATION_INTERFACE_UNKNOWN);
    assert(1 << ORIENTATION_INTERFACE_LANDSCAPE_LEFT == ORIENTATION_INTERFACE_MASK_LANDSCAPE_LEFT);
    assert(strcmp(orientation_pose_name((enum orientation_pose)99), "unknown") == 0);
    assert(strcmp(orientation_edge_name((enum orientation_edge)-1), "unknown") == 0);
}

// Returns the supported words of a hold's call, or null.
static const char *supported(const char *orientations, const char *preferred) {
    static char words[200];
    struct orientation_hold hold = {.orientations = orientations, .preferred = preferred};
    char *text = orientation_hold_text(&hold), *start = text ? strstr(text, "\"supported\":[") : NULL;
    if (start) snprintf(words, sizeof words, "%.*s", (int)(strchr(start, ']') - start - 13), start + 13);
    free(text);
    return start ? words : NULL;
}

static void check_holds(void) {
    assert(strcmp(supported("landscape", NULL), "\"landscape\"") == 0);
    assert(strcmp(supported("Portrait-Primary, natural", "NATURAL"), "\"portrait-primary\",\"natural\"") == 0);
    assert(strcmp(supported("left,BOTTOM", "bottom"), "\"left\",\"bottom\"") == 0);
    assert(!supported(NULL, NULL) && !supported("", NULL) && !supported("landscape,", NULL) && !supported(",", NULL));
    assert(!supported("landscapeLeft", NULL) && !supported("any", "up") && !supported("landscape-primary-", NULL));
    assert(!orientation_hold_text(&(struct orientation_hold){.orientations = "any", .app_id = "\xff"}));
}

int main(void) {
    check_follower();
    check_names();
    check_holds();
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
    assert(offsetof(struct orientation_state, sequence) == offsetof(struct orientation_state, reserved) + sizeof(int));
    // Stable: a new member comes at the end, and changes the size here.
    assert(sizeof(void *) != 8 || sizeof(struct orientation_options) == 24);
    assert(sizeof(void *) != 8 || sizeof(struct orientation_state) == 1232);
    assert(sizeof(void *) != 8 || sizeof(struct orientation_hold) == 40);

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
    // A size ends between members, after those of the first version.
    struct {
        struct orientation_options options;
        void *later;
    } newer = {.options.backend = "none"};
    struct {
        struct orientation_hold hold;
        void *later;
    } newer_hold = {.hold.orientations = "any"};
    for (size_t size = 0; size <= sizeof newer; size++) {
        bool is_valid = size == sizeof newer.options || size == sizeof newer;
        newer.options.size = size;
        assert(orientation_open(&newer.options, &none) == (is_valid ? 0 : -EINVAL));
        orientation_close(none);
    }
    for (size_t size = 0; size <= sizeof newer_hold; size++) {
        bool is_valid = size == sizeof newer_hold.hold || size == sizeof newer_hold;
        newer_hold.hold.size = size;
        assert(orientation_hold(handle, &newer_hold.hold) == (is_valid ? 0 : -EINVAL));
    }
    newer_hold.hold.reserved = 1;
    assert(orientation_hold(handle, &newer_hold.hold) == -EINVAL && strstr(orientation_error(handle), "reserved 0"));
    struct orientation_hold hold = {.size = sizeof hold, .orientations = "up"};
    assert(orientation_hold(handle, &hold) == -EINVAL && strstr(orientation_error(handle), "words separated by commas"));
    // A hold that replaces one in force is not in force before the reply.
    hold.orientations = "any";
    set_held(handle, 1, "In force.");
    assert(orientation_hold(handle, &hold) == 0 && handle->state.held == -1 && !handle->state.hold_reason[0]);
    // An edge has no name before a state.
    assert(orientation_set_lock(handle, 1, ORIENTATION_EDGE_TOP) == -EAGAIN);
    orientation_close(handle);
    orientation_close(NULL);

    // A service that fails, and again when it is tried at once, gives its reason once.
    struct orientation_options options = {.size = sizeof options, .backend = "varlink"};
    assert(orientation_open(&options, &handle) == 0);
    handle->follower.phase = FOLLOWING;
    handle->failures[0] = 0;
    for (int i = 0; i < 2; i++) fail(handle, &(struct orientation_failure){.service = "orientationd", .reason = "closed"});
    assert(handle->follower.phase == WAITING && strcmp(handle->state.reason, "orientationd: closed") == 0);
    orientation_close(handle);

    // A child process that closes its copy of a handle does not change that of its parent.
    int pair[2];
    assert(orientation_open(NULL, &handle) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    handle->request.fd = pair[0];
    handle->request.phase = RECEIVING;
    orientation_suspend(handle);
    assert(orientation_watch(handle->epoll, pair[0], EPOLLIN) == 0);
    pid_t child = fork();
    if (child == 0) {
        orientation_close(handle);
        _exit(0);
    }
    assert(waitpid(child, NULL, 0) == child && write(pair[1], "", 1) == 1);
    assert(poll(&(struct pollfd){.fd = orientation_fd(handle), .events = POLLIN}, 1, 0) == 1);
    orientation_close(handle);
    close(pair[1]);
}
