// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// When libiio is loaded: while a chip is captured or sensors are listed; not while a chip is polled.
@Suite(.serialized) struct LoadedLibraryTests {
    private let chip = Machine.Device.upright

    /// A chip that measures too slowly, whose frequency is therefore raised.
    private var slowChip: Machine.Device {
        var device = chip
        device.attributes.merge(["sampling_frequency": "1", "sampling_frequency_available": "1 10 50"]) { $1 }
        return device
    }

    /// A daemon with this chip and a subscriber, which has received the first orientation.
    private func following(
        _ chip: Machine.Device, faults: Faults? = nil
    ) throws -> (daemon: RunningDaemon, machine: Machine, watch: RunningProgram) {
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        return (daemon, try #require(daemon.machine), watch)
    }

    @Test func `libiio is not loaded without clients`() throws {
        let daemon = try RunningDaemon([], devices: [chip])
        // Answered by the loop after its start.
        #expect(try daemon.runTool("unlock").status == 0)
        #expect(!daemon.program.hasLoadedLibiio)
    }

    @Test func `libiio is unloaded while a chip is polled, and after the last client`() throws {
        let (daemon, machine, watch) = try following(chip)
        #expect(eventually { !daemon.program.hasLoadedLibiio })
        try machine.hold(chip, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(!daemon.program.hasLoadedLibiio)
        watch.send(SIGTERM)
        #expect(eventually { daemon.sensorThreads.isEmpty })
        #expect(!daemon.program.hasLoadedLibiio)
        // A new thread loads it again.
        _ = try daemon.tool("watch", "--json").states(until: "landscapeLeft")
        daemon.program.send(SIGTERM)
        #expect(daemon.program.wait() == 0)
    }

    @Test func `sensors are listed while a chip is polled, which continues`() throws {
        let (daemon, machine, watch) = try following(chip)
        for (x, name) in [(1, "landscapeLeft"), (-1, "landscapeRight"), (1, "landscapeLeft")] {
            #expect(try daemon.runTool("sensors").output.contains { $0.contains("* iio:device0: kxcjk1013") })
            try machine.hold(chip, x, 0, 0)
            #expect(try watch.state().orientation == name)
        }
        #expect(eventually { !daemon.program.hasLoadedLibiio })
    }

    @Test func `libiio is loaded while a chip is captured, also after polling`() throws {
        let faults = try Faults()
        let device = Machine.Device.buffered
        // Another program has the node open.
        try faults.set("open", "/dev/iio:device0", EBUSY)
        let (daemon, machine, watch) = try following(device, faults: faults)
        #expect(try machine.value(device, "buffer/enable") == "0")
        #expect(eventually { !daemon.program.hasLoadedLibiio })
        let measuring = MeasuringChip(try Scans(machine, device))
        try faults.clear()
        #expect(try eventually { try machine.value(device, "buffer/enable") == "1" })
        measuring.hold(1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(daemon.program.hasLoadedLibiio)
        _ = try daemon.runTool("sensors")
        #expect(daemon.program.hasLoadedLibiio)
        try machine.hold(device, 0, 1, 0)
        // Another program stops the buffer.
        try machine.set(device, ["buffer/enable": 0])
        measuring.stop()
        #expect(try watch.state().orientation == "portrait")
        #expect(eventually { !daemon.program.hasLoadedLibiio })
        watch.send(SIGTERM)
        #expect(try eventually { try machine.value(device, "current_timestamp_clock") == "realtime" })
    }

    @Test(arguments: [false, true])
    func `a raised frequency is restored after libiio was unloaded`(isEnding: Bool) throws {
        let (daemon, machine, watch) = try following(slowChip)
        #expect(eventually { !daemon.program.hasLoadedLibiio })
        #expect(try machine.value(slowChip, "sampling_frequency") == "10")
        let path = "\(machine.root)/sys\(slowChip.path)/sampling_frequency"
        // umockdev removes its files with the daemon.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        if isEnding {
            daemon.program.send(SIGTERM)
            #expect(daemon.program.wait() == 0)
        } else {
            watch.send(SIGTERM)
            #expect(eventually { daemon.sensorThreads.isEmpty })
            #expect(!daemon.program.hasLoadedLibiio)
        }
        let text = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
        #expect(text.prefix(while: \.isNumber) == "1")
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path + "/restore-record"))
    }

    @Test func `a polled chip survives SIGHUP, and is replaced by another chip with its number`() throws {
        let bed = try Testbed([slowChip])
        let watch = try bed.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        #expect(eventually { !maps(libiioIn: bed.daemon) })
        kill(bed.daemon, SIGHUP)
        #expect(try watch.state { $0.reason == "starting" }.orientation == "unknown")
        _ = try watch.states(until: "portrait")
        #expect(eventually { !maps(libiioIn: bed.daemon) })
        try bed.unplug(slowChip)
        #expect(try watch.state { $0.orientation == "unknown" }.lastEdge == "portrait")
        #expect(eventually { !maps(libiioIn: bed.daemon) })
        var other = chip
        other.attributes["name"] = "bmi160"
        other.attributes["in_accel_x_raw"] = "1024"
        other.attributes["in_accel_y_raw"] = "0"
        try bed.plug(other)
        #expect(try watch.states(until: "landscapeLeft").last?.sensor == "iio:device0")
        #expect(eventually { !maps(libiioIn: bed.daemon) })
    }
}
