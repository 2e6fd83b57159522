// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The observers of an event.
///
/// An observer is held weakly and passed to the closure as its first argument, which avoids retain cycles. It can be
/// removed at any time, also while observers are called.
@MainActor public final class Observers<Value: Sendable> {
    private final class Entry {
        private(set) weak var observer: AnyObject?
        /// Nil once the observer is removed: the closure is released at once, with what it captures.
        var deliver: (@MainActor (AnyObject, Value) -> Void)?

        init(_ observer: AnyObject, _ deliver: @escaping @MainActor (AnyObject, Value) -> Void) {
            self.observer = observer
            self.deliver = deliver
        }
    }

    /// The number of values that an asynchronous sequence buffers for a slow reader. Older values are dropped: a slow
    /// reader needs the newest state.
    public static var bufferedValues: Int { 16 }

    /// In the order of registration.
    private var entries: [Entry] = []
    private var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    private var nextNumber = 0

    /// Creates an event of the program's own.
    public init() {}

    isolated deinit {
        for stream in streams.values { stream.finish() }
    }

    /// Adds an observer, which is called after the earlier ones until it is removed or deallocated.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, using body: @escaping @MainActor (Observer, Value) -> Void
    ) {
        entries.append(
            Entry(observer) { object, value in
                if let observer = object as? Observer { body(observer, value) }
            })
    }

    /// Removes an observer.
    public func removeObserver(_ observer: AnyObject) {
        // In its own deinit, the observer is nil here.
        for entry in entries where entry.observer == nil || entry.observer === observer { entry.deliver = nil }
        entries.removeAll { $0.deliver == nil }
    }

    /// The values from now on as an asynchronous sequence that buffers the newest ``bufferedValues``.
    public var values: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(Self.bufferedValues))
        nextNumber += 1
        streams[nextNumber] = continuation
        return stream
    }

    /// Calls the observers that are registered now, except those that are removed before they are called.
    public func post(_ value: Value) {
        entries.removeAll { $0.observer == nil }
        for entry in entries {
            if let observer = entry.observer { entry.deliver?(observer, value) }
        }
        for (number, stream) in streams {
            if case .terminated = stream.yield(value) { streams[number] = nil }
        }
    }
}

/// The destination of warnings when the program has set no handler.
package enum StandardError {
    /// Writes one line. A failed write is ignored: it cannot be reported.
    package static func write(_ line: String) {
        let bytes = Array("InterfaceRotation: \(line)\n".utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }
}
