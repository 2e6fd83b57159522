// SPDX-License-Identifier: Apache-2.0
// Prints the sizes of the structures and the offsets of their members, as JSON: they are the same for ever, and the module for
// Python has its own table of them.
#include <orientation.h>
#include <stdio.h>

#define SIZE(type) printf("\"%s\":%zu,\n", #type, sizeof(struct orientation_##type))
#define MEMBER(type, member) printf("\"" #type "." #member "\":%zu,\n", offsetof(struct orientation_##type, member))

int main(void) {
    puts("{");
    SIZE(options);
    MEMBER(options, backend);
    MEMBER(options, socket);
    SIZE(state);
    MEMBER(state, pose);
    MEMBER(state, edge);
    MEMBER(state, natural);
    MEMBER(state, rotation);
    MEMBER(state, locked);
    MEMBER(state, locked_to);
    MEMBER(state, tablet_mode);
    MEMBER(state, held);
    MEMBER(state, failed);
    MEMBER(state, reserved);
    MEMBER(state, sequence);
    MEMBER(state, timestamp);
    MEMBER(state, backend);
    MEMBER(state, sensor);
    MEMBER(state, reason);
    MEMBER(state, hold_reason);
    SIZE(hold);
    MEMBER(hold, app_id);
    MEMBER(hold, orientations);
    MEMBER(hold, preferred);
    MEMBER(hold, locked);
    printf("\"hold.reserved\":%zu\n}\n", offsetof(struct orientation_hold, reserved));
}
