// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Performs the steps of an ``OutputReporter`` on a Wayland connection, and delivers nothing after the end.
final class ReportDelivery {
    private(set) var reporter = OutputReporter()
    private(set) var isEnded = false
    /// Called once the compositor has handled an accepted configuration: returns whether it was sent again.
    var sendAgain: () -> Bool = { false }
    /// Called when the compositor has not reported an accepted configuration in time, before the result.
    var giveUp: () -> Void = {}
    private let connection: WaylandConnection
    private let receiver: DisplayServerReceiver
    private var timer: EventSource?

    init(
        _ connection: WaylandConnection, _ loop: EventLoop, _ receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) {
        self.connection = connection
        self.receiver = receiver
        do throws(SystemError) {
            timer = try loop.timer { [unowned self] in
                giveUp()
                update { $0.timedOut(connection.compositor.name) }
            }
        } catch {
            throw DisplayServerError("\(connection.compositor.name): \(error)")
        }
    }

    /// Changes the reporter, and performs the steps that follow.
    func update(_ change: (inout OutputReporter) -> [OutputReporter.Step]) {
        guard !isEnded else { return }
        for step in change(&reporter) {
            switch step {
            case .deliver(let event): deliver(event)
            case .synchronize:
                connection.synchronize { [weak self] in
                    guard let self, !sendAgain() else { return }
                    update { $0.synchronized() }
                }
            case .startTimer(let seconds): timer?.fire(after: seconds)
            case .stopTimer: timer?.pause()
            }
        }
    }

    /// Delivers an event, unless the server has ended.
    func deliver(_ event: DisplayEvent) {
        if !isEnded { receiver(event) }
    }

    /// Ends the server with its last event.
    func end(_ last: DisplayEvent) {
        guard !isEnded else { return }
        timer?.pause()
        connection.stop()
        isEnded = true
        receiver(last)
    }
}
