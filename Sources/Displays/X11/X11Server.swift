// SPDX-License-Identifier: Apache-2.0

internal import CXCB
internal import Systemd

extension DisplayServerKind {
    /// X servers with RandR 1.3. Touch screens and pens are mapped with a property of XInput.
    static let x11 = DisplayServerKind(name: "X11 RandR") { session, receiver throws(DisplayServerError) in
        // A Wayland session has an X server for old programs, which cannot rotate anything.
        guard let display = session.environment["DISPLAY"], !display.isEmpty, !session.isPresent("WAYLAND_DISPLAY")
        else { return nil }
        return try X11Server(display, session, receiver)
    }
}

/// An X server, through RandR and XInput.
final class X11Server: DisplayServer {
    let name: String
    private let log: Logger
    private let connection: X11Connection
    private let input: X11Input?
    private var screen: X11Screen
    private var source: EventSource?
    private let queue: DisplayEventQueue
    private let frontWindow: X11FrontWindow?
    /// The last report of the window in front.
    private var frontEvent: DisplayEvent?
    /// The name of the output that input devices are mapped to; nil until the first time.
    private var panel: String?

    /// Connects to a display, as `:0`.
    init(
        _ display: String, _ session: DisplaySession, _ receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) {
        name = "X server \(display)"
        log = session.log
        connection = try X11Connection(to: display, on: session.loop)
        do throws(X11Failure) {
            try connection.requireRandR()
            screen = try connection.readScreen()
            input = try X11Input(connection)
            try input?.scan(screen)
            frontWindow = session.reportsFrontWindow ? try X11FrontWindow(connection) : nil
            frontEvent = try frontWindow?.read(screen.outputs)
        } catch {
            throw DisplayServerError("\(name): \(error)")
        }
        do throws(SystemError) {
            queue = try DisplayEventQueue(on: session.loop, receiver)
            source = try session.loop.watch(connection.descriptor, for: .read) { [unowned self] _ in attempt {} }
        } catch {
            throw DisplayServerError("\(name): \(error)")
        }
        if let frontEvent { queue.append(frontEvent) }
        queue.append(.outputs(screen.outputs))
        // Events that arrived with the replies do not wake the loop.
        attempt {}
    }

    deinit {
        // Before the connection is closed: the loop must not watch another file of the same number.
        source = nil
    }

    func apply(_ outputs: [Output]) {
        attempt { () throws(X11Failure) in
            do throws(X11Failure) {
                if let reason = try configure(outputs) {
                    queue.append(reason)
                } else {
                    queue.append(.outputs(screen.outputs))
                    queue.append(.applied)
                }
            } catch .refused(let reason) {
                // The outputs changed while they were read: an event of the change follows.
                queue.append(.failed(reason))
            }
        }
    }

    func alignInput(with output: Output) {
        panel = output.name
        attempt { () throws(X11Failure) in try input?.map(to: output.name, on: screen) }
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
            queue.append(.outputs(screen.outputs))
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
            screen = try connection.readScreen()
            return .failed(reason)
        }
        screen = try connection.readScreen()
        return nil
    }

    /// Performs requests, and handles the events that have arrived, with the replies or before: those do not wake the loop.
    private func attempt(_ body: () throws(X11Failure) -> Void) {
        guard source != nil else { return }
        do throws(X11Failure) {
            try warnOfRefusal(body)
            while try handleEvents() {}
        } catch {
            return end(error)
        }
        if let failure = connection.failure { end(failure) }
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
            if type == firstRandR || type == firstRandR + UInt8(XCB_RANDR_NOTIFY) { hasScreenChanged = true }
            if input?.isDeviceEvent(event) == true { hasInputChanged = true }
            if frontWindow?.isChange(event) == true { hasWindowChanged = true }
        }
        if hasScreenChanged { try warnOfRefusal { () throws(X11Failure) in try readAgain() } }
        if hasInputChanged, let input {
            try warnOfRefusal { () throws(X11Failure) in try input.scan(screen) }
            queue.append(.inputChanged)
        }
        // The layout decides which output shows the window.
        if hasWindowChanged || hasScreenChanged {
            try warnOfRefusal { () throws(X11Failure) in try reportFrontWindow() }
        }
        return count > 0
    }

    private func readAgain() throws(X11Failure) {
        let old = screen
        screen = try connection.readScreen()
        if screen.outputs != old.outputs { queue.append(.outputs(screen.outputs)) }
        // The matrices depend on the size of the screen, which other outputs change as well.
        if screen != old, let panel { try input?.map(to: panel, on: screen) }
    }

    private func reportFrontWindow() throws(X11Failure) {
        guard let event = try frontWindow?.read(screen.outputs), event != frontEvent else { return }
        frontEvent = event
        queue.append(event)
    }

    private func end(_ failure: X11Failure) {
        source = nil
        queue.append(failure.lastEvent)
    }
}
