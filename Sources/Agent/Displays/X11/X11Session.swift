// SPDX-License-Identifier: Apache-2.0

internal import CXCB
internal import Systemd

/// The thread of an ``X11Server``: performs its requests in order, and reads the server's events. Nothing has a timeout: while
/// another client has grabbed the server, or the server is stopped, the thread waits, and goes on afterwards.
final class X11Session {
    private let name: String
    private let log: Logger
    private let exchange: X11Exchange
    private let connection: X11Connection
    private let input: X11Input?
    private var screen: X11Screen
    /// The event of the screen saver, which DPMS starts too; nil without the extension.
    private let saverEvent: UInt8?
    private let frontWindow: X11FrontWindow?
    /// The last report of the window in front.
    private var frontEvent: DisplayEvent?
    /// The name of the output that input devices are mapped to; nil until the first time.
    private var panel: String?

    /// Connects to a display, such as `:0`, and runs until the connection ends, or ``X11Exchange/stop()``; the last event is
    /// the reason.
    static func run(
        _ display: String, _ name: String, _ exchange: X11Exchange, _ log: Logger, reportsFrontWindow: Bool
    ) {
        do throws(X11Failure) {
            let connection = try X11Connection(to: display, stoppedBy: exchange)
            try X11Session(connection, name, exchange, log, reportsFrontWindow: reportsFrontWindow).run()
        } catch {
            exchange.post(.ended("\(error)"))
        }
    }

    private init(
        _ connection: X11Connection, _ name: String, _ exchange: X11Exchange, _ log: Logger, reportsFrontWindow: Bool
    ) throws(X11Failure) {
        self.name = name
        self.log = log
        self.exchange = exchange
        self.connection = connection
        try connection.requireRandR()
        screen = try connection.readScreen()
        input = try X11Input(connection)
        try input?.scan(screen)
        saverEvent = cxcb_screen_saver(connection.handle, nil).flatMap {
            $0.pointee.present == 0 ? nil : $0.pointee.first_event
        }
        if saverEvent != nil { cxcb_select_screen_saver(connection.handle, connection.root) }
        frontWindow = reportsFrontWindow ? try X11FrontWindow(connection) : nil
        frontEvent = try frontWindow?.read(screen.outputs)
        if let frontEvent { exchange.post(frontEvent) }
        exchange.post(.outputs(screen.outputs))
    }

    private func run() throws(X11Failure) {
        while true {
            switch exchange.nextStep() {
            case .apply(_, isOutdated: true): exchange.post(.outdated)
            case .apply(let outputs, isOutdated: false): try apply(outputs)
            case .alignInput(let panel):
                self.panel = panel
                try mapInput()
            case .readEvents:
                // Events that have arrived with replies do not make the descriptor readable.
                if try handleEvents() { continue }
                connection.flush()
                // After the flush: if it fails, the descriptor need not become readable.
                if let failure = connection.failure { throw failure }
                exchange.wait(for: connection.descriptor)
            case .wait: exchange.wait()
            }
        }
    }

    private func apply(_ outputs: [Output]) throws(X11Failure) {
        do throws(X11Failure) {
            if let reason = try configure(outputs) {
                exchange.post(reason)
            } else {
                // Before the result, after which the agent may end.
                try mapInput()
                exchange.post(.outputs(screen.outputs))
                exchange.post(.applied)
            }
        } catch .refused(let reason) {
            // The outputs changed while they were read: an event of the change follows.
            exchange.post(.failed(reason))
        }
    }

    /// Sets the CRTCs; returns the event of a failure. Other clients see all changes at once: the server is grabbed.
    private func configure(_ outputs: [Output]) throws(X11Failure) -> DisplayEvent? {
        xcb_grab_server(connection.handle)
        defer {
            xcb_ungrab_server(connection.handle)
            connection.flush()
        }
        let current = try connection.readScreen()
        guard current.outputs == screen.outputs else {
            screen = current
            exchange.post(.outputs(screen.outputs))
            return .outdated
        }
        screen = current
        let plan: X11Plan
        do throws(X11Plan.Impossible) {
            plan = try X11Plan(outputs, on: current)
        } catch {
            return .failed(error.reason)
        }
        do throws(X11Failure) {
            try connection.perform(plan)
        } catch .refused(let reason) {
            // Restores the former configuration: a partly configured screen may stay blank.
            do throws(X11Failure) {
                try connection.perform(plan.undone(on: current))
            } catch .refused(let reason) {
                log.warning("\(name): cannot restore the former configuration: \(reason)")
            }
            try warnOfRefusal { () throws(X11Failure) in try readAgain() }
            return .failed(reason)
        }
        screen = try connection.readScreen()
        return nil
    }

    private func mapInput() throws(X11Failure) {
        try warnOfRefusal { () throws(X11Failure) in
            if let panel { try input?.map(to: panel, on: screen) }
        }
    }

    /// Performs requests; one that the server refuses is only logged.
    private func warnOfRefusal(_ body: () throws(X11Failure) -> Void) throws(X11Failure) {
        do throws(X11Failure) {
            try body()
        } catch .refused(let reason) {
            log.warning("\(name): \(X11Failure.refused(reason))")
        }
    }

    /// Handles the events that have arrived; returns whether there were any.
    private func handleEvents() throws(X11Failure) -> Bool {
        var hasScreenChanged = false
        var hasInputChanged = false
        var hasWindowChanged = false
        var count = 0
        let firstRandR = cxcb_randr(connection.handle)?.pointee.first_event ?? 0
        connection.receiveEvents { event in
            count += 1
            let type = event.pointee.response_type & 0x7f
            if type == firstRandR || type == firstRandR &+ UInt8(XCB_RANDR_NOTIFY) { hasScreenChanged = true }
            if type == saverEvent { reportDarkness(event) }
            if input?.isDeviceEvent(event) == true { hasInputChanged = true }
            if frontWindow?.isChange(event) == true { hasWindowChanged = true }
        }
        if hasScreenChanged { try warnOfRefusal { () throws(X11Failure) in try readAgain() } }
        if hasInputChanged, let input {
            try warnOfRefusal { () throws(X11Failure) in try input.scan(screen) }
            exchange.post(.inputChanged)
        }
        // The layout decides which output shows the window.
        if hasWindowChanged || hasScreenChanged {
            try warnOfRefusal { () throws(X11Failure) in try reportFrontWindow() }
        }
        return count > 0
    }

    /// Reports whether the screen is black. A program that draws on the saved screen can show a picture.
    private func reportDarkness(_ event: UnsafePointer<xcb_generic_event_t>) {
        // ScreenSaverNotify: the state, 0 for off, and the kind, 2 for a program's.
        let bytes = UnsafeRawPointer(event).assumingMemoryBound(to: UInt8.self)
        let isDark = bytes[1] != 0 && bytes[16] != 2
        exchange.post(.darkOutputs(isDark ? Set(screen.outputs.filter(\.isEnabled).map(\.name)) : []))
    }

    private func readAgain() throws(X11Failure) {
        let old = screen
        screen = try connection.readScreen()
        if screen.outputs != old.outputs { exchange.post(.outputs(screen.outputs)) }
        // The matrices depend on the size of the screen, which other outputs change as well.
        if screen != old { try mapInput() }
    }

    private func reportFrontWindow() throws(X11Failure) {
        guard let event = try frontWindow?.read(screen.outputs), event != frontEvent else { return }
        frontEvent = event
        exchange.post(event)
    }
}
