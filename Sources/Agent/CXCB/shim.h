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
