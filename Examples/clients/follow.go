// SPDX-License-Identifier: Apache-2.0
// Follow the orientation in Go: go build -o follow follow.go && ./follow
//
// The library uses orientationd, or iio-sensor-proxy where it is missing; see orientation(3).
package main

// #cgo pkg-config: orientation
// #include <orientation.h>
// #include <poll.h>
import "C"

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	var handle *C.struct_orientation
	if result := C.orientation_open(nil, &handle); result < 0 {
		fmt.Fprintln(os.Stderr, "follow:", syscall.Errno(-result))
		os.Exit(1)
	}
	defer C.orientation_close(handle)
	file := C.struct_pollfd{fd: C.orientation_fd(handle), events: C.POLLIN}
	for {
		// The only call that waits.
		C.poll(&file, 1, -1)
		if C.orientation_process(handle)&C.ORIENTATION_CHANGED == 0 {
			continue
		}
		state := C.struct_orientation_state{}
		state.size = C.sizeof_struct_orientation_state
		C.orientation_state(handle, &state)
		if state.rotation < 0 {
			fmt.Printf("unknown: %s\n", C.GoString(&state.reason[0]))
		} else {
			edge := C.GoString(C.orientation_edge_name(state.edge))
			fmt.Printf("%s edge up, picture rotated by %d degrees\n", edge, state.rotation)
		}
	}
}
