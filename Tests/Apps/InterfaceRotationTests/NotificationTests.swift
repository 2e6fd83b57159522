// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct NotificationTests {
    @Test func `R34: the orientation is unknown before the first reading and after the last end of notifications`() {
        let device = Device()
        let changes = ChangeLog(device)
        device.update(.landscapeLeft)
        #expect(device.orientation == .unknown && changes.lines.isEmpty)
        device.beginGeneratingDeviceOrientationNotifications()
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(device.orientation == .unknown)
        device.update(.landscapeLeft)
        device.update(.landscapeLeft)
        #expect(changes.lines == ["unknown → landscapeLeft"])
        device.endGeneratingDeviceOrientationNotifications()
        #expect(device.orientation == .landscapeLeft)
        device.endGeneratingDeviceOrientationNotifications()
        #expect(device.orientation == .unknown && !device.isGeneratingDeviceOrientationNotifications)
        device.endGeneratingDeviceOrientationNotifications()
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(device.isGeneratingDeviceOrientationNotifications)
    }

    @Test func `R34: an observer that removes itself in its deinit releases what its closure captures`() {
        let device = Device()
        weak var captured: View?
        do {
            let view = View()
            captured = view
            let leaver = Leaver(device)
            device.orientationDidChange.addObserver(leaver) { _, _ in _ = view }
            withExtendedLifetime(leaver) {}
        }
        #expect(captured == nil)
    }

    @Test func `R34: a sensor runs only while notifications are generated`() throws {
        let sensor = Sensor()
        let stage = Stage()
        stage.device.source = sensor
        try stage.window.trySetRootViewController(stage.page("Root"))
        #expect(sensor.log.isEmpty)
        try stage.window.tryMakeKeyAndVisible()
        #expect(sensor.log == ["start"])
        stage.device.beginGeneratingDeviceOrientationNotifications()
        stage.window.isHidden = true
        #expect(sensor.log == ["start"])
        stage.device.endGeneratingDeviceOrientationNotifications()
        #expect(sensor.log == ["start", "stop"])
    }

    @Test func `R34: a surplus end does not stop the readings of a visible window`() throws {
        let (stage, _) = try Stage.showing()
        let sensor = Sensor()
        stage.device.source = sensor
        stage.device.endGeneratingDeviceOrientationNotifications()
        #expect(stage.device.isGeneratingDeviceOrientationNotifications && stage.device.orientation == .portrait)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
        stage.device.beginGeneratingDeviceOrientationNotifications()
        stage.device.endGeneratingDeviceOrientationNotifications()
        stage.window.isHidden = true
        stage.device.beginGeneratingDeviceOrientationNotifications()
        stage.device.endGeneratingDeviceOrientationNotifications()
        #expect(sensor.log == ["start", "stop", "start", "stop"])
    }

    @Test func `R34: unknown from a failed sensor is posted and turns nothing`() throws {
        let (stage, _) = try Stage.showing()
        stage.turn(.landscapeLeft)
        let changes = ChangeLog(stage.device)
        stage.turn(.unknown)
        #expect(changes.lines == ["landscapeLeft → unknown"] && stage.orientation == .landscapeRight)
    }

    @Test func `R34: a change that an observer makes is posted after all observers received the first one`() {
        let device = Device.notifying()
        device.orientationDidChange.addObserver(device) { _, change in
            if change.new == .portrait { device.update(.landscapeLeft) }
        }
        let changes = ChangeLog(device)
        device.update(.portrait)
        #expect(changes.lines == ["unknown → portrait", "portrait → landscapeLeft"])
    }

    @Test func `R26: an override that an observer sets is evaluated after the current notification`() {
        let device = Device.notifying()
        let changes = ChangeLog(device)
        var isFirst = true
        device.orientationDidChange.addObserver(device) { _, _ in
            guard isFirst else { return }
            isFirst = false
            for orientation in [DeviceOrientation.landscapeLeft, .landscapeLeft, .unknown, .landscapeLeft] {
                device.overrideOrientation(orientation)
            }
        }
        device.update(.portrait)
        #expect(changes.lines == ["unknown → portrait"] + Array(repeating: "portrait → landscapeLeft", count: 2))
    }

    @Test func `R34: observers that cause each other endlessly are stopped`() {
        let device = Device.notifying()
        let changes = ChangeLog(device)
        device.orientationDidChange.addObserver(device) { _, change in
            device.update(change.new == .portrait ? .landscapeLeft : .portrait)
        }
        device.update(.portrait)
        #expect(changes.lines.count == 1 + Device.maximumChainedChanges)
    }

    @Test func `R34: changes are available as an asynchronous sequence`() async {
        let device = Device.notifying()
        var changes = device.orientationDidChange.values.makeAsyncIterator()
        device.update(.portrait)
        device.update(.landscapeLeft)
        #expect(await changes.next()?.new == .portrait)
        let second = await changes.next()
        #expect(second?.old == .portrait && second?.new == .landscapeLeft)
    }

    @Test func `R29: a change of the status bar is posted to all observers`() throws {
        let (stage, _) = try Stage.showing()
        let log = Log()
        stage.application.willChangeStatusBarOrientation.addObserver(log) { $0.note("will \($1.to) \($1.duration)") }
        stage.application.didChangeStatusBarOrientation.addObserver(log) { $0.note("did \($1)") }
        stage.turn(.landscapeLeft)
        #expect(log.take() == ["will landscapeRight 0.0", "did portrait"])
    }
}

@MainActor private final class Sensor: DeviceOrientationSource {
    var log: [String] = []
    func startUpdating(_ device: Device) { log.append("start") }
    func stopUpdating(_ device: Device) { log.append("stop") }
}

/// Removes itself as an observer when it is released.
@MainActor private final class Leaver {
    private let device: Device
    init(_ device: Device) { self.device = device }
    isolated deinit { device.orientationDidChange.removeObserver(self) }
}
