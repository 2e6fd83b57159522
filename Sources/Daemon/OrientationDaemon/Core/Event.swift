// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Varlink
internal import VarlinkServer

/// An event: the input of ``DaemonState/handle(_:on:)``.
///
/// Event sources append events to the ``EventQueue``. A handler notifies another handler by returning
/// ``Effect/raise(_:)``, which appends an event as well: no handler calls another.
enum Event {
    // MARK: Clients
    case client(ClientEvent)
    /// A call cannot be answered before the first reading; ``resumedCall(_:from:)`` follows.
    case callNeedsReading(PendingCall, from: Caller)
    /// A call that waited for the first reading: it has arrived, or the timeout passed.
    case resumedCall(PendingCall, from: Caller)

    // MARK: Sensors
    /// A requester needs its sensor, or no longer does; repeated without effect. With a client, ``sensorRequested(for:)`` follows after the
    /// reports that result.
    case sensorDemand(SensorRequester, Bool, for: ClientID?)
    case sensorRequested(for: ClientID)
    /// A sensor thread sent a message.
    case sensorThread(SensorGroup, SensorEvent)
    /// A call to a sensor has not returned for this many seconds.
    case sensorHung(SensorGroup, seconds: Double)
    /// The state of a sensor changed, or the reading of an ambient sensor.
    case report(SensorKind, SensorState)
    case samples([MotionSample])
    /// A handler needs the list of sensors; ``scanned(_:_:_:)`` follows.
    case scanWanted(SensorGroup, ScanPurpose)
    case scanned(SensorGroup, ScanPurpose, SensorList)
    /// The readers of a recording are behind, or no longer.
    case backpressure(Bool)
    /// The sensors of a thread are permanently closed.
    case sensorsClosed(SensorGroup)

    // MARK: The machine
    /// udev reported a change of an IIO or input device.
    case devicesChanged
    /// udev reported a change of an input device with switches, or of a hardware monitor.
    case ambientDevicesChanged
    /// iio-sensor-proxy started or stopped: no buffer can be shared with it.
    case sensorProxyUnitChanged
    /// udev reported a change of a display.
    case displaysChanged
    case connectorsRead([DisplayConnector])
    /// The machine woke from sleep.
    case woke
    /// A user logged in or out, or a session became active or inactive.
    case sessionsChanged
    /// What the tablet switches say: true while the device is a tablet; nil without a switch.
    case tabletSwitchChanged(Bool?)
    case timer(TimerID)
    /// The rotation lock was written; `failure` is the reason if that failed.
    case lockStored(RotationLock, failure: String?)
    /// The rotation lock is stored, and will not be written again.
    case lockFinished
    case bus(BusEvent)

    // MARK: The daemon
    case lockChanged(RotationLock)
    /// The holds have changed, or what the desktops of users with holds receive.
    case desktopsChanged
    case naturalChanged(Edge)
    /// The id of the trusted group; nil if it does not exist.
    case trustedGroup(UInt32?)
    /// SIGHUP.
    case reload
    /// The daemon is ready to serve.
    case ready
    /// SIGTERM, SIGINT, or no client for the time of `--idle-exit`.
    case end
}

/// A component that needs a sensor.
enum SensorRequester: Hashable {
    case orientation
    case motion
    case sensorProxy(SensorKind)
    /// Calls that wait for the first reading.
    case pendingCalls(SensorKind)
    /// Subscribers of the state, for the lid angle.
    case lid

    var kind: SensorKind {
        switch self {
        case .orientation, .motion: .accelerometer
        case .sensorProxy(let kind), .pendingCalls(let kind): kind
        case .lid: .hinge
        }
    }
}

enum ScanPurpose: CaseIterable {
    /// A client called ListSensors.
    case listing
    /// The choice of the sensor may change.
    case choice
    /// The SensorProxy service publishes whether there is a sensor.
    case presence
    /// The scan restores settings that a killed daemon left changed.
    case restore
}

/// The timers of the handlers. Restarting one replaces its time.
enum TimerID: Hashable {
    /// The next step of a sensor's supervisor.
    case sensor(SensorKind)
    /// The next scan of the sensors of a group after one that failed.
    case scan(SensorGroup)
    /// The timeout of the oldest call that waits for the first reading.
    case pendingCalls
    /// The next scan of the sensors of a group for clients.
    case listing(SensorGroup)
    /// The end of waiting for the slowest reader of a recording.
    case backpressure
    /// The next change of the rotation lock.
    case lockChange
    /// The next change of the holds of orientations.
    case holdChange
    /// The next lookup of the connectors after a change of a display.
    case displayRead
    /// The timeout of D-Bus claims that wait for the first reading.
    case claims
    /// The next tilt that may be published over D-Bus.
    case tilt
    /// The timeout of the scan before the name on the bus is requested.
    case busName
    /// The reappearance of a removed simulated sensor.
    case simulatedReturn
    /// The end of the time without clients after which the daemon exits.
    case idleExit
    /// The timeout of closing the sensors at exit.
    case exit

    static let all: [TimerID] =
        SensorKind.allCases.map(Self.sensor) + SensorGroup.allCases.map(Self.listing)
        + SensorGroup.allCases.map(Self.scan) + [
            .pendingCalls, .backpressure, .lockChange, .holdChange, .displayRead, .claims, .tilt, .busName,
            .simulatedReturn, .idleExit, .exit,
        ]
}
