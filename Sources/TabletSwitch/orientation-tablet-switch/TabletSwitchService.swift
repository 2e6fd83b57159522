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
        connection = try OrientationConnection(.daemon(socketPath: socketPath))
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
        do throws(Errno) {
            if let other = try VirtualSwitch.findOther() { perform(policy.handle(.otherSwitch(other))) }
        } catch {
            // Of two switches libinput pairs a keyboard with the first only.
            log.critical("\(VirtualSwitch.inputs): cannot look for another tablet switch: \(error)")
            perform(policy.handle(.ended(EXIT_FAILURE)))
        }
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
                case .set(let isTablet):
                    // The keyboard does not work: a daemon that hangs must be noticed.
                    connection.setProbing(isTablet)
                    try device.set(isTablet)
                case .remove:
                    connection.setProbing(false)
                    device.remove()
                case .log(let text): log.info(text)
                case .exit(let status): loop.exit(status: status)
                }
            } catch {
                log.critical("\(VirtualSwitch.path): cannot provide a tablet switch: \(error)")
                device.remove()
                // After other errors the next start may succeed.
                return loop.exit(
                    status: [ENOENT, EACCES, EPERM].contains(error.code) ? EX_UNAVAILABLE : EXIT_FAILURE)
            }
        }
    }
}
