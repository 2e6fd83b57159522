// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import Testing

@testable import Autorotate

/// The transform of another program: what the tests of the agent do not reach.
@Suite struct RotationRequestTests {
    /// A request whose attempt is pending.
    private var pending: RotationRequest {
        var request = RotationRequest()
        request.ask(for: .rotated90, in: nil)
        request.send(RotationRequest.Attempt(transform: .rotated90))
        return request
    }

    /// The pending attempt fails.
    private func fail(_ request: inout RotationRequest) {
        guard let attempt = request.finish() else { return }
        _ = request.failed(attempt, .failed("eDP-1", .rotated90, "busy"), first: 1)
    }

    @Test func `a reset changes nothing but the output, unless the output keeps a transform or nothing is asked for`() {
        var request = pending
        request.succeeded()
        #expect(request.transformChanged(to: .normal, isReset: true) == .reset && request.next == .rotated90)
        #expect(request.transformChanged(to: .rotated180) == .byHand && request.phase == .overridden)
        #expect(request.transformChanged(to: .normal, isReset: true) == .byHand)
        var empty = RotationRequest()
        #expect(empty.transformChanged(to: .normal, isReset: true) == .byHand)
    }

    @Test func `overridden: nothing is applied until the next target, new outputs or tablet mode`() {
        let ends: [(inout RotationRequest) -> Void] = [
            { $0.ask(for: .rotated180, in: nil) }, { $0.outputsChanged() }, { $0.enteredTabletMode() },
        ]
        for end in ends {
            var request = pending
            fail(&request)
            let origin = request.transformChanged(to: .rotated270)
            #expect(origin == .byHand && request.phase == .overridden && request.next == nil && request.failure == nil)
            request.keep(.normal)
            #expect(request.target == .rotated90 && request.setByHand == .rotated270)
            end(&request)
            #expect(request.phase == .idle)
        }
    }

    @Test func `a result after its timeout is not the transform of another program`() {
        var request = pending
        request.timedOut()
        fail(&request)
        request.ask(for: .normal, in: nil)
        let origins = [OutputTransform.rotated90, .normal, .rotated90].map { request.transformChanged(to: $0) }
        #expect(origins == [.expected, .expected, .byHand])
    }
}
