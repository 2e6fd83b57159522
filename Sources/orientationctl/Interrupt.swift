// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Hears a signal in place of being ended by it, once: a second one ends a program that is stuck.
final class Interrupt {
    private let source: any DispatchSourceSignal

    init(_ signal: Int32, _ handler: @escaping @Sendable () -> Void) {
        Glibc.signal(signal, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: signal)
        source.setEventHandler {
            Glibc.signal(signal, SIG_DFL)
            handler()
        }
        source.resume()
    }
}
