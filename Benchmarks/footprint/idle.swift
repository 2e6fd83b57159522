// SPDX-License-Identifier: Apache-2.0
//
// The baseline for the memory of a daemon in Swift: a program that does nothing, linked as the daemon is. With the argument
// `context` it also loads libiio and opens the local context, as the daemon does to capture; with `unloaded` it closes and
// unloads both again, as the daemon does to poll.
import Glibc

final class State {
    var starts = 0
}

let state = State()
state.starts += 1
let mode = CommandLine.arguments.dropFirst().first
if mode != nil {
    typealias Create = @convention(c) () -> OpaquePointer?
    typealias Destroy = @convention(c) (OpaquePointer) -> Void
    guard let library = dlopen("libiio.so.0", RTLD_LAZY | RTLD_LOCAL),
        let create = dlsym(library, "iio_create_local_context"), let destroy = dlsym(library, "iio_context_destroy"),
        let context = unsafeBitCast(create, to: Create.self)()
    else { exit(1) }
    if mode == "unloaded" {
        unsafeBitCast(destroy, to: Destroy.self)(context)
        dlclose(library)
    }
}
while true { pause() }
