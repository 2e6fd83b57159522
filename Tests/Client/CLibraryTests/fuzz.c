// SPDX-License-Identifier: Apache-2.0
// Fuzzes both readers with libFuzzer: replies of a Varlink service, to the state, a lock and a hold; properties of the bus.
// The first byte of the input chooses.
#define _GNU_SOURCE
#include <assert.h>
#include <sys/socket.h>

#include "../../../Sources/Client/CLibrary/call.c"
#include "../../../Sources/Client/CLibrary/follow.c"
#include "../../../Sources/Client/CLibrary/handle.c"
#include "../../../Sources/Client/CLibrary/hold.c"
#include "../../../Sources/Client/CLibrary/text.c"
#include "../../../Sources/Client/CLibrary/varlink.c"
#include "../../../Sources/Client/CLibrary/sensorproxy.c"

static void check(const struct orientation *handle) {
    struct orientation_state state = {.size = sizeof state};
    assert(orientation_state(handle, &state) == 0);
    assert(state.rotation >= -1 && state.rotation <= 270 && state.rotation % 90 <= 0);
    assert((size_t)state.pose <= ORIENTATION_FACE_DOWN && (size_t)state.edge <= ORIENTATION_EDGE_RIGHT);
    assert(strlen(state.reason) < sizeof state.reason && strlen(state.hold_reason) < sizeof state.hold_reason);
    assert(strlen(handle->failures) < SENTENCE && strlen(handle->error) < SENTENCE);
}

// Gives the bytes to one of the calls, as if the service had sent them and closed the connection.
static void receive_bytes(struct orientation *handle, struct orientation_call *call, const uint8_t *data, size_t size) {
    int pair[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
    assert(write(pair[1], data, size) == (ssize_t)size);
    close(pair[1]);
    call->text = "";
    call->phase = RECEIVING;
    call->deadline = NEVER;
    call->fd = pair[0];
    orientation_watch(handle->epoll, call->fd, EPOLLIN);
}

// Builds a dictionary of properties from the bytes.
static void read_message(struct orientation *handle, const uint8_t *data, size_t size) {
    static sd_bus *bus;
    static const char *const keys[] = {"HasAccelerometer", "AccelerometerOrientation", "AccelerometerTilt", "Other"};
    static const char *const words[] = {"normal", "left-up", "face-up", "undefined", "", "x"};
    if (!bus) {
        int pair[2];
        assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
        assert(sd_bus_new(&bus) >= 0 && sd_bus_set_fd(bus, pair[0], pair[0]) >= 0 && sd_bus_start(bus) >= 0);
    }
    sd_bus_message *message;
    assert(sd_bus_message_new_signal(bus, &message, PATH, PROPERTIES, "PropertiesChanged") >= 0);
    bool is_dictionary = size && data[0] & 1;
    if (size > 1 && data[0] & 2) sd_bus_message_append(message, "s", data[1] & 1 ? NAME : "a.b");
    sd_bus_message_open_container(message, 'a', is_dictionary ? "{sv}" : "{ss}");
    for (size_t i = 1; i + 2 < size; i += 3) {
        const char *key = keys[data[i] % 4], *word = words[data[i + 2] % 6];
        if (!is_dictionary) sd_bus_message_append(message, "{ss}", key, word);
        else if (data[i + 1] % 4 == 0) sd_bus_message_append(message, "{sv}", key, "s", word);
        else if (data[i + 1] % 4 == 1) sd_bus_message_append(message, "{sv}", key, "b", data[i + 2] & 1);
        else if (data[i + 1] % 4 == 2) sd_bus_message_append(message, "{sv}", key, "as", 1, word);
        else sd_bus_message_append(message, "{sv}", key, "v", "s", word);
    }
    sd_bus_message_close_container(message);
    assert(sd_bus_message_seal(message, 1, 0) >= 0 && sd_bus_message_rewind(message, 1) >= 0);
    struct orientation_state state;
    handle->bus = calloc(1, sizeof *handle->bus);
    received(message, handle->bus, NULL);
    make_state(handle->bus, &state);
    publish(handle, "sensorproxy", &state);
    sd_bus_message_unref(message);
    close_bus(handle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    struct orientation *handle;
    struct orientation_options options = {.size = sizeof options, .backend = "varlink", .socket = "/nonexistent"};
    assert(orientation_open(&options, &handle) == 0);
    int kind = data[0] % 4;
    data++, size--;
    if (kind == 0) {
        orientation_follow(&handle->follower, TIME_PASSED, orientation_now());
        receive_bytes(handle, &handle->monitor, data, size);
    } else if (kind == 1) {
        receive_bytes(handle, &handle->request, data, size);
    } else if (kind == 2) {
        orientation_hold(handle, &(struct orientation_hold){.size = sizeof(struct orientation_hold), .orientations = "any"});
        handle->holder.follower.phase = TRYING;
        receive_bytes(handle, &handle->holder.call, data, size);
    } else {
        read_message(handle, data, size);
    }
    for (int i = 0; i < 3; i++) orientation_process(handle);
    check(handle);
    orientation_close(handle);
    return 0;
}
