// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import OrientationClientCore
internal import OrientationModel
internal import Varlink

/// A connection of the synchronous core, which the closure keeps open.
struct ElementSource<Element: Sendable> {
    /// The descriptor to watch for reading.
    let fileDescriptor: Int32
    /// The number of elements to receive while no task waits for them.
    var backlog = 0
    /// Returns what has arrived, oldest first, or nothing; nil after the end.
    let receive: () throws -> [Element]?
}

/// States with the connection status, or the parameters of replies, as an asynchronous sequence. Each iterator has its own
/// connection, which the first `next()` opens.
public struct SubscriptionSequence<Element: Sendable>: AsyncSequence, Sendable {
    let open: @Sendable () throws -> ElementSource<Element>

    /// Creates an iterator with its own subscription.
    public func makeAsyncIterator() -> SubscriptionIterator<Element> { SubscriptionIterator(open) }
}

/// Delivers the elements of one subscription: states, updates, or the parameters of replies.
public struct SubscriptionIterator<Element: Sendable>: AsyncIteratorProtocol {
    private let subscription: Subscription<Element>

    init(_ open: @escaping @Sendable () throws -> ElementSource<Element>) { subscription = Subscription(open) }

    /// Returns the next element; nil after cancellation, and after the last reply. Switches from the caller's actor only to
    /// the library's queue, so that an app on the main actor starts no other threads.
    ///
    /// - Throws: ``OrientationServiceError``, once; nil follows.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
        try await subscription.next(isolation: actor)
    }
}

/// The queue of all connections of a process: each task takes microseconds, and a thousand monitors need one thread.
private let queue = DispatchQueue(label: "org.orientationd.client")

/// The elements of a source that is opened by the first ``next(isolation:)``; closes it on cancellation, and when it is
/// released.
///
/// While no task waits and the backlog is full, nothing is received: the socket fills, and the daemon skips to the newest
/// state.
///
/// Unchecked: the variables are accessed on ``queue`` only, and in `deinit`.
final class Subscription<Element: Sendable>: @unchecked Sendable {
    private enum Phase {
        case idle(@Sendable () throws -> ElementSource<Element>)
        case open(ElementSource<Element>, any DispatchSourceRead)
        /// Ended, with an error that the caller has not received yet.
        case ended((any Error)?)
    }

    private var phase: Phase
    private var received: ArraySlice<Element> = []
    private var waiting: CheckedContinuation<Element?, any Error>?
    /// Whether the dispatch source is not suspended.
    private var isWatching = false

    /// Creates a subscription without opening its source.
    init(_ open: @escaping @Sendable () throws -> ElementSource<Element>) {
        phase = .idle(open)
    }

    deinit {
        end(nil)
    }

    /// Returns the next element; nil after the end and after cancellation.
    ///
    /// - Throws: the error of the source, once.
    func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    self.waiting = continuation
                    self.serve()
                }
            }
        } onCancel: {
            queue.async {
                self.received = []
                self.end(nil)
                self.resume()
            }
        }
    }

    /// Receives, and resumes the waiting task with the next element, the error or the end, if there is one.
    private func serve() {
        do {
            if waiting != nil, case .idle(let open) = phase { try start(open()) }
            if case .open(let source, _) = phase, received.count < max(source.backlog, waiting == nil ? 0 : 1) {
                if let elements = try source.receive() { received += elements } else { end(nil) }
            }
        } catch {
            end(error)
        }
        resume()
        guard case .open(let source, _) = phase else { return }
        setWatching(received.count < max(source.backlog, waiting == nil ? 0 : 1))
    }

    private func resume() {
        guard let waiting else { return }
        if let element = received.popFirst() {
            self.waiting = nil
            waiting.resume(returning: element)
        } else if case .ended(let error) = phase {
            (self.waiting, phase) = (nil, .ended(nil))
            if let error { waiting.resume(throwing: error) } else { waiting.resume(returning: nil) }
        }
    }

    private func start(_ source: ElementSource<Element>) {
        let watch = DispatchSource.makeReadSource(fileDescriptor: source.fileDescriptor, queue: queue)
        watch.setEventHandler { [weak self] in self?.serve() }
        // The descriptor must stay open until the dispatch source is cancelled. Used on the queue only.
        nonisolated(unsafe) let source = source
        watch.setCancelHandler { withExtendedLifetime(source) {} }
        phase = .open(source, watch)
    }

    private func end(_ error: (any Error)?) {
        if case .ended = phase { return }
        if case .open(_, let watch) = phase {
            // Dispatch does not permit the release of a suspended source.
            if !isWatching { watch.resume() }
            watch.cancel()
        }
        phase = .ended(error)
    }

    private func setWatching(_ isOn: Bool) {
        guard case .open(_, let watch) = phase, isOn != isWatching else { return }
        isWatching = isOn
        guard isOn else { return watch.suspend() }
        watch.resume()
        // Under load a source may not report a peer that disconnected while it was suspended: check once.
        queue.async { [weak self] in self?.serve() }
    }
}

extension OrientationConnection {
    /// The updates for which `element` returns a value.
    func elements<Element>(_ element: @escaping (OrientationUpdate) -> Element?) -> ElementSource<Element> {
        let backlog = if case .all(let limit) = buffering { limit } else { 0 }
        return ElementSource(fileDescriptor: fileDescriptor, backlog: backlog) {
            try self.process().compactMap(element)
        }
    }
}

extension ServiceCall {
    var replies: ElementSource<JSONObject> {
        ElementSource(fileDescriptor: fileDescriptor) { self.hasEnded ? nil : try self.next().map { [$0] } ?? [] }
    }
}
