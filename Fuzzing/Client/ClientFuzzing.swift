// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Posix
import Recordings
import Varlink

@testable import OrientationClient
@testable import OrientationTool

/// The entry point of libFuzzer. The input is the parameters of a reply that a hostile service sends to
/// `orientationctl`, which must end with a result or an error, and must print no control characters.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzClient(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard case .object(let reply)? = try? JSONValue(parsing: UnsafeRawBufferPointer(start: start, count: count)) else {
        return 0
    }
    check(reply.description)
    check("\(OrientationServiceError(ErrorReply("org.orientationd.Orientation.LimitReached", reply)))", isLine: false)
    let state = try? OrientationState(reply: reply)
    let sensors = (try? SensorDescription.sensors(reply: reply)) ?? []
    if let state { show(state) }
    for sensor in sensors { show(sensor) }
    diagnose(state, sensors)
    record(reply)
    calibrate(reply)
    watch(reply, state)
    return 0
}

/// Fails on control characters in the output. Single lines and JSON have none even before `TextOutput` filters them.
private func check(_ text: String, isLine: Bool = true) {
    let written = isLine ? text : text.replacingControls(keepsLines: true)
    precondition(!written.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" }, "a control character")
}

/// Runs the output of `status`, `watch --json`, `watch --plain` and `watch --exec`.
private func show(_ state: OrientationState) {
    check(state.json.description)
    check(state.line)
    check(state.report)
    _ = state.commandVariables(previous: nil)
}

/// Runs the output of `sensors`.
private func show(_ sensor: SensorDescription) {
    check(sensor.json.description)
    check(sensor.report)
    _ = sensor.matrixText
}

/// Runs `doctor` with the state and the sensors of the service.
private func diagnose(_ state: OrientationState?, _ sensors: [SensorDescription]) {
    var facts = MachineFacts()
    (facts.daemon.version, facts.daemon.state, facts.daemon.sensors) = (state?.instance ?? "", state, sensors)
    let examination = Examination(facts)
    check(examination.text(all: true, width: 80), isLine: false)
    check(examination.json.description)
}

/// Runs `record`, and reads the recording that it writes.
private func record(_ reply: JSONObject) {
    guard var recording = try? MotionRecording(first: reply, natural: nil) else { return }
    guard let text = try? recording.text(of: reply) else { return }
    check(text)
    check(recording.progress(of: 1))
    var reader = RecordingReader()
    reader.append(Array((text + recording.ending()).utf8)[...])
    reader.end()
    do throws(RecordingError) {
        while try reader.next() != nil {}
    } catch {
        check(error.description)
        if case .header = error.reason { preconditionFailure("the recording's header cannot be read: \(error)") }
    }
}

/// Runs the computations of `calibrate`.
private func calibrate(_ reply: JSONObject) {
    guard let origin: JSONObject = try? reply.value("origin"), let header = try? RecordingHeader(origin: origin),
        let axes = SensorAxes(header)
    else { return }
    var session = PoseSession(count: 4)
    for recorded in samples(reply) {
        guard let vector = axes.vector(recorded) else { return }
        // Each sample represents a second of a device at rest.
        for step in 0..<20 {
            let sample = Sample(time: recorded.sample.time + Double(step) / 16, acceleration: vector)
            if case .refused(let failure) = session.ingest(sample) { check("\(failure)") }
        }
    }
    if let found = try? MountCalibration(session.measurements, driverSense: axes.sense) {
        for line in found.report { check(line) }
    }
}

/// Draws the picture of `watch` at several sizes, one of them too small.
private func watch(_ reply: JSONObject, _ state: OrientationState?) {
    let origin: JSONObject? = (try? reply.optionalValue("origin")) ?? nil
    let classifier: String? = origin.flatMap { (try? $0.optionalValue("classifier")) ?? nil }
    var device = WatchedDevice(settings: classifier.flatMap { try? ClassifierSettings($0) } ?? .standard)
    if let state { device.update(state) }
    device.update(samples(reply).map(\.sample))
    for (columns, rows) in [(80, 24), (30, 40), (9, 3)] {
        let screen = Picture(device: device).screen(columns: columns, rows: rows)
        for line in screen.lines { check(String(line.map(\.character))) }
    }
}

private func samples(_ reply: JSONObject) -> [RecordedSample] {
    let samples: [JSONObject] = (try? reply.value("samples")) ?? []
    return samples.compactMap { try? RecordedSample($0) }
}
