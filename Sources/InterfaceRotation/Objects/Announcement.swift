// SPDX-License-Identifier: Apache-2.0

/// Something that happens again and again, and anybody may hear of.
///
/// An observer is held weakly and is told through the closure's first argument, so that observing makes no retain
/// cycle. It may be removed at any time, in the middle of a delivery too.
@MainActor public final class Announcement<Value: Sendable> {
    private struct Entry {
        let number: Int
        weak var observer: AnyObject?
        let deliver: @MainActor (AnyObject, Value) -> Void
    }

    /// How many values an asynchronous reader that is late keeps; older ones are dropped, for a late reader wants
    /// to know how it is now.
    public static var bufferedValues: Int { 16 }

    private var entries: [Entry] = []
    private var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    private var nextNumber = 0

    init() {}

    isolated deinit {
        for stream in streams.values { stream.finish() }
    }

    /// Tells `observer` from now on, after those that were there before, until it is removed or gone.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, using body: @escaping @MainActor (Observer, Value) -> Void
    ) {
        nextNumber += 1
        entries.append(
            Entry(number: nextNumber, observer: observer) { anybody, value in
                if let observer = anybody as? Observer { body(observer, value) }
            })
    }

    /// Tells `observer` nothing more.
    public func removeObserver(_ observer: AnyObject) {
        entries.removeAll { $0.observer === observer }
    }

    /// What is announced from now on, one after another; the newest ``bufferedValues`` wait for a late reader.
    public var values: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(Self.bufferedValues))
        nextNumber += 1
        streams[nextNumber] = continuation
        return stream
    }

    /// Delivers to those that are registered now and still there when their turn comes.
    func post(_ value: Value) {
        entries.removeAll { $0.observer == nil }
        for entry in entries where entries.contains(where: { $0.number == entry.number }) {
            if let observer = entry.observer { entry.deliver(observer, value) }
        }
        for (number, stream) in streams {
            if case .terminated = stream.yield(value) { streams[number] = nil }
        }
    }
}
