// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import Testing

@testable import Autorotate

@Suite struct RotationRequestTests {
    private typealias Attempt = RotationRequest.Attempt

    private func failure(_ transform: OutputTransform) -> Report { .failed("eDP-1", transform, "busy") }

    /// A request whose attempt for this transform is pending.
    private func pending(_ transform: OutputTransform = .rotated90) -> RotationRequest {
        var request = RotationRequest()
        request.ask(for: transform, in: nil)
        request.send(Attempt(transform: transform))
        return request
    }

    /// The pending attempt fails; returns the delay of the next one.
    private func fail(_ request: inout RotationRequest, hasReason: Bool = true) -> Double? {
        request.finish().flatMap { request.failed($0, hasReason ? failure($0.transform) : nil, first: 1) }
    }

    @Test func `idle, pending, idle: a transform is applied once, and its result is expected once`() {
        var request = RotationRequest()
        #expect(request.next == nil)
        request.ask(for: .rotated90, in: nil)
        #expect(request.next == .rotated90)
        request.send(Attempt(transform: .rotated90))
        #expect(request.next == nil && request.pending?.transform == .rotated90)
        request.succeeded()
        let late = request.finish()
        #expect(request.phase == .idle && late == nil)
    }

    @Test func `pending, retrying: delays double; after the last attempt it gave up, until the device is turned`() {
        var request = pending()
        var delays: [Double?] = []
        for _ in 1...AutorotatePolicy.maximumAttempts {
            delays.append(fail(&request))
            if request.phase == .retrying { request.send(Attempt(transform: .rotated90)) }
        }
        #expect(delays == [1, 2, 4, 8, nil])
        #expect(request.phase == .gaveUp && request.next == nil && request.hasGivenUp(.rotated90))
        request.keep(.rotated180)
        #expect(request.phase == .idle)
        request.keep(.rotated90)
        #expect(request.phase == .gaveUp && request.next == nil && request.failure == "\(failure(.rotated90))")
        request.deviceTurned()
        #expect(request.phase == .idle && request.next == .rotated90)
    }

    @Test func `retrying: the next attempt follows after the delay; outdated: also with the newest outputs`() {
        var request = pending()
        _ = fail(&request)
        #expect(request.phase == .retrying && request.next == nil)
        request.retry()
        #expect(request.phase == .idle && request.next == .rotated90)
        request.send(Attempt(transform: .rotated90))
        _ = fail(&request, hasReason: false)
        #expect(request.phase == .outdated && request.next == .rotated90)
    }

    @Test func `a reset changes nothing but the output, unless the output keeps a transform or nothing is asked for`() {
        var request = pending()
        request.succeeded()
        #expect(request.transformChanged(to: .normal, isReset: true) == .reset && request.next == .rotated90)
        #expect(request.transformChanged(to: .rotated180) == .byHand && request.phase == .overridden)
        #expect(request.transformChanged(to: .normal, isReset: true) == .byHand)
        var empty = RotationRequest()
        #expect(empty.transformChanged(to: .normal, isReset: true) == .byHand)
    }

    @Test func `another target starts with the first delay, and is not explained by the failure of the former`() {
        var request = pending()
        _ = fail(&request)
        #expect(request.failure?.hasSuffix("busy; retrying") == true)
        request.ask(for: .rotated180, in: nil)
        #expect(request.failure == nil && request.next == .rotated180)
        request.send(Attempt(transform: .rotated180))
        let delay = fail(&request, hasReason: false)
        #expect(delay == 1 && request.failure == nil)
    }

    @Test func `pending: another target waits for the result`() {
        var request = pending()
        request.ask(for: .rotated180, in: nil)
        #expect(request.next == nil && request.pending?.transform == .rotated90)
        request.outputsChanged()
        #expect(request.pending != nil)
        request.succeeded()
        #expect(request.next == .rotated180)
    }

    @Test func `overridden: nothing is applied until the next target, new outputs or tablet mode`() {
        let ends: [(inout RotationRequest) -> Void] = [
            { $0.ask(for: .rotated180, in: nil) }, { $0.outputsChanged() }, { $0.enteredTabletMode() },
        ]
        for end in ends {
            var request = pending()
            _ = fail(&request)
            let origin = request.transformChanged(to: .rotated270)
            #expect(origin == .byHand && request.phase == .overridden && request.next == nil && request.failure == nil)
            request.keep(.normal)
            #expect(request.target == .rotated90 && request.setByHand == .rotated270)
            end(&request)
            #expect(request.phase == .idle)
        }
    }

    @Test func `a result after its timeout is not the transform of another program`() {
        var request = pending()
        request.timedOut()
        _ = fail(&request)
        request.ask(for: .normal, in: nil)
        let origins = [OutputTransform.rotated90, .normal, .rotated90].map { request.transformChanged(to: $0) }
        #expect(origins == [.expected, .expected, .byHand])
    }
}
