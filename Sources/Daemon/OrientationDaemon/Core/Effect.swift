// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
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
    case send(ReplyTable.Delivery)
    case setTrustedGroup(UInt32?)
    /// Stop accepting connections: further ones stay in the backlog of the socket.
    case stopAccepting
    /// Close all connections and leave the bus.
    case stopServing

    // MARK: Sensors
    case sensors(SensorGroup, SensorCommand)
    /// Watch iio-sensor-proxy while a sensor of any kind is in use.
    case watchSensorProxy(SensorKind, isInUse: Bool)
    /// Read this many samples per second for motion subscribers; 0 for all samples, nil for none.
    case setMotionRate(Double?)
    /// Take no messages from the sensor thread until resumed: a recording waits for its readers.
    case pauseSensor(Bool)
    case moveSimulatedDevice(SimulatedDevice.Move)

    // MARK: The daemon
    /// Start the timer; nil stops it.
    case setTimer(TimerID, after: Double?)
    /// Write the rotation lock to the state directory; ``Event/lockStored(_:failure:)`` follows.
    case storeLock(RotationLock)
    /// Store the last edge for the next start.
    case storeLastEdge(PanelEdge?)
    /// Forget what is known of motion interrupts: the next start tries them again.
    case forgetInterrupts
    /// Watch the sessions of logind; ``Event/sessionsChanged`` follows the start and each change.
    case watchSessions(Bool)
    /// Look up the trusted group again; ``Event/trustedGroup(_:)`` follows.
    case findTrustedGroup
    /// Read the connectors of the displays again; ``Event/connectorsRead(_:)`` follows.
    case readConnectors
    case bus(BusEffect)
    case setLogLevel(Logger.Level)
    case log(Logger.Level, String)
    /// Report to the service manager that the reload is complete.
    case reloaded
    /// End the loop with this exit status.
    case exit(Int32)
}
