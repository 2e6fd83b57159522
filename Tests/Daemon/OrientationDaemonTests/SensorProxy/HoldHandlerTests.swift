// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Testing
import Varlink

@testable import OrientationDaemon
@testable import Sensors
@testable import VarlinkServer

/// Holds of orientations on desktops that rotate the display: `:1.5` is the desktop of user 1000, on a tall panel.
@Suite struct HoldHandlerTests {
    let bench: StateBench
    let landscape: JSONObject = ["supported": ["landscape"]]

    init() throws {
        bench = try StateBench(servesSensorProxy: true)
        bench.seats = [1000]
        bench.send(.bus(.connected))
        bench.send(.sensorThread(.ambient, .scanned(request: 1, SensorList([]))))
        bench.send(.sensorThread(.accelerometer, .scanned(request: 1, SensorList([.chosen(.accelerometer, "iio:0")]))))
        bench.send(.bus(.name(.owned)))
    }

    @discardableResult private func claim(_ client: String, user: UInt32) -> [Effect] {
        let claimant = Claimant(client: client, sensor: .accelerometer)
        return [
            .claim(1, by: claimant), .identified(claimant, .success(user)), .authorized(claimant, refusal: nil),
        ].flatMap { bench.send(.bus($0)) }
    }

    /// The desktop claims the accelerometer of an upright device.
    func startDesktop() {
        claim(":1.5", user: 1000)
        bench.startSensor()
    }

    func hold(_ parameters: JSONObject, mode: Call.Mode = .more, from caller: Caller) -> [Effect] {
        bench.call("Display.Hold", parameters, mode: mode, from: caller)
    }

    @Test func `a hold turns the desktop on an upright device, and its end returns it`() throws {
        startDesktop()
        let film = Caller(client: bench.client().client, user: 1000, isTrusted: false, process: 42)
        let held = hold(landscape, from: film)
        #expect(held.sent(":1.5") == ["left-up"] && held.edges == [1000: .left])
        #expect(held.logs == ["hold 1 (process 42) of user 1000 allows landscape"])
        let reply = try #require(held.messages(to: film).first)
        for part in [
            #""applies":true"#, #""orientation":"landscapeLeft""#, #""rotation":90"#,
            "receives landscape-secondary instead of portrait-primary", "hold 1 (process 42) allows landscape",
            "for all windows until it ends", "decides by its own settings whether it rotates",
        ] { #expect(reply.contains(part)) }
        let ended = bench.send(.client(.left(film.client)))
        #expect(ended.sent(":1.5") == ["normal"] && ended.edges == [:])
        #expect(ended.logs == ["hold 1 (process 42) of user 1000 has ended"])
    }

    @Test func `a turn during a hold is followed as far as it is allowed, and the subscriber is sent the reason`()
        throws
    {
        startDesktop()
        let film = bench.client()
        #expect(hold(landscape, from: film).sent(":1.5") == ["left-up"])
        let turned = bench.decide(.landscapeLeft)
        #expect(turned.sent(":1.5") == ["right-up"])
        #expect(turned.messages(to: film).first?.contains("the orientation of the device, landscape-primary") == true)
        // Of two landscapes the counter-clockwise one.
        #expect(bench.decide(.portraitUpsideDown).sent(":1.5") == [])
        #expect(bench.decide(.portrait).sent(":1.5") == ["left-up"])
    }

    @Test func `other users and Varlink clients receive the orientation of the device`() {
        startDesktop()
        claim(":1.6", user: 1001)
        let watch = bench.subscriber()
        let held = hold(landscape, from: bench.client())
        #expect(held.sent(":1.5") == ["left-up"] && held.sent(":1.6").isEmpty && held.messages(to: watch).isEmpty)
        let turned = bench.decide(.portraitUpsideDown)
        #expect(turned.sent(":1.6") == ["bottom-up"])
        #expect(turned.messages(to: watch).first?.contains(#""orientation":"portraitUpsideDown""#) == true)
    }

    @Test func `a claim made during a hold receives the held orientation with the first reading`() {
        #expect(hold(landscape, from: bench.client()).sent(":1.5").isEmpty)
        claim(":1.5", user: 1000)
        #expect(bench.startSensor().sent(":1.5") == ["left-up"])
        #expect(claim(":1.6", user: 1001).sent(":1.6") == ["normal"])
    }

    @Test(arguments: [false, true])
    func `a user without an active session is refused, also a trusted one`(isTrusted: Bool) throws {
        startDesktop()
        let caller = bench.client(user: 1001, isTrusted: isTrusted)
        let refused = hold(landscape, from: caller)
        let message = try #require(refused.messages(to: caller).first)
        #expect(message.contains("org.orientationd.Display.PermissionDenied"))
        #expect(message.contains("an active session of logind at this machine"))
        #expect(refused.edges == nil)
    }

    @Test func `a hold is suspended while its user is not active, and applies again afterwards`() {
        startDesktop()
        let film = bench.client()
        let held = hold(landscape, from: film)
        #expect(held.watchesSessions == true)
        bench.seats = [1001]
        let suspended = bench.send(.sessionsChanged)
        #expect(suspended.sent(":1.5") == ["normal"])
        #expect(suspended.messages(to: film).first?.contains("suspended: user 1000 has no active session") == true)
        #expect(suspended.messages(to: film).first?.contains(#""applies":false"#) == true)
        #expect(suspended.messages(to: film).first?.contains(#""kind":"output","reason":"user 1000"#) == true)
        bench.decide(.portraitUpsideDown)
        bench.seats = [1000]
        let resumed = bench.send(.sessionsChanged)
        #expect(resumed.sent(":1.5") == ["right-up"])
        #expect(resumed.messages(to: film).first?.contains(#""applies":true"#) == true)
        #expect(bench.send(.client(.left(film.client))).watchesSessions == false)
    }

    @Test func `the newest of several holds decides; an older one that excludes it does not apply`() throws {
        startDesktop()
        let (film, book, map) = (bench.client(), bench.client(), bench.client())
        #expect(hold(landscape, from: film).sent(":1.5") == ["left-up"])
        let second = hold(["supported": ["portrait"]], from: book)
        #expect(second.sent(":1.5") == ["normal"])
        let outranked = try #require(second.messages(to: film).first)
        #expect(outranked.contains("a later hold allows none of its orientations") && !outranked.contains("obstacle"))
        #expect(outranked.contains(#""applies":false"#) && outranked.contains(#""rotation":0"#))
        #expect(second.messages(to: book).first?.contains("which hold 2 allows") == true)
        // Common to the second and the third: the first one still does not apply.
        #expect(
            hold(["supported": ["portrait-secondary", "landscape"]], from: map).sent(":1.5") == ["bottom-up"])
        #expect(bench.send(.client(.left(book.client))).sent(":1.5") == ["left-up"])
        bench.now += 10
        #expect(bench.send(.client(.left(map.client))).sent(":1.5") == [])
        #expect(bench.send(.client(.left(film.client))).sent(":1.5") == ["normal"])
    }

    @Test(arguments: [Call.Mode.single, .more])
    func `holds whose calls are queued together are each answered with the effect of all of them`(mode: Call.Mode) {
        startDesktop()
        let (film, book) = (bench.client(), bench.client())
        let call = { Call("org.orientationd.Display.Hold", ["supported": [$0]], mode: mode) }
        let held = bench.send(
            .client(.call(call("landscape"), from: film)), .client(.call(call("portrait-secondary"), from: book)))
        let (older, newer) = (held.messages(to: film), held.messages(to: book))
        #expect(older.count == 1 && older.first?.contains("a later hold allows none of its orientations") == true)
        #expect(newer.count == 1 && newer.first?.contains("hold 2 allows portrait-secondary") == true)
        #expect(held.sent(":1.5").last == "bottom-up")
    }

    @Test func `a further call on the connection replaces its hold`() {
        startDesktop()
        let app = bench.client()
        #expect(hold(landscape, mode: .single, from: app).sent(":1.5") == ["left-up"])
        let second = hold(["supported": ["portrait-secondary"]], mode: .single, from: app)
        #expect(second.sent(":1.5") == ["bottom-up"] && second.messages(to: app).count == 1)
        // Without more there are no further replies.
        #expect(bench.decide(.landscapeLeft).messages(to: app).isEmpty)
    }

    @Test func `a subscriber of the state that catches up is not sent the reply of its earlier hold again`() {
        startDesktop()
        let app = bench.client()
        #expect(hold(landscape, mode: .single, from: app).messages(to: app).count == 1)
        #expect(bench.call("Orientation.Monitor", mode: .more, from: app).messages(to: app).count == 1)
        let states = bench.send(.client(.caughtUp(app.client, sequence: 0))).messages(to: app)
        #expect(states.count == 1 && states.first?.contains("applies") == false)
    }

    @Test func `a word that a hold repeats a thousand times is logged and explained once`() throws {
        startDesktop()
        let app = bench.client()
        let words = Array(repeating: JSONValue.string("landscape"), count: 1000) + ["portrait-secondary"]
        let held = hold(["supported": .array(words)], from: app)
        #expect(held.logs == ["hold 1 of user 1000 allows landscape, portrait-secondary"])
        #expect(try #require(held.messages(to: app).first).contains("allows landscape, portrait-secondary, for all"))
    }

    @Test func `a face keeps the edge, and an unknown edge counts as the top one`() {
        claim(":1.5", user: 1000)
        bench.send(.sensor(.accelerometer, run: 1, .opened(.chosen(.accelerometer, "iio:0"))))
        bench.send(.sensor(.accelerometer, run: 1, .decided(ClassifiedSample(orientation: .faceUp, timestamp: 1))))
        let film = bench.client()
        #expect(hold(landscape, from: film).sent(":1.5") == ["left-up"])
        let kept = bench.send(
            .sensor(
                .accelerometer, run: 1,
                .decided(ClassifiedSample(orientation: .faceUp, lastEdge: .landscapeLeft, timestamp: 2))))
        #expect(kept.sent(":1.5") == ["right-up"])
        #expect(bench.send(.client(.left(film.client))).sent(":1.5") == [])
    }

    @Test func `the preferred orientation is used until the device is turned`() {
        startDesktop()
        let app = bench.client()
        let parameters: JSONObject = ["supported": ["any"], "preferred": "landscape-primary"]
        #expect(hold(parameters, from: app).sent(":1.5") == ["right-up"])
        #expect(bench.decide(.portrait).sent(":1.5").isEmpty)
        #expect(bench.decide(.portraitUpsideDown).sent(":1.5") == ["bottom-up"])
        #expect(bench.decide(.portrait).sent(":1.5") == ["normal"])
    }

    @Test func `a locked hold keeps what the desktop has while the device is turned`() {
        startDesktop()
        let (film, game) = (bench.client(), bench.client())
        #expect(hold(landscape, from: film).sent(":1.5") == ["left-up"])
        #expect(hold(["supported": ["any"], "locked": true], from: game).sent(":1.5").isEmpty)
        for pose in [DeviceOrientation.landscapeLeft, .portraitUpsideDown, .faceDown] {
            #expect(bench.decide(pose).sent(":1.5").isEmpty)
        }
    }

    @Test func `a preferred orientation starts a sensor that is off, and waits for its reading`() {
        let app = bench.client()
        let waiting = hold(["supported": ["any"], "preferred": "landscape-primary"], from: app)
        #expect(waiting.sensor == ["start 1"] && waiting.messages(to: app).isEmpty)
        #expect(bench.startSensor().messages(to: app).count == 1)
    }

    @Test func `the reply says why a hold has no effect, as far as that is known`() throws {
        let app = bench.client()
        let unclaimed = hold(landscape, from: app).messages(to: app).first
        #expect(unclaimed?.contains("the desktop's rotation lock may be on") == true)
        startDesktop()
        let laptop = bench.send(.tabletSwitchChanged(false)).messages(to: app).first
        #expect(laptop?.contains("the device is in laptop mode, and the desktop decides by its own settings") == true)
        // The display follows the device, as far as is known.
        #expect(laptop?.contains("obstacle") == false)
        // The desktop releases its claim, as phosh does for its rotation lock.
        let release = BusEvent.release(2, by: Claimant(client: ":1.5", sensor: .accelerometer))
        let released = try #require(bench.send(.bus(release)).messages(to: app).first)
        let reason = #""obstacle":{"kind":"output","reason":"no desktop of user 1000 follows the device; "#
        #expect(released.contains(reason) && !released.contains("rotation\":"))
        bench.send(.devicesChanged)
        let gone = bench.send(.sensorThread(.accelerometer, .scanned(request: 2, SensorList([]))))
        #expect(
            gone.messages(to: app).first?.contains(
                #""obstacle":{"kind":"noState","reason":"no accelerometer was found"}"#) == true)
        let explained = bench.call("Display.Explain", from: app).messages(to: app).first
        #expect(explained?.contains(#""kind":"noState""#) == true && explained?.contains("applies") == false)
    }

    @Test func `changes are limited as those of the rotation lock, and the newest holds apply afterwards`() {
        startDesktop()
        let app = bench.client()
        let words = ["landscape-primary", "landscape-secondary"]
        for number in 0..<RotationLockKeeper.burst {
            #expect(
                hold(["supported": .array([.string(words[number % 2])])], mode: .single, from: app).sent(":1.5").count
                    == 1)
        }
        let limited = hold(["supported": ["portrait-secondary"]], mode: .single, from: app)
        #expect(limited.sent(":1.5").isEmpty && limited.messages(to: app).isEmpty)
        #expect(limited.timers[.holdChange] == RotationLockKeeper.interval)
        // The end of a hold waits, too.
        #expect(bench.send(.client(.left(app.client))).sent(":1.5").isEmpty)
        bench.now += RotationLockKeeper.interval
        #expect(bench.send(.timer(.holdChange)).sent(":1.5") == ["normal"])
    }

    @Test func `words for orientations follow the natural orientation`() {
        startDesktop()
        #expect(hold(["supported": ["landscape-primary"]], from: bench.client()).sent(":1.5") == ["right-up"])
        #expect(bench.send(.naturalChanged(.landscapeLeft)).sent(":1.5") == ["normal"])
    }

    @Test(
        arguments: [
            ["supported": []], ["supported": ["sideways"]],
            ["supported": ["portrait"], "preferred": "landscape-primary"],
            ["supported": ["portrait"], "appId": ""],
        ] as [JSONObject])
    func `invalid parameters are refused`(parameters: JSONObject) {
        let app = bench.client()
        let refused = hold(parameters, from: app)
        #expect(refused.messages(to: app).first?.contains("org.varlink.service.InvalidParameter") == true)
        #expect(refused.edges == nil)
    }

    @Test func `without the SensorProxy service the interface does not exist`() throws {
        let bench = try StateBench()
        let caller = bench.client()
        let refused = bench.call("Display.Hold", landscape, from: caller)
        #expect(refused.messages(to: caller).first?.contains("org.varlink.service.InterfaceNotFound") == true)
    }
}

extension [Effect] {
    /// The orientations that a client on the bus is sent.
    func sent(_ client: String) -> [String] {
        flatMap { effect -> [String] in
            guard case .bus(.signal(let claimant, let changes)) = effect, claimant.client == client else { return [] }
            return changes.compactMap {
                if $0.name == "AccelerometerOrientation", case .string(let text) = $0.value { text } else { nil }
            }
        }
    }

    /// The edges that property reads of users return last; nil if they do not change.
    fileprivate var edges: [UInt32: PanelEdge]? {
        reduce(nil) { if case .bus(.publish(_, let shown)) = $1 { shown } else { $0 } }
    }

    /// Whether the sessions are watched from now on; nil if that does not change.
    fileprivate var watchesSessions: Bool? {
        reduce(nil) { if case .watchSessions(let isWatched) = $1 { isWatched } else { $0 } }
    }
}
