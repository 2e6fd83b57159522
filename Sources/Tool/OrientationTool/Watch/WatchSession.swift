// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Posix
import Recordings
import Varlink

/// One run of `watch`: receives states and samples from the daemon, and updates the display and the command.
@MainActor final class WatchSession {
    /// The sampling rate in hertz: more than the frame rate, and no more than the default of a captured sensor.
    private static let rate = 25.0
    /// The delay before samples are requested again while states still arrive.
    private static let motionPause = Duration.milliseconds(500)
    /// The time to wait for a first orientation: as long as the daemon's `Get` waits.
    private static let firstStateTimeout = Duration.seconds(1)

    private let service: OrientationService
    private let monitor: OrientationMonitor
    private let display: any WatchDisplay
    private let count: Int?
    private let wantsMotion: Bool
    private let waitsForOrientation: Bool
    /// Returns what the user can do about a daemon that is not reached.
    private let remedy: (String) -> String?
    private let stopsWhileLocked: Bool
    /// Whether to use the settings of the daemon's classifier.
    private let usesDaemonSettings: Bool
    private(set) var device: WatchedDevice
    private var command: ChangeCommand?
    private var motion: Task<Void, Never>?
    private var seen = 0
    /// Whether the sensor starts: at the beginning, and after the rotation lock during which it may stop.
    private var awaitsReading = true
    /// A state without an orientation while the sensor starts, not counted yet.
    private var held: (state: OrientationState, release: Task<Void, Never>)?
    private var failure: (any Error)?
    private let (firstState, hasBegun) = AsyncStream.makeStream(of: Void.self)
    private let (enough, isEnough) = AsyncStream.makeStream(of: Void.self)

    /// Creates a session without a connection.
    ///
    /// - Parameters:
    ///   - service: The daemon.
    ///   - socketPath: Its socket on the command line.
    ///   - buffering: Whether states may be skipped.
    ///   - display: The display.
    ///   - settings: The classifier whose bands are drawn; nil for the daemon's.
    ///   - wantsMotion: Whether to request samples.
    ///   - count: The number of states to show; nil for all.
    ///   - waitsForOrientation: Whether to delay a first state without an orientation; always true with a count.
    ///   - stopsWhileLocked: Whether the sensor may stop while the rotation lock is on.
    ///   - remedy: Returns what the user can do about a daemon that is not reached, for a reason.
    init(
        service: OrientationService, socketPath: String?,
        buffering: OrientationBuffering, display: any WatchDisplay, settings: ClassifierSettings? = nil,
        wantsMotion: Bool = false, count: Int? = nil, waitsForOrientation: Bool = false,
        stopsWhileLocked: Bool = false, remedy: @escaping (String) -> String? = { _ in nil }
    ) {
        self.service = service
        self.remedy = remedy
        monitor = OrientationMonitor(.daemon(socketPath: socketPath), buffering: buffering)
        device = WatchedDevice(settings: settings ?? .standard)
        usesDaemonSettings = settings == nil
        self.display = display
        self.wantsMotion = wantsMotion
        self.count = count
        self.waitsForOrientation = waitsForOrientation || count != nil
        self.stopsWhileLocked = stopsWhileLocked
    }

    func execute(_ text: String, debounce: Double, capturesOutput: Bool) {
        device.command = .waiting
        command = ChangeCommand(text, debounce: debounce, capturesOutput: capturesOutput) { [weak self] report in
            self?.show(report)
        }
    }

    /// Watches until `ending` finishes, the count is reached, or `duration` seconds after the first state.
    ///
    /// - Returns: Whether the count or the duration ended it.
    @discardableResult
    func run(until ending: AsyncStream<Void>, duration: Double? = nil) async throws -> Bool {
        let (firstState, enough) = (firstState, enough)
        let result: Result<Bool, any Error>
        do {
            let isComplete = try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await self.followStates()
                    return false
                }
                group.addTask {
                    for await _ in ending {}
                    return false
                }
                group.addTask {
                    for await _ in enough {}
                    await self.command?.finish()
                    return true
                }
                if let duration {
                    group.addTask {
                        for await _ in firstState { break }
                        try await Task.sleep(for: .seconds(duration))
                        return true
                    }
                }
                // The first task to finish cancels the others.
                let isComplete = try await group.next() ?? false
                group.cancelAll()
                return isComplete
            }
            result = .success(isComplete)
        } catch {
            result = .failure(error)
        }
        motion?.cancel()
        held?.release.cancel()
        await command?.stop()
        if let failure { throw failure }
        return try result.get()
    }

    private func followStates() async throws {
        try display.show(device, after: .command)
        while !Task.isCancelled { try await followStates(needsSensor: needsSensor) }
    }

    private var needsSensor: Bool { !stopsWhileLocked || device.state?.isLocked != true }

    /// Follows the states until the sensor is needed, or no longer is.
    private func followStates(needsSensor: Bool) async throws {
        // Of a daemon that hangs, the picture would show old samples.
        for try await update in monitor.updates(isProbing: wantsMotion, sensor: needsSensor) {
            if seen == count { continue }
            switch update {
            case .notConnected(let reason):
                let advice = device.state == nil ? remedy(reason) : nil
                device.lose(reason + (advice.map { "; \($0)" } ?? ""))
                try display.show(device, after: .lost)
            case .state(let state):
                device.update(state)
                followMotion()
                if self.needsSensor, !needsSensor { awaitsReading = true }
                if !hold(state) { try show(state) }
                if self.needsSensor != needsSensor { return }
            }
        }
    }

    /// Delays a state without an orientation while the sensor starts; returns whether it did.
    private func hold(_ state: OrientationState) -> Bool {
        guard waitsForOrientation, needsSensor, awaitsReading, state.orientation == .unknown else { return false }
        if wantsMotion { update(.state) }
        let release =
            held?.release
            ?? Task {
                // Cancelled with the task.
                try? await Task.sleep(for: Self.firstStateTimeout)
                guard !Task.isCancelled, awaitsReading, let state = held?.state else { return }
                attempt { try show(state) }
            }
        held = (state, release)
        return true
    }

    /// Shows the device outside of the tasks of ``run(until:duration:)``, which a failure ends.
    private func update(_ event: WatchEvent) { attempt { try display.show(device, after: event) } }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch {
            failure = error
            isEnough.finish()
        }
    }

    private func show(_ state: OrientationState) throws {
        held?.release.cancel()
        held = nil
        awaitsReading = false
        try display.show(device, after: .state)
        command?.changed(to: state)
        seen += 1
        hasBegun.yield()
        if seen == count { isEnough.finish() }
    }

    private func show(_ report: CommandProgress) {
        device.command = report
        update(.command)
    }
}

// MARK: The samples

extension WatchSession {
    /// Receives samples while connected, unless they were refused.
    private func followMotion() {
        guard wantsMotion, motion == nil else { return }
        if case .refused = device.motion { return }
        motion = Task {
            // A cancelled pause is followed by an attempt that ends.
            while device.link == .connected, await followMotionOnce() { try? await Task.sleep(for: Self.motionPause) }
            motion = nil
        }
    }

    /// Receives the samples of one connection; returns whether to try another one.
    private func followMotionOnce() async -> Bool {
        do {
            let rate: JSONObject = ["maximumRate": .real(Self.rate)]
            for try await reply in service.replies(to: MotionInterface.monitor, rate) {
                if usesDaemonSettings { try updateSettings(origin: reply.optionalValue("origin")) }
                show(try reply.value("samples", as: [JSONObject].self).map { try RecordedSample($0).sample })
            }
        } catch OrientationServiceError.notConnected {
            // The connection for the states fails too, and reports the error.
            return !Task.isCancelled
        } catch let error as OrientationServiceError {
            refuse(Self.explanation(error))
        } catch {
            refuse("Invalid samples: \(error).")
        }
        return false
    }

    /// Uses the daemon's classifier settings; the standard ones if they are missing, or unknown to this version.
    private func updateSettings(origin: JSONObject?) throws {
        guard let origin else { return }
        let name: String? = try origin.optionalValue("classifier")
        device.update(name.flatMap { try? ClassifierSettings($0) } ?? .standard)
    }

    private func show(_ samples: [Sample]) {
        device.update(samples)
        update(.samples)
    }

    private func refuse(_ why: String) {
        device.refuseMotion(why)
        update(.samples)
    }

    /// Returns why there are no live readings, and what they require.
    private static func explanation(_ error: OrientationServiceError) -> String {
        switch error {
        case .permissionDenied(let needs): return "Live vector, turn and bands require \(needs)."
        case .refused(let reply) where reply.serviceError != nil:
            return "This daemon has no samples: no live vector, turn or bands."
        default: return "No live vector, turn or bands: \(error)."
        }
    }
}
