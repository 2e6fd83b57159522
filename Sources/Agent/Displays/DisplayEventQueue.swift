// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Passes events to the receiver of a display server from the loop, in order: never while the server is called.
final class DisplayEventQueue {
    private let receiver: DisplayServerReceiver
    private var events: [DisplayEvent] = []
    private var timer: EventSource?

    init(on loop: EventLoop, _ receiver: @escaping DisplayServerReceiver) throws(SystemError) {
        self.receiver = receiver
        timer = try loop.timer { [unowned self] in deliver() }
    }

    func append(_ event: DisplayEvent) {
        events.append(event)
        timer?.fire(after: 0)
    }

    private func deliver() {
        let ready = events
        events = []
        for event in ready { receiver(event) }
    }
}
