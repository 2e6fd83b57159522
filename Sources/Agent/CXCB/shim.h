// SPDX-License-Identifier: Apache-2.0

/// libxcb with the extensions RandR and XInput.
#pragma once

#include <stdlib.h>

#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/randr.h>
#include <xcb/xinput.h>

// The identifiers of extensions are global variables, which Swift refuses to read.
static inline const xcb_query_extension_reply_t *cxcb_randr(xcb_connection_t *connection) {
    return xcb_get_extension_data(connection, &xcb_randr_id);
}

static inline const xcb_query_extension_reply_t *cxcb_xinput(xcb_connection_t *connection) {
    return xcb_get_extension_data(connection, &xcb_input_id);
}

// The screen saver: one request and one event of it are used, which need no library.
static inline const xcb_query_extension_reply_t *cxcb_screen_saver(xcb_connection_t *connection, xcb_extension_t **extension) {
    static xcb_extension_t saver = {"MIT-SCREEN-SAVER", 0};
    if (extension) *extension = &saver;
    return xcb_get_extension_data(connection, &saver);
}

// Subscribes to its event, ScreenSaverNotify.
static inline void cxcb_select_screen_saver(xcb_connection_t *connection, xcb_window_t root) {
    struct { uint8_t major, minor; uint16_t length; uint32_t drawable, mask; } request = {.drawable = root, .mask = 1};
    // libxcb uses the two before it.
    struct iovec parts[3] = {[2] = {&request, sizeof request}};
    xcb_protocol_request_t protocol = {.count = 1, .opcode = 2, .isvoid = 1};
    cxcb_screen_saver(connection, &protocol.ext);
    xcb_send_request(connection, 0, parts + 2, &protocol);
}
