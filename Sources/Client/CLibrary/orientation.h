/* SPDX-License-Identifier: Apache-2.0
 *
 * The orientation of the device, from orientationd or, without it, from iio-sensor-proxy.
 *
 * A handle belongs to one thread at a time. No function waits: the program watches orientation_fd() for reading in its main
 * loop, and calls orientation_process() when it is readable. See orientation(3).
 */
#ifndef ORIENTATION_H
#define ORIENTATION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct orientation;

/* UIKit's name for the edge that points up, which depends on the panel (see natural); or a face; or unknown. */
enum orientation_pose {
    ORIENTATION_UNKNOWN = 0,
    ORIENTATION_PORTRAIT = 1,
    ORIENTATION_PORTRAIT_UPSIDE_DOWN = 2,
    ORIENTATION_LANDSCAPE_LEFT = 3,
    ORIENTATION_LANDSCAPE_RIGHT = 4,
    ORIENTATION_FACE_UP = 5,
    ORIENTATION_FACE_DOWN = 6
};

/* An edge of the unrotated picture on the panel. */
enum orientation_edge {
    ORIENTATION_EDGE_UNKNOWN = 0,
    ORIENTATION_EDGE_TOP = 1,
    ORIENTATION_EDGE_LEFT = 2,
    ORIENTATION_EDGE_BOTTOM = 3,
    ORIENTATION_EDGE_RIGHT = 4
};

/* How the picture is drawn relative to the device, with UIKit's values. Content rotates against the device: while the device
 * is in landscape left, the upright interface is in landscape right. */
enum orientation_interface {
    ORIENTATION_INTERFACE_UNKNOWN = 0,
    ORIENTATION_INTERFACE_PORTRAIT = 1,
    ORIENTATION_INTERFACE_PORTRAIT_UPSIDE_DOWN = 2,
    ORIENTATION_INTERFACE_LANDSCAPE_RIGHT = 3,
    ORIENTATION_INTERFACE_LANDSCAPE_LEFT = 4
};

/* Sets of interface orientations: 1 << orientation, as UIKit's. */
enum orientation_interface_mask {
    ORIENTATION_INTERFACE_MASK_PORTRAIT = 1 << 1,
    ORIENTATION_INTERFACE_MASK_PORTRAIT_UPSIDE_DOWN = 1 << 2,
    ORIENTATION_INTERFACE_MASK_LANDSCAPE_RIGHT = 1 << 3,
    ORIENTATION_INTERFACE_MASK_LANDSCAPE_LEFT = 1 << 4,
    ORIENTATION_INTERFACE_MASK_LANDSCAPE = 24,
    ORIENTATION_INTERFACE_MASK_ALL = 30
};

/* What the result of orientation_process() contains. */
enum orientation_event {
    ORIENTATION_CHANGED = 1, /* orientation_state() has a new state */
    ORIENTATION_FAILED = 2   /* a requested lock or hold failed: orientation_error() has the reason */
};

/* Set size to sizeof(struct orientation_options), and everything else to 0 or a value. Other sizes are refused, except larger
 * ones of later versions. */
struct orientation_options {
    size_t size;
    const char *backend; /* varlink, sensorproxy, none or auto (0); $ORIENTATION_BACKEND overrides it */
    const char *socket;  /* the socket of the daemon, of any user; 0: $ORIENTATIOND_SOCKET or the standard sockets */
};

/* The state; set size to sizeof(struct orientation_state). Later versions append members, which older libraries set to 0.
 * Text ends with NUL, and is empty if unknown. In C++, write struct before this name and orientation_hold: functions too. */
struct orientation_state {
    size_t size;
    enum orientation_pose pose;     /* with iio-sensor-proxy unknown except for faces, as natural is: use edge */
    enum orientation_edge edge;     /* the edge that points up, or did last */
    enum orientation_pose natural;  /* the pose in which the display is not rotated: portrait or landscape left */
    int rotation;                   /* degrees by which the picture must be rotated on the panel, counter-clockwise:
                                     * 0, 90, 180, 270; -1: unknown, keep the picture as it is */
    int locked;                     /* the rotation lock: 1, 0; -1: unknown */
    enum orientation_edge locked_to;
    int tablet_mode;                /* 1, 0; -1: unknown: neither a switch nor a lid angle says it */
    int held;                       /* whether orientation_hold() applies: 1, 0; -1: no reply, or no hold */
    int failed;                     /* 1: the sensor failed, or none was found, and reason says why; 0; -1: unknown */
    int reserved;                   /* 0 */
    uint64_t sequence;              /* increases with every change, from 1; 0: nothing is known yet */
    int64_t timestamp;              /* CLOCK_BOOTTIME of the sample, in microseconds; 0: unknown */
    char backend[16];               /* the service: varlink (orientationd), sensorproxy or none */
    char sensor[128];               /* the id of the sensor */
    char reason[512];               /* why the pose is unknown, for the user */
    char hold_reason[512];          /* what the hold does, for the user */
};

/* What the display may show while the hold applies. Set size to sizeof(struct orientation_hold). */
struct orientation_hold {
    size_t size;
    const char *app_id;       /* the hold applies while a window of this app has the focus; 0: always */
    const char *orientations; /* words of W3C's Screen Orientation, separated by commas: portrait-primary, portrait-secondary,
                               * landscape-primary, landscape-secondary, portrait, landscape, natural or any; or the
                               * edge of the panel that is up: top, left, bottom, right */
    const char *preferred;    /* one of these words: the orientation at first; 0: the current one if it is allowed */
    int locked;               /* 1: keeps the orientation while the device is turned */
    int reserved;             /* 0: without it, a later member could be where older programs have padding */
};

/* Creates a handle in *result, which orientation_close() releases. options can be 0. Returns 0, or -EINVAL, -ENOMEM,
 * -EMFILE, -ENFILE with 0 in *result. Without a service it succeeds: orientation_process() searches for services. */
int orientation_open(const struct orientation_options *options, struct orientation **result);
/* Closes the descriptors and ends the hold. 0 is ignored. */
void orientation_close(struct orientation *handle);

/* Returns the descriptor to watch for reading, the same until orientation_close(). It is readable if and only if
 * orientation_process() has work: no timeout is needed. Do not read from it. */
int orientation_fd(const struct orientation *handle);
/* Does what is possible without waiting; can be called at any time. Returns a mask of enum orientation_event. */
unsigned orientation_process(struct orientation *handle);

/* Copies the state. Returns 0, or -EINVAL if size is not set. */
int orientation_state(const struct orientation *handle, struct orientation_state *state);
/* Returns why the last call with this handle, or the last requested lock or hold, failed; empty if none has. Valid until
 * the next call with the handle. */
const char *orientation_error(const struct orientation *handle);

/* Requests to turn the rotation lock on, at an edge or at the current one (ORIENTATION_EDGE_UNKNOWN), or off. It replaces an
 * earlier request without a reply. Returns 0, -EINVAL, -EAGAIN for an edge before the first state,
 * or -EOPNOTSUPP: iio-sensor-proxy has no lock. */
int orientation_set_lock(struct orientation *handle, int locked, enum orientation_edge edge);
/* Requests that the display has one of these orientations until the next call or orientation_close(); 0 ends the hold.
 * Returns 0 or -EINVAL. A lost hold is requested again. */
int orientation_hold(struct orientation *handle, const struct orientation_hold *hold);

/* Disconnects from the sensor, which is then off unless other programs use it, and connects again. The last state stays. */
void orientation_suspend(struct orientation *handle);
void orientation_resume(struct orientation *handle);

/* Returns the interface orientation that is upright in a pose; unknown for faces and other values. */
enum orientation_interface orientation_interface(enum orientation_pose pose);
/* Returns the name, for example landscapeLeft or top; unknown for other values. */
const char *orientation_pose_name(enum orientation_pose pose);
const char *orientation_edge_name(enum orientation_edge edge);

#ifdef __cplusplus
}
#endif

#endif
