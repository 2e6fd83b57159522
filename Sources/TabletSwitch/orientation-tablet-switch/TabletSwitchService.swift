// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationClientCore
import OrientationModel
import Posix
import Systemd

/// Follows the daemon's tablet mode with a switch of its own: the only place with effects.
final class TabletSwitchService {
    private let log: Logger
    private let loop: EventLoop
    private let connection: OrientationConnection
    private let device = VirtualSwitch()
    private var policy = SwitchPolicy()
    private var sources: [EventSource] = []
    private var monitor: DeviceMonitor?

    init(socketPath: String?, log: Logger) throws {
        self.log = log
        loop = try EventLoop()
        connection = try OrientationConnection(socketPath: socketPath, lid: true)
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.watch(signal: signal) { [unowned self] in
                    perform(policy.handle(.ended(EXIT_SUCCESS)))
                })
        }
        sources.append(
            try loop.watch(signal: SIGCHLD) { [unowned self] in
                guard device.reapLostGuardian() else { return }
                log.critical("the guardian of the tablet switch ended unexpectedly")
                perform(policy.handle(.ended(EXIT_FAILURE)))
            })
        monitor = try DeviceMonitor(subsystem: "input", on: loop) { [unowned self] in examineDevices() }
        sources.append(
            try loop.watch(connection.fileDescriptor, for: .read) { [unowned self] _ in follow() })
    }

    /// Runs until SIGTERM, or while no other tablet switch exists; returns the exit status.
    func run() throws -> Int32 {
        loop.enableWatchdog()
        ServiceManager.ready()
        examineDevices()
        return try loop.run()
    }

    private func examineDevices() {
        if let other = VirtualSwitch.findOther() { perform(policy.handle(.otherSwitch(other))) }
    }

    private func follow() {
        do {
            for update in try connection.process() {
                switch update {
                case .state(let state): perform(policy.handle(.tabletMode(state.tabletMode)))
                case .notConnected(let reason): perform(policy.handle(.disconnected(reason)))
                }
            }
        } catch {
            log.critical("\(error)")
            perform(policy.handle(.ended(EX_UNAVAILABLE)))
        }
    }

    private func perform(_ effects: [SwitchPolicy.Effect]) {
        for effect in effects {
            do throws(Errno) {
                switch effect {
                case .create: try device.create()
                case .set(let isTablet): try device.set(isTablet)
                case .remove: device.remove()
                case .log(let text): log.info(text)
                case .exit(let status): loop.exit(status: status)
                }
            } catch {
                log.critical("\(VirtualSwitch.path): cannot provide a tablet switch: \(error)")
                device.remove()
                // Without memory or processes the next start may succeed.
                return loop.exit(status: [EAGAIN, ENOMEM].contains(error.code) ? EXIT_FAILURE : EX_UNAVAILABLE)
            }
        }
    }
}
