// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A thread for calls that block. Never joined: it may hang in the kernel.
package enum DetachedThread {
    /// The size of a stack, in bytes. 2 MiB: the default would be the limit of the environment (RLIMIT_STACK), 8 MiB or
    /// unlimited; libiio, modules of the name service and drivers of displays need less than 1 MiB. Only used pages take memory.
    package static let stackSize = 2 << 20

    /// Starts a thread that runs `work` with all signals blocked: the program's main thread handles them. `name` is shown by
    /// `top -H` and debuggers; at most 15 bytes.
    ///
    /// - Throws: ``Errno`` if no thread can be created.
    package static func start(_ name: StaticString, _ work: @escaping @Sendable () -> Void) throws(Errno) {
        precondition(name.utf8CodeUnitCount <= 15, "the kernel rejects a longer name")
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        // The thread inherits the mask.
        var all = sigset_t()
        var former = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Work(name, work))
        let code = pthread_create(&thread, &attributes, run, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw Errno(code)
        }
    }
}

private final class Work: Sendable {
    let name: StaticString
    let body: @Sendable () -> Void

    init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
    cposix_name_thread(UnsafeRawPointer(work.name.utf8Start).assumingMemoryBound(to: CChar.self))
    work.body()
    return nil
}
