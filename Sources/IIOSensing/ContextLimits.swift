// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Synchronization

/// Limits for parsing the description of a context.
///
/// libiio parses the description as XML with libxml2 and requests validation: libxml2 then fetches external entities over
/// HTTP and from files. Another machine sends the description of a network context. Therefore external entities are
/// disabled and memory is limited where it is allocated: in libiio, whose buffer has the length that the board announces,
/// and in libxml2, whose tree is many times larger than the text.
enum ContextLimits {
    /// The longest description, in bytes. The largest boards, with hundreds of channels, send some 200 KiB.
    static let text = 4 << 20
    /// The most memory of libxml2, in bytes: the text, and its tree of about ten times the size for such a board.
    static let tree = 32 << 20
    /// The most that the process's data may grow while a context is opened, in bytes: text and tree, libiio's objects,
    /// and the allocations of other threads meanwhile. A failed allocation ends the process: clients must not reach this,
    /// and can make the event loop hold 16 MiB of messages, in buffers that can be twice as large.
    static let growth = 96 << 20

    /// Whether libxml2 has reached a limit since the last ``open(_:)`` began.
    static var wasExceeded: Bool { exceeded.load(ordering: .relaxed) }

    /// Calls a function that opens a remote context, under the limits.
    ///
    /// - Returns: nil if no limit can be set, because libxml2 is not loaded or has been used before.
    static func open(_ call: () -> OpaquePointer?) -> OpaquePointer?? {
        guard isPrepared else { return nil }
        exceeded.store(false, ordering: .relaxed)
        return .some(withLimitedData(call))
    }

    /// Prepares libxml2 once, before its first use. The functions are looked up in the library that libiio has loaded:
    /// this module is not linked with libxml2.
    private static let isPrepared: Bool = {
        typealias Loader =
            @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?, OpaquePointer?) -> OpaquePointer?
        typealias SetLoader = @convention(c) (Loader) -> Void
        typealias Allocate = @convention(c) (Int) -> UnsafeMutableRawPointer?
        typealias Reallocate = @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
        typealias Copy = @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?
        typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
        typealias SetMemory = @convention(c) (Free, Allocate, Reallocate, Copy) -> Int32

        // Keep libxml2 loaded: after its first use it runs code at the exit of each thread. Its settings stay, too.
        let library = dlopen("libiio.so.0", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)
        guard let library, let setLoader = dlsym(library, "xmlSetExternalEntityLoader"),
            let setMemory = dlsym(library, "xmlMemSetup")
        else { return false }
        // Before any other call: memory from one allocator must not be freed by another.
        guard unsafeBitCast(setMemory, to: SetMemory.self)(release, allocate, reallocate, copy) == 0 else {
            return false
        }
        unsafeBitCast(setLoader, to: SetLoader.self)({ _, _, _ in nil })
        return true
    }()

    /// Lowers the soft limit of the process's data to its current size plus ``growth`` during the call.
    private static func withLimitedData<Result>(_ call: () -> Result) -> Result {
        let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
        var former = rlimit()
        guard getrlimit(resource, &former) == 0, let held = dataBytes else { return call() }
        var limited = former
        limited.rlim_cur = min(former.rlim_cur, rlim_t(held + growth))
        setrlimit(resource, &limited)
        defer { setrlimit(resource, &former) }
        return call()
    }

    /// The size of the process's data and stack in bytes: the sixth number of statm, in pages.
    private static var dataBytes: Int? {
        let descriptor = Glibc.open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            let numbers = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
            return numbers.count > 5 ? Int(numbers[5]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
        }
    }
}

// MARK: libxml2's memory

/// The memory that libxml2 has allocated, in bytes.
private let held = Atomic(0)
private let exceeded = Atomic(false)

/// Returns whether the limits permit an allocation. No single one may exceed the longest description: libxml2 first
/// copies the text, and so rejects a longer one before it parses anything.
private func reserve(_ count: Int, instead former: Int = 0) -> Bool {
    let isAllowed =
        count <= ContextLimits.text + 4_096 && held.load(ordering: .relaxed) - former + count <= ContextLimits.tree
    if !isAllowed { exceeded.store(true, ordering: .relaxed) }
    return isAllowed
}

private func counted(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    held.add(malloc_usable_size(memory), ordering: .relaxed)
    return memory
}

private func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    reserve(count) ? IIOSensing.counted(malloc(count)) : nil
}

private func reallocate(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
    let former = malloc_usable_size(memory)
    guard reserve(count, instead: former), let moved = realloc(memory, count) else { return nil }
    held.subtract(former, ordering: .relaxed)
    return IIOSensing.counted(moved)
}

private func copy(_ text: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    guard let text, reserve(strlen(text) + 1) else { return nil }
    return IIOSensing.counted(UnsafeMutableRawPointer(strdup(text)))?.assumingMemoryBound(to: CChar.self)
}

private func release(_ memory: UnsafeMutableRawPointer?) {
    held.subtract(malloc_usable_size(memory), ordering: .relaxed)
    free(memory)
}
