// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

/// What `Explain` replies, and the reasons why holds have no effect on any desktop.
extension HoldHandlerTests {
    @Test func `Explain after a hold that ended waits for the change of the desktop, and then describes it`() throws {
        startDesktop()
        let (film, display) = (bench.client(), bench.client())
        for _ in 0..<RotationLockKeeper.burst { _ = hold(landscape, mode: .single, from: film) }
        bench.send(.client(.left(film.client)))
        // The desktop still receives the landscape of the ended hold.
        #expect(bench.call("Display.Explain", from: display).messages(to: display).isEmpty)
        #expect(bench.send(.tabletSwitchChanged(true)).messages(to: display).isEmpty)
        bench.now += RotationLockKeeper.interval
        let changed = bench.send(.timer(.holdChange))
        #expect(changed.sent(":1.5") == ["normal"])
        let explained = changed.messages(to: display)
        let reply = try #require(explained.first)
        #expect(explained.count == 1 && reply.contains("no program of user 1000 holds another one"))
        #expect(reply.contains(#""allowed":["portrait","landscapeLeft","portraitUpsideDown","landscapeRight"]"#))
    }

    @Test func `a client that leaves while its Explain waits is not answered`() {
        startDesktop()
        let (film, display) = (bench.client(), bench.client())
        for _ in 0..<RotationLockKeeper.burst { _ = hold(landscape, mode: .single, from: film) }
        bench.send(.client(.left(film.client)))
        bench.call("Display.Explain", from: display)
        bench.send(.client(.left(display.client)))
        bench.now += RotationLockKeeper.interval
        #expect(bench.send(.timer(.holdChange)).messages(to: display).isEmpty)
    }

    @Test(arguments: [
        (BusEvent.disconnected, "orientationd is not connected to the system bus"),
        (.name(.denied("rejected")), "net.hadess.SensorProxy: cannot serve desktops over D-Bus: rejected; install"),
    ])
    func `a service that desktops cannot reach is the reason, not a missing accelerometer`(
        event: BusEvent, reason: String
    ) {
        startDesktop()
        let film = bench.client()
        _ = hold(landscape, from: film)
        let text = #""obstacle":{"kind":"output","reason":"no desktop can follow the device: \#(reason)"#
        let lost = bench.send(.bus(event)).messages(to: film)
        #expect(lost.count == 1 && lost.first?.contains(text) == true)
        let served = [BusEvent.connected, .name(.owned)].flatMap { bench.send(.bus($0)).messages(to: film) }
        #expect(served.count == 1 && served.first?.contains("no desktop can follow") == false)
    }

    @Test func `desktops that another program serves follow the device, and the hold has no effect`() throws {
        startDesktop()
        let film = bench.client()
        _ = hold(landscape, from: film)
        let queued = bench.send(.bus(.name(.queued))).messages(to: film)
        let reply = try #require(queued.first)
        #expect(queued.count == 1 && reply.contains(#""applies":false"#) && !reply.contains("obstacle"))
        #expect(
            reply.contains(
                "The hold has no effect: another program owns net.hadess.SensorProxy; desktops receive the orientation of "
                    + "the device from it, and use orientationd once it exits."))
    }

    @Test func `Explain without a hold says why desktops receive nothing from the daemon`() throws {
        startDesktop()
        let display = bench.client()
        let explained = { try #require(bench.call("Display.Explain", from: display).messages(to: display).first) }
        bench.send(.bus(.name(.queued)))
        let other = try explained()
        #expect(other.contains(#""sentence":"Another program owns net.hadess.SensorProxy; desktops receive"#))
        #expect(!other.contains("obstacle"))
        bench.send(.bus(.disconnected))
        let lost = try explained()
        let reason = "o desktop can follow the device: orientationd is not connected to the system bus"
        #expect(lost.contains(#""sentence":"N\#(reason).""#))
        #expect(lost.contains(#""obstacle":{"kind":"output","reason":"n\#(reason)"}"#))
        bench.send(.bus(.connected))
        #expect(try explained().contains("Desktops receive the orientation of the device: no program of user 1000"))
    }

    @Test func `Explain lists the holds of the caller's user, and no others`() throws {
        startDesktop()
        let (film, other) = (bench.client(), bench.client(user: 1001))
        _ = hold(["supported": ["landscape"], "appId": "film"], from: film)
        let display = bench.client()
        let reply = try #require(bench.call("Display.Explain", from: display).messages(to: display).first)
        for part in [
            #""allowed":["landscapeLeft","landscapeRight"]"#, #""source":"hold 1""#, #""answer":"landscape""#,
            "appsUnknown", "receives landscape-secondary",
        ] { #expect(reply.contains(part)) }
        let others = try #require(bench.call("Display.Explain", from: other).messages(to: other).first)
        #expect(others.contains(#""answers":[]"#) && others.contains("no program of user 1001 holds another one"))
    }
}
