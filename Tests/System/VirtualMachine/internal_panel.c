// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a compositor: the connectors of the virtual machine's display are those of internal panels. Desktops turn only
// these with the device.

// The first members of drmModeConnector of xf86drmMode.h.
struct connector {
    unsigned int identifier, encoder, type;
};

// DRM_MODE_CONNECTOR_eDP.
enum { INTERNAL = 14 };

void *dlsym(void *library, const char *name);

struct connector *drmModeGetConnector(int device, unsigned int identifier) {
    // RTLD_NEXT: the function of libdrm.
    struct connector *(*original)(int, unsigned int) = dlsym((void *)-1L, "drmModeGetConnector");
    struct connector *connector = original(device, identifier);
    if (connector) connector->type = INTERNAL;
    return connector;
}
