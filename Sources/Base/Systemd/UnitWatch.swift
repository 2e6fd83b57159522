// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// Watches a systemd unit for start and stop.
///
/// Uses the links that systemd maintains for the journal in `/run/systemd/units` instead of D-Bus: a sandboxed service
/// can read them.
package final class UnitWatch {
    private let link: String
    private var source: OpaquePointer?
    private let handler: () -> Void

    /// The directory with a link for each running unit.
    private static let folder = "/run/systemd/units"

    /// Returns whether a unit runs, starts or stops; true if that cannot be read.
    package static func isRunning(_ unit: String) -> Bool {
        // lstat: the target of the link is an invocation id, not a file.
        var info = stat()
        return lstat("\(folder)/\(name(of: unit))", &info) == 0 || !Errno.current.isAbsence
    }

    /// Starts watching on `loop`; `handler` is called when `unit` may have started or stopped.
    package init(
        _ unit: String, on loop: EventLoop, handler: @escaping () -> Void
    ) throws(SystemError) {
        link = Self.name(of: unit)
        self.handler = handler
        let changes = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)
        // Unretained: the source never outlives this object, whose deinit removes it.
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        try check(
            sd_event_add_inotify(loop.handle, &source, Self.folder, changes, onChange, userdata),
            "watch for \(unit)")
    }

    deinit {
        _ = sd_event_source_disable_unref(source)
    }

    private static func name(of unit: String) -> String { "invocation:\(unit)" }

    fileprivate func linkChanged(_ name: String) {
        if name == link { handler() }
    }
}

private func onChange(
    _: OpaquePointer?, event: UnsafePointer<inotify_event>?, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    guard let userdata, let event, event.pointee.len > 0 else { return 0 }
    // The name follows the structure.
    let name = String(cString: UnsafeRawPointer(event + 1).assumingMemoryBound(to: CChar.self))
    Unmanaged<UnitWatch>.fromOpaque(userdata).takeUnretainedValue().linkChanged(name)
    return 0
}
