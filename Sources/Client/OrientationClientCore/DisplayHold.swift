// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import Glibc
package import Varlink

/// A request for orientations of the display while the object exists, for any main loop: to the session agent, else to the
/// daemon, which serves desktops that rotate themselves. It is repeated when a service restarts or starts later.
package final class DisplayHold {
    /// What a service replied, or why it does not hold.
    package struct Report {
        package let isByAgent: Bool
        package let result: Result<JSONObject, OrientationServiceError>
        /// Whether another user's rights are needed: to connect, or for the call.
        package let needsPermission: Bool
    }

    private let handle: LibraryHandle

    /// Creates a hold without connecting; `socketPath` is that of the daemon.
    package init(
        socketPath: String?, appID: String, orientations: String
    ) throws(OrientationServiceError) {
        var setup = orientation_setup()
        setup.daemon_only = true
        handle = try LibraryHandle(at: socketPath, setup)
        // The sensor is not needed.
        orientation_suspend(handle.pointer)
        var hold = orientation_hold()
        hold.size = MemoryLayout.size(ofValue: hold)
        let result = Library.withText(appID) { appID in
            Library.withText(orientations) { orientations in
                (hold.app_id, hold.orientations) = (appID, orientations)
                return orientation_hold(handle.pointer, &hold)
            }
        }
        guard result == 0 else { throw .notConnected(reason: String(cString: orientation_error(handle.pointer))) }
    }

    /// The descriptor to watch for reading.
    package var fileDescriptor: Int32 { handle.fileDescriptor }

    /// Connects and receives as far as possible without waiting; returns what is new.
    package func process() -> [Report] { handle.process().map(Report.init) }
}

extension DisplayHold.Report {
    fileprivate init(_ update: LibraryUpdate) {
        let isRefused = if case .permissionDenied? = update.error { true } else { false }
        self.init(
            isByAgent: update.isByAgent, result: update.error.map { .failure($0) } ?? .success(update.reply ?? [:]),
            needsPermission: isRefused || update.errno == EACCES)
    }
}
