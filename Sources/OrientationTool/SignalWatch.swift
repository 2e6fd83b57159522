// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The end of ``SignalPipe`` that handlers write to; set once, before the first handler is installed.
nonisolated(unsafe) private var signalPipeEnd: Int32 = -1

/// Hears a signal in place of what it does by itself.
///
/// A handler writes the signal's number into a pipe, and the main queue reads it. Dispatch's own signal sources would be
/// less to write, but they miss the signals that are ignored by default: a resized window and a child that ended.
@MainActor final class SignalWatch {
    private let signal: Int32

    init(_ signal: Int32, _ handler: @escaping @MainActor () -> Void) {
        self.signal = signal
        SignalPipe.shared.handlers[signal] = handler
        Self.install(signal) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipeEnd, &byte, 1)
            errno = before
        }
    }

    isolated deinit {
        SignalPipe.shared.handlers[signal] = nil
        Glibc.signal(signal, SIG_DFL)
    }

    /// The signals with which somebody ends a program, a second one of which ends it whatever it does.
    ///
    /// Who was started by nohup(1) goes on when the terminal goes.
    static func endings(_ handler: @escaping @MainActor () -> Void) -> [SignalWatch] {
        let signals = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
        return signals.map { signal in
            SignalWatch(signal) {
                for each in signals { Glibc.signal(each, SIG_DFL) }
                handler()
            }
        }
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // C compares these pointers; Swift compares no functions.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// System calls go on where they were interrupted.
    private static func install(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }
}

/// The way from a signal's handler, which may hardly do anything, to the main queue.
@MainActor private final class SignalPipe {
    static let shared = SignalPipe()

    var handlers: [Int32: @MainActor () -> Void] = [:]
    private let source: any DispatchSourceRead

    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("no pipe for signals: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe says all that there is to say.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipeEnd = ends[1]
        let reading = ends[0]
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.hear(reading) } }
        source.resume()
    }

    private func hear(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        for signal in Set(bytes.prefix(max(count, 0))) { handlers[Int32(signal)]?() }
    }
}
