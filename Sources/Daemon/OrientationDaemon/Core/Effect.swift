// SPDX-License-Identifier: Apache-2.0

internal import Sensors
internal import OrientationModel
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// An action returned by a handler. The ``Dispatcher`` performs effects first in, first out.
enum Effect {
    /// Append an event, also to notify another handler.
    case raise(Event)

    // MARK: Clients
    /// Reply to the call in progress of a client, or continue the reply; `sequence` is the number of the change in the
    /// message. Ignored if the client has disconnected.
    case reply(ClientID, EncodedMessage, sequence: Int? = nil)
    /// Send a change to the subscribers that have no unsent bytes and have not been sent it.
    case broadcast(EncodedMessage, sequence: Int, to: Set<ClientID>)
    case setTrustedGroup(UInt32?)
    /// Stop accepting connections: further ones stay in the backlog of the socket.
    case stopAccepting
    /// Close all connections and leave the bus.
    case stopServing

    // MARK: The sensor
    /// Open the source; with `fresh` a paused recording starts over. Sensors that failed recently, each with the
    /// reason, are chosen last.
    case startSensor(run: Int, fresh: Bool, recentFailures: [String: String])
    case stopSensor
    /// Close the source permanently; ``SensorEvent/idle`` follows.
    case closeSensor
    /// Read this many samples per second for motion subscribers; 0 for all samples, nil for none.
    case setMotionRate(Double?)
    /// List the sensors; ``SensorEvent/scanned(request:_:isCurrentOutdated:)`` follows.
    case scan(request: Int, ScanPurpose, recentFailures: [String: String])
    /// Take no messages from the sensor thread until resumed: a recording waits for its readers.
    case pauseSensor(Bool)
    case moveSimulatedDevice(SimulatedDevice.Move)

    // MARK: Ambient sensors
    /// Open the best sensor of a kind. Sensors that failed recently, each with the reason, are chosen last.
    case startAmbient(AmbientKind, run: Int, recentFailures: [AmbientSensorID: String])
    case stopAmbient(AmbientKind)
    /// Close all sensors permanently; ``AmbientEvent/idle`` follows.
    case closeAmbient
    /// List the sensors; ``AmbientEvent/scanned(request:_:outdated:)`` follows.
    case scanAmbient(request: Int, recentFailures: [AmbientSensorID: String])
    case setAmbientReading(AmbientReading)

    // MARK: The daemon
    /// Start the timer; nil stops it.
    case setTimer(TimerID, after: Double?)
    /// Write the rotation lock to the state directory; ``Event/lockStored(_:failure:)`` follows.
    case storeLock(RotationLock)
    /// Store the last edge for the next start.
    case storeLastEdge(PanelEdge?)
    /// Forget what is known of motion interrupts: the next start tries them again.
    case forgetInterrupts
    /// Look up the trusted group again; ``Event/trustedGroup(_:)`` follows.
    case findTrustedGroup
    /// Read the connectors of the displays again; ``Event/connectorsRead(_:)`` follows.
    case readConnectors
    case bus(BusEffect)
    case setLogLevel(Logger.Level)
    case log(Logger.Level, String)
    /// Log what a user caused, within ``LogBudget``.
    case logForUser(Logger.Level, UInt32?, String)
    /// Report to the service manager that the reload is complete.
    case reloaded
    /// End the loop with this exit status.
    case exit(Int32)
}
