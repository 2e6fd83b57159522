// SPDX-License-Identifier: Apache-2.0
//
// The baseline for the memory of a daemon in Swift: a program that does nothing, linked as the daemon is. With the argument
// `context` it also loads libiio and opens the local context, as the daemon does when a sensor is needed.
import Glibc

final class State {
    var starts = 0
}

let state = State()
state.starts += 1
if CommandLine.arguments.contains("context") {
    typealias Create = @convention(c) () -> OpaquePointer?
    guard let library = dlopen("libiio.so.0", RTLD_LAZY | RTLD_LOCAL),
        let symbol = dlsym(library, "iio_create_local_context"),
        unsafeBitCast(symbol, to: Create.self)() != nil
    else { exit(1) }
}
while true { pause() }
