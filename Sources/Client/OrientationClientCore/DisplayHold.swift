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

    private let handle: OpaquePointer
    private let receiver = Receiver()

    /// Creates a hold without connecting; `socketPath` is that of the daemon.
    package init(
        socketPath: String?, appID: String, orientations: String
    ) throws(OrientationServiceError) {
        var setup = orientation_setup()
        setup.daemon_only = true
        setup.context = Unmanaged.passUnretained(receiver).toOpaque()
        setup.update = { context, update in
            guard let context, let update else { return }
            Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().receive(update.pointee)
        }
        handle = try Library.open(socketPath) { place, handle in
            setup.socket = place
            return orientation_open_with(&setup, &handle)
        }
        // The sensor is not needed.
        orientation_suspend(handle)
        var hold = orientation_hold()
        hold.size = MemoryLayout.size(ofValue: hold)
        let result = Library.withText(appID) { appID in
            Library.withText(orientations) { orientations in
                hold.app_id = appID
                hold.orientations = orientations
                return orientation_hold(handle, &hold)
            }
        }
        guard result == 0 else { throw .notConnected(reason: String(cString: orientation_error(handle))) }
    }

    deinit {
        orientation_close(handle)
    }

    /// The descriptor to watch for reading.
    package var fileDescriptor: Int32 { orientation_fd(handle) }

    /// Connects and receives as far as possible without waiting; returns what is new.
    package func process() -> [Report] {
        _ = orientation_process(handle)
        defer { receiver.reports = [] }
        return receiver.reports
    }

    private final class Receiver {
        var reports: [Report] = []
        /// Why the newest reply is none: the reason of the loss that follows.
        private var replyError: OrientationServiceError?

        func receive(_ update: orientation_update) {
            let isByAgent = update.service == ORIENTATION_AGENT
            switch update.kind {
            case ORIENTATION_HOLD_REPLIED:
                do {
                    let reply = try Library.reply(update.reply, update.length).result.get()
                    reports.append(Report(isByAgent: isByAgent, result: .success(reply), needsPermission: false))
                } catch {
                    replyError = OrientationServiceError(error)
                }
            case ORIENTATION_HOLD_LOST:
                guard let failure = update.failure?.pointee else { return }
                let error = replyError ?? OrientationServiceError(failure)
                replyError = nil
                let isRefused = if case .permissionDenied = error { true } else { false }
                let needsPermission = isRefused || failure.error == EACCES
                reports.append(Report(isByAgent: isByAgent, result: .failure(error), needsPermission: needsPermission))
            default: break
            }
        }
    }
}
