// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Systemd

/// Watches for changes of sensors, displays, suspend and iio-sensor-proxy.
final class DeviceWatch {
    /// The unit of iio-sensor-proxy, with which a buffer cannot be shared.
    static let sensorProxyUnit = "iio-sensor-proxy.service"

    /// The udev property of input devices that are accelerometers.
    static let inputProperty = "ID_INPUT_ACCELEROMETER"

    /// The udev property of input devices that have switches, one of which may be a proximity sensor.
    static let switchProperty = "ID_INPUT_SWITCH"

    private let loop: EventLoop
    private let queue: EventQueue
    private let log: Logger
    private var devices: [DeviceMonitor] = []
    private var sleep: SleepWatch?
    private var sensorProxy: UnitWatch?
    private var sessions: LoginWatch?
    /// Also after a failure: the next attempt follows only after a change.
    private var watchesSessions = false
    /// The sensors in use: their buffers cannot be shared with iio-sensor-proxy.
    private var used: Set<SensorKind> = []

    /// Appends ``Event/devicesChanged`` and ``Event/woke`` to `queue`; with `watchesDisplays` also
    /// ``Event/displaysChanged``, with `watchesAmbient` ``Event/ambientDevicesChanged``. Reports DSPs to `core`.
    init(
        loop: EventLoop, queue: EventQueue, log: Logger, core: SensorCoreWatch?, watchesDisplays: Bool,
        watchesAmbient: Bool
    ) {
        self.loop = loop
        self.queue = queue
        self.log = log
        let attempt = { (consequence: String, start: () throws -> [DeviceMonitor]) in
            log.attempt(start, otherwise: consequence) ?? []
        }
        devices = attempt("a sensor connected later is found only by the next retry") {
            [
                // One monitor: most machines have no DSP.
                try DeviceMonitor(subsystem: "iio", also: core.map { _ in SensorCore.subsystem }, on: loop) {
                    core?.deviceChanged()
                    queue.append(.devicesChanged)
                },
                try DeviceMonitor(subsystem: "input", having: Self.inputProperty, on: loop) {
                    queue.append(.devicesChanged)
                },
            ]
        }
        if watchesAmbient {
            devices += attempt("a proximity or light sensor connected later is not found") {
                [
                    try DeviceMonitor(subsystem: "input", having: Self.switchProperty, on: loop) {
                        queue.append(.ambientDevicesChanged)
                    },
                    try DeviceMonitor(subsystem: "hwmon", on: loop) { queue.append(.ambientDevicesChanged) },
                ]
            }
        }
        if watchesDisplays {
            devices += attempt("a panel that appears later is found only at the next start of the sensor") {
                [try DeviceMonitor(subsystem: "drm", on: loop) { queue.append(.displaysChanged) }]
            }
        }
        sleep = log.attempt(
            { try SleepWatch(on: loop) { queue.append(.woke) } },
            otherwise: "after a suspend the sensor is opened again only if it fails")
    }

    /// Watches the sessions of logind, only while an answer depends on them. A new watch appends ``Event/sessionsChanged``:
    /// the sessions that were read before it may have changed since.
    func setWatchesSessions(_ isWatched: Bool) {
        guard isWatched != watchesSessions else { return }
        watchesSessions = isWatched
        do throws(SystemError) {
            sessions = isWatched ? try LoginWatch(on: loop) { [queue] in queue.append(.sessionsChanged) } : nil
            if isWatched { queue.append(.sessionsChanged) }
        } catch {
            log.warning("\(error); a hold of an orientation also applies while its user is not active")
        }
    }

    /// Watches iio-sensor-proxy, only while a sensor is in use: systemd creates a link in the watched folder for every unit
    /// that starts, and each costs a wake-up.
    func setInUse(_ sensor: SensorKind, _ isInUse: Bool) {
        if isInUse { used.insert(sensor) } else { used.remove(sensor) }
        let isWatching = !used.isEmpty
        guard isWatching != (sensorProxy != nil) else { return }
        // inotify fails without systemd: there is nothing to watch. After another failure iio-sensor-proxy is seen by the next
        // scan.
        sensorProxy =
            isWatching
            ? try? UnitWatch(Self.sensorProxyUnit, on: loop) { [queue] in queue.append(.sensorProxyUnitChanged) } : nil
    }
}
