// SPDX-License-Identifier: Apache-2.0
// Requests and events go through wl_proxy_marshal_array_flags and wl_proxy_add_dispatcher, which Swift imports; the
// generated functions of wayland-client-protocol.h are variadic.
#include <wayland-client-core.h>
