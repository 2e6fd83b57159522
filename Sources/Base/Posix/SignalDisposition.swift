// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package enum SignalDisposition {
    /// Returns whether the process ignores a signal, as SIGHUP under nohup(1).
    package static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // Swift cannot compare C function pointers.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
