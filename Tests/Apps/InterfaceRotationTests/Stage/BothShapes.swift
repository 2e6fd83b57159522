// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Runs each test of a suite twice: with a stage on a tall screen, and with one on a wide screen.
///
/// Tests use orientation names, which are valid on both shapes. The shape-dependent values are properties of ``Stage``.
/// `Rules.md` lists the rules that are covered.
struct BothShapes: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var shape = PanelShape.tall

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for shape in PanelShape.allCases {
            let names = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("on a \(shape) screen")
                return issue
            }
            try await Self.$shape.withValue(shape) {
                try await names.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
    }
}

extension Trait where Self == BothShapes {
    /// Runs each test on a tall and on a wide screen.
    static var onBothShapes: Self { Self() }
}

extension Stage {
    /// The shape of the screen of this test.
    nonisolated static var shape: PanelShape { BothShapes.shape }

    /// The size of the unrotated screen: 320 × 568, or 568 × 320 if it is wide.
    nonisolated static var size: Size { shape == .tall ? Size(width: 320, height: 568) : Size(width: 568, height: 320) }

    /// The interface orientation that is not rotated.
    nonisolated static var natural: InterfaceOrientation { shape.naturalInterfaceOrientation }
}

extension InterfaceOrientation {
    /// The transform on the screen of this test.
    var transform: Transform { transform(on: Stage.shape) }
}

extension OrientationManifest {
    /// All orientations, with portrait first: an app that starts in portrait, on a wide screen too.
    static var portraitFirst: Self {
        do { return try Self([.portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft]) } catch { return .none }
    }
}
