// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import Systemd

/// Watches for changes of the machine on which the choice of the sensor depends: IIO devices, sleep, and iio-sensor-proxy.
final class DeviceWatch {
    /// The service with which no buffer can be shared.
    nonisolated static let sensorProxyUnit = "iio-sensor-proxy.service"

    private let loop: EventLoop
    private let queue: EventQueue
    private var devices: DeviceMonitor?
    private var sleep: SleepWatch?
    private var sensorProxy: UnitWatch?

    /// Appends ``Event/devicesChanged`` and ``Event/woke`` to `queue`.
    init(loop: EventLoop, queue: EventQueue, log: Logger) {
        self.loop = loop
        self.queue = queue
        do {
            devices = try DeviceMonitor(subsystem: "iio", on: loop) { queue.append(.devicesChanged) }
        } catch {
            log.warning("\(error): a sensor that appears later is found only when one is tried again")
        }
        do {
            sleep = try SleepWatch(on: loop) { queue.append(.woke) }
        } catch {
            log.warning("\(error): after a sleep of the machine the sensor is opened again only once it has failed")
        }
    }

    /// Watches for iio-sensor-proxy while the sensor runs, and no longer: systemd makes a link where this watches for
    /// every unit that starts.
    func setWatchingSensorProxy(_ isWatching: Bool) {
        guard isWatching != (sensorProxy != nil) else { return }
        // Without systemd there is nothing to watch.
        sensorProxy =
            isWatching
            ? try? UnitWatch(Self.sensorProxyUnit, on: loop) { [queue] in queue.append(.sensorProxyUnitChanged) } : nil
    }
}
