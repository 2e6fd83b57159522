// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationModel
import Varlink

/// `orientationctl calibrate`: finds the sensor's mount matrix and installs it in udev's hardware database.
struct Calibrate: AsyncParsableCommand, DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the mount matrix of the sensor",
        discussion: """
            Asks for four to six poses on the terminal, shows the result while you turn the device, and prints the entry \
            of udev's hardware database for this machine. Available to root, the daemon's user and the group \
            orientation; --write and --undo require root.

            Examples:
              sudo orientationctl calibrate --write      install the matrix
              sudo orientationctl calibrate --undo       remove it
              orientationctl calibrate --poses 4         the four edges only
              orientationctl calibrate --from poses.rec  another machine

            To calibrate another machine, run `sudo orientationctl record poses.rec` there while its device is held with the \
            top, right, bottom and left edge of the unrotated picture up, the screen up, and the screen down, two seconds \
            each, in this order.
            """)

    @Flag(help: "Install the entry and check that the daemon uses it")
    var write = false

    @Flag(help: "Remove the entry installed by --write")
    var undo = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of poses, 4 to 6 (default: 6)",
            discussion: "4: the edges; 5: also face up; 6: also face down.", valueName: "n"),
        completion: .list(["4", "5", "6"]), transform: NumberRange(4...6, isWhole: true).parseWhole)
    var poses: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Read one recording of all poses, each held still", valueName: "file"),
        completion: .file(), transform: SampleInput.parse)
    var from: String?

    @Flag(help: "Accept poses that form a mirrored frame")
    var mirrored = false

    @Flag(help: "Print the result as one JSON object")
    var json = false

    @OptionGroup var machine: MachineOptions

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if undo, write || json || mirrored || from != nil {
            throw ValidationError("--undo cannot be combined with other options")
        }
    }

    @MainActor func run() async throws {
        let message = "calibration: interrupted; nothing was changed"
        try await SignalWatch.cancelling(Task { try await calibrate() }, message)
    }

    private func calibrate() async throws {
        let database = CalibrationFile(machine.system)
        if write || undo { try database.checkPermission() }
        if undo {
            let written = [database, CalibrationFile(machine.system, isRule: true)].filter(\.exists)
            // Without a file the removal says so.
            for file in written.isEmpty ? [database] : written { try await remove(file) }
            return
        }
        let found: FoundMount
        if let from {
            found = try FoundMount(recording: from, mayBeMirrored: mirrored, machine.system)
        } else {
            found = try await ask()
        }
        // The last point at which Ctrl-C cancels: nothing below waits for the user.
        try Task.checkCancellation()
        let isRule = found.entry?.isRule == true
        let file = CalibrationFile(machine.system, isRule: isRule)
        let isWritten = write ? try await install(found, file) : false
        if json {
            try TextOutput.print(json: found.json(file: isWritten ? file.path : nil).description)
        } else {
            try TextOutput.print(found.entryLines.joined(separator: "\n"))
        }
        if !json, !write, from == nil { Dialogue.print(found.match == nil ? Self.noMatch : Self.hint(file)) }
        if !json, found.match != nil, !isRule, found.isInUse != true { Dialogue.print(Self.upstream) }
    }

    private func ask() async throws -> FoundMount {
        guard isatty(STDERR_FILENO) == 1 else {
            throw Failure("calibration: standard error is not a terminal; use a recording with --from")
        }
        guard let sensor = try await daemon.sensors().first(where: \.isChosen) else {
            throw Failure("calibration: no accelerometer in use; see 'orientationctl sensors'")
        }
        // Without a driver the sensor is on another board, whose device ids may equal those of this machine.
        let local = sensor.driver == nil ? nil : LocalSensor(id: sensor.id, in: machine.system)
        let match = sensor.driver == SensorCore.scheme ? SensorCore.rulePattern : local?.match.pattern
        if write, match == nil {
            throw Failure(
                "\(sensor.id): cannot install: not in this machine's udev database; omit --write to print the entry")
        }
        let wizard = Wizard(sensor, of: daemon, count: poses ?? 6, mayBeMirrored: mirrored)
        return try await daemon.whileReplying(Task { try await wizard.run(match: match) })
    }

    /// Returns whether an entry was installed; false if the current one is correct.
    private func install(_ found: FoundMount, _ file: CalibrationFile) async throws -> Bool {
        guard let entry = found.entry, found.isOfThisMachine else {
            throw Failure(
                "\(found.device): cannot install: this machine has no such sensor; omit --write to print the entry")
        }
        guard found.isInUse != true else {
            Dialogue.print("The current mount matrix is correct; nothing was written.")
            return false
        }
        try file.install(entry)
        Dialogue.print("Wrote \(file.path).")
        try await AppliedCalibration(daemon).confirm(entry)
        return true
    }

    private func remove(_ file: CalibrationFile) async throws {
        let previous = try file.remove()
        Dialogue.print("Removed \(file.path).")
        try await AppliedCalibration(daemon).confirmRemoval(of: previous)
    }

    private static let noMatch =
        "The sensor is not in this machine's udev database: these are the properties without a match."

    private static let upstream =
        "To share it with all owners of this model, propose its first two lines for systemd's hwdb.d/60-sensor.hwdb: "
        + "https://github.com/systemd/systemd"

    private static func hint(_ file: CalibrationFile) -> String {
        "To install it in \(file.path): sudo orientationctl calibrate --write"
    }
}
