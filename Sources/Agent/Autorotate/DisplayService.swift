// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationWire
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// The service of the session: apps call `org.orientationd.Display` at `$XDG_RUNTIME_DIR/orientation-autorotate/socket`.
final class DisplayService {
    private var handler = DisplayHandler()
    private let service: Service
    private let table: ClientTable

    /// The limits of a session. 128 connections: a session has a few dozen apps. A call has a few hundred bytes.
    static var limits: Limits {
        var limits = Limits()
        limits.connections = 128
        limits.connectionsPerUser = 112
        limits.messageBytes = 16 << 10
        return limits
    }

    /// Listens in a directory of this user that only this user can enter. `report` receives the events of clients, and must
    /// not call the service.
    ///
    /// - Throws: `SocketError` or `SystemError`: each is a message.
    init(
        path: String, limits: Limits = DisplayService.limits, loop: EventLoop, log: Logger,
        report: @escaping (ClientEvent) -> Void
    ) throws {
        service = Service(
            .init(
                vendor: "orientationd", product: "orientation-autorotate", version: Version.current,
                url: "man:orientation-autorotate(1)"),
            interfaces: [DisplayInterface.description])
        let listener = try ListeningSocket.bind(to: path, mode: 0o600, limits: limits)
        table = try ClientTable(
            listener: listener, limits: limits,
            authority: Authority(ownUser: geteuid(), group: nil, isPrivate: true), interface: DisplayInterface.name,
            loop: loop, log: log, report: report)
    }

    /// Handles an event of a client; returns all holds if they have changed.
    func handle(_ event: ClientEvent) -> [OrientationHold]? {
        if case .call(let call, let caller) = event, let answer = service.answer(to: call) {
            table.reply(to: caller.client, answer, sequence: nil)
            return nil
        }
        let former = handler.holds
        handler.handle(event).forEach(table.send)
        return handler.holds == former ? nil : handler.holds
    }

    /// Sends the newest explanation where it is wanted, and completes reads and writes; returns whether some are left.
    func settle(_ explanation: () -> Explanation) -> Bool {
        if handler.needsExplanation {
            handler.publish(explanation()).forEach(table.send)
        }
        table.settle()
        return table.needsSettling
    }

    /// Writes pending replies before the end.
    func flush() { table.flush() }
}
