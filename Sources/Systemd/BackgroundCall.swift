// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A blocking call on a separate thread, whose result is delivered on the loop. The loop never waits for it.
///
///     call = try BackgroundCall(on: loop) { fsync(file) } done: { result in … }
///
/// Releasing it before the result is delivered discards the result; the thread ends when the call returns. Each call
/// takes a thread and a descriptor: an owner makes one call at a time.
package final class BackgroundCall<Result: Sendable> {
    private let exchange: Exchange<Result>
    private var source: EventSource?

    /// Starts `work` on a new thread; `done` is called once, on the loop.
    package init(
        on loop: EventLoop, _ work: @escaping @Sendable () -> Result, done: @escaping (Result) -> Void
    ) throws(SystemError) {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        try check(descriptor < 0 ? -errno : 0, "make an eventfd")
        exchange = Exchange(descriptor, work)
        // The source owns the descriptor as well, so that it is closed after its removal from the loop: the next call
        // may get the same number.
        source = try loop.watch(descriptor, for: .read) { [unowned self, exchange] _ in
            source = nil
            if let result = exchange.take() { done(result) }
        }
        try check(-startThread(exchange), "start a thread")
    }

    /// Waits for the result, at most this many seconds; the loop delivers it. Returns false if the timeout passed. Use
    /// only before the loop runs.
    package func wait(seconds: Double) -> Bool {
        var watched = pollfd(fd: exchange.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, Int32(seconds * 1_000)) > 0
    }

    /// Waits for the result, at most this many seconds, and returns it; `done` is not called then.
    package func result(within seconds: Double) -> Result? {
        wait(seconds: seconds) ? exchange.take() : nil
    }
}

/// The state shared by the thread and the loop. Unchecked: the thread writes the result before it raises the eventfd,
/// and the loop reads it after it has read the eventfd.
private final class Exchange<Result: Sendable>: BackgroundWork, @unchecked Sendable {
    let descriptor: Int32
    private let work: @Sendable () -> Result
    private var result: Result?

    init(_ descriptor: Int32, _ work: @escaping @Sendable () -> Result) {
        self.descriptor = descriptor
        self.work = work
    }

    deinit {
        close(descriptor)
    }

    func run() {
        result = work()
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func take() -> Result? {
        var count: UInt64 = 0
        guard read(descriptor, &count, MemoryLayout<UInt64>.size) > 0 else { return nil }
        return result
    }
}

private protocol BackgroundWork: AnyObject, Sendable {
    func run()
}

private final class WorkBox: Sendable {
    let work: any BackgroundWork
    init(_ work: any BackgroundWork) { self.work = work }
}

/// Starts a detached thread for the work; returns 0 or an errno.
private func startThread(_ work: any BackgroundWork) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Detached: the thread may block forever and is never joined.
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals are delivered to the loop's thread: the new thread inherits a mask that blocks them all.
    var all = sigset_t()
    var former = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(WorkBox(work))
    let code = pthread_create(&thread, &attributes, runWork, argument.toOpaque())
    if code != 0 { argument.release() }
    return code
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<WorkBox>.fromOpaque(argument).takeRetainedValue().work.run()
    return nil
}
