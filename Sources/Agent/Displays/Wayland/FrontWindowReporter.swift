// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Reports the window in front of a compositor: once per group of changes, and only what changed.
final class FrontWindowReporter {
    private var windows = WindowTable()
    private let connection: WaylandConnection
    private let deliver: DisplayServerReceiver
    private let outputs: OutputNames
    /// ``WlrWindowList`` or ``CosmicWindowList``.
    private var list: AnyObject?
    /// The windows that the compositor lists, up to ``WaylandLimit/windows``.
    private var listed: [ListedWindow] = []
    private var lastID: UInt64 = 0
    /// Reports each change of the shown workspace, which hides windows: ``SwayWorkspaces`` or ``ExtWorkspaces``. The
    /// focus leaves the window in front in the same way when a launcher opens.
    private var workspaces: AnyObject?
    private var timer: EventSource?
    /// The number of changes that hid windows since the windows last settled; 0 if none is pending.
    private var pendingChanges = 0
    /// The last report; nil before the first.
    private var last: DisplayEvent?
    /// Why the windows are not listed; nil if they are.
    private var problem: String?

    /// Binds the protocol that lists the windows. The first report follows; then `reported` is called.
    init(
        _ session: DisplaySession, _ connection: WaylandConnection, deliver: @escaping DisplayServerReceiver,
        reported: @escaping () -> Void
    ) throws(DisplayServerError) {
        self.connection = connection
        self.deliver = deliver
        outputs = OutputNames(connection)
        do throws(SystemError) {
            timer = try session.loop.timer { [unowned self] in report() }
        } catch {
            throw DisplayServerError("\(connection.compositor.name): \(error)")
        }
        list = WlrWindowList(connection, outputs, self)
        list = list ?? CosmicWindowList(connection, outputs, self)
        if list == nil { problem = missing }
        observeWorkspaces(session)
        // Compositors announce windows first, and describe them when asked: two round trips.
        connection.synchronize { [weak self] in
            self?.connection.synchronize {
                self?.report()
                reported()
            }
            self?.connection.flush()
        }
    }

    /// Adds a window without properties; nil beyond the limit.
    func add() -> ListedWindow? {
        guard listed.count < WaylandLimit.windows else { return nil }
        lastID += 1
        let window = ListedWindow(id: lastID)
        listed.append(window)
        return window
    }

    /// The number of the window with an object; nil without one.
    func id(of proxy: OpaquePointer?) -> UInt64? {
        proxy.flatMap { proxy in listed.first { $0.object?.proxy == proxy }?.id }
    }

    /// The properties of a window take effect.
    func update(_ window: ListedWindow) {
        windows.update(window.id, window.properties)
        schedule()
    }

    func remove(_ window: ListedWindow) {
        listed.removeAll { $0 === window }
        windows.remove(window.id)
        schedule()
    }

    /// The compositor ended the list of its windows.
    func end() {
        problem =
            "\(connection.compositor.name) does not report the window in front any more; restart "
            + "orientation-autorotate."
        schedule()
    }

    /// Windows may have been hidden although they are not minimized: without the focus, the last one is no longer in front.
    private func windowsHidden() {
        pendingChanges += 1
        if pendingChanges == 1 { waitForFollowingWindows() }
    }

    /// The windows that follow from the change arrive first.
    private func waitForFollowingWindows() {
        let count = pendingChanges
        connection.synchronize { [weak self] in
            guard let self else { return }
            windows.workspaceChanged()
            schedule()
            if pendingChanges == count { pendingChanges = 0 } else { waitForFollowingWindows() }
        }
        connection.flush()
    }

    /// Keeps the window in front while a launcher has the focus, where changes of the workspace are known.
    private func observeWorkspaces(_ session: DisplaySession) {
        let name = connection.compositor.name
        // labwc keeps its window activated while a launcher has the keyboard focus.
        guard list != nil, name != "labwc" else { return }
        let changed: () -> Void = { [unowned self] in windowsHidden() }
        let ended: () -> Void = { [unowned self] in
            windows.keepsFront = false
            schedule()
        }
        if name == "sway" {
            workspaces = SwayWorkspaces(session, process: connection.compositor.process, changed: changed, ended: ended)
        }
        workspaces = workspaces ?? ExtWorkspaces(connection, changed: changed, ended: ended)
        windows.keepsFront = workspaces != nil
    }

    func globalAdded(_ global: WaylandGlobal) { outputs.add(global) }

    /// A withdrawn output shows no window, whether the compositor reports that or not.
    func globalRemoved(_ global: WaylandGlobal) {
        guard let name = outputs.remove(global) else { return }
        for window in listed { window.properties.leave(name) }
        windows.removeOutput(name)
        schedule()
    }

    /// Reports once all events that have arrived were handled: the focus leaves a window before another one receives it.
    private func schedule() {
        if last != nil { timer?.fire(after: 0) }
    }

    private func report() {
        let event = problem.map(DisplayEvent.frontWindowUnsupported) ?? .frontWindow(windows.front)
        guard event != last else { return }
        last = event
        deliver(event)
    }

    /// Why there is no list of windows.
    private var missing: String {
        "\(connection.compositor.name) does not report the window in front: it offers neither "
            + "\(WlrWindowList.interface) nor \(CosmicWindowList.interface); apps can only hold orientations."
    }
}

extension WindowProperties {
    /// Sets the states of wlr-foreign-toplevel-management, which COSMIC uses too.
    mutating func setStates(_ states: [UInt32]) {
        state = states.contains(3) ? .fullscreen : states.contains(0) ? .maximized : .normal
        isFocused = states.contains(2)
        isMinimized = states.contains(1)
    }

    mutating func enter(_ output: String?) {
        guard let output, !outputs.contains(output), outputs.count < WaylandLimit.outputs else { return }
        outputs.append(output)
    }

    mutating func leave(_ output: String?) {
        outputs.removeAll { $0 == output }
    }
}

/// A window that a compositor lists, with its objects.
final class ListedWindow {
    let id: UInt64
    var object: WaylandObject?
    /// COSMIC's object with the states.
    var details: WaylandObject?
    /// With wlr-foreign-toplevel-management they take effect with the next `done`.
    var properties = WindowProperties()

    fileprivate init(id: UInt64) { self.id = id }
}
