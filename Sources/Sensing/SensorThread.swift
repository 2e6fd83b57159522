// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
package import OrientationModel

/// The loop's handle on the one thread that may wait for sensors.
///
/// The thread lives only while it has something to do. Every call here returns at once, whatever the sensor does: a
/// read that hangs keeps the thread, never the caller. What the thread has to say is collected with
/// ``takeEvents(limit:)`` whenever ``descriptor`` is readable.
package final class SensorThread {
    private let mailbox: SensorMailbox

    /// Makes the handle; no thread yet. A call that lasts `longestCall` seconds hangs.
    package init(longestCall: Double = SensorThread.longestCall) throws(SensorFailure) {
        mailbox = try SensorMailbox(longestCall: longestCall)
    }

    /// Readable while there are events to take.
    package var descriptor: Int32 { mailbox.descriptor }

    /// A source that has not come back from a call for so many seconds hangs.
    package static let longestCall = 5.0

    /// Readable when a call to a source may have taken longer than ``longestCall``, until ``acknowledgeHang()``.
    package var hangDescriptor: Int32 { mailbox.hangDescriptor }

    /// The descriptor has been heard of; whether a call really hangs.
    package func acknowledgeHang() -> Bool { mailbox.acknowledgeHang() }

    /// Opens a source and classifies what it says, until it is stopped, fails or ends. One that runs is stopped first.
    /// The events that come of it carry the number `run`.
    package func start(_ source: SensorRequest, run: Int) {
        submit(.start(run: run, source))
    }

    /// Closes the source that runs, if one does; a recording only pauses.
    package func stop() {
        submit(.stop)
    }

    /// Closes the source that runs or is being opened, and says ``SensorEvent/idle`` when none is open any more.
    package func close() {
        submit(.close)
    }

    /// Hands out the samples themselves as well, to ``takeMotion()``: so many in a second where the sensor can give them,
    /// up to ``highestRate``; nil: no longer.
    package func setFollowed(at rate: Double?) {
        submit(.follow(rate.map { min($0, Self.highestRate) }))
    }

    /// No sensor is made to measure oftener for those who follow the motion, in hertz: a hand moves below 20 Hz, and one
    /// that has to be asked wakes the processor up to three times for each sample.
    package static let highestRate = 200.0

    /// The samples since the last call, where the motion is followed. ``descriptor`` is readable when there are some.
    package func takeMotion() -> [MotionSample] { mailbox.takeMotion() }

    /// How the raw numbers of the source in use become samples.
    package var arithmetic: SensorArithmetic { mailbox.currentArithmetic }

    /// Lists the sensors that a URI means; the answer is an event with the same number.
    package func survey(_ uri: SensorURI, facts: HardwareFacts, request: Int) {
        submit(.survey(request: request, uri, facts))
    }

    /// The oldest events, at most `limit` of them.
    package func takeEvents(limit: Int) -> [SensorEvent] {
        mailbox.takeEvents(limit: limit)
    }

    /// What the classifier made of the newest sample of the run in progress; nil before the first one.
    package var newest: Attitude? { mailbox.newest }

    /// How many samples have been classified in all.
    package var sampleCount: Int64 { mailbox.sampleCount }

    /// How many samples and answers of a live source were not taken in time and made room for newer ones, in all.
    package var droppedCount: Int64 { mailbox.droppedCount }

    /// How many samples came in a second lately; nil while none come.
    package var sampleRate: Double? { mailbox.sampleRate }

    private func submit(_ command: SensorCommand) {
        guard mailbox.post(command) else { return }
        if let code = spawn() {
            mailbox.refuse(because: "cannot start the sensor thread: \(String(cString: strerror(code)))")
        }
    }

    /// Starts the thread; the errno where that failed.
    private func spawn() -> Int32? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Detached: nobody ever has to wait for a thread that may hang in the kernel.
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(mailbox)
        let code = pthread_create(&thread, &attributes, runSensorThread, argument.toOpaque())
        if code != 0 {
            argument.release()
            return code
        }
        return nil
    }
}

/// A source to open, and how to judge what it says.
package struct SensorRequest: Sendable {
    package var uri: SensorURI
    package var facts: HardwareFacts
    package var settings: ClassifierSettings
    /// Whether a recording that was paused goes on; else it starts from its beginning.
    package var mayResume: Bool

    package init(
        uri: SensorURI, facts: HardwareFacts, settings: ClassifierSettings = .standard, mayResume: Bool = true
    ) {
        self.uri = uri
        self.facts = facts
        self.settings = settings
        self.mayResume = mayResume
    }
}

private func runSensorThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Signals are the loop's.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    let mailbox = Unmanaged<SensorMailbox>.fromOpaque(argument).takeRetainedValue()
    var worker = SensorWorker(mailbox: mailbox)
    worker.work()
    return nil
}
