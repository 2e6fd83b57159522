// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct AddedRotationsTests {
    private var rotations = AddedRotations()

    /// Learns from an output that was reported with another transform; returns whether that was new.
    private mutating func learn(_ reported: OutputTransform, for requested: OutputTransform) -> Bool {
        rotations.learn(from: [
            (Output(name: "eDP-1", transform: reported), Output(name: "eDP-1", transform: requested))
        ])
    }

    private func sent(_ transform: OutputTransform, _ name: String = "eDP-1") -> OutputTransform {
        rotations.transform(for: Output(name: name, transform: transform))
    }

    @Test mutating func `a rotation that was forgotten is learned again`() {
        _ = learn(.normal, for: .rotated90)
        rotations.forget([(Output(name: "eDP-1"), Output(name: "eDP-1"))])
        #expect(sent(.rotated90) == .rotated90)
        let isNew = learn(.rotated180, for: .rotated90)
        #expect(isNew)
        #expect(sent(.rotated90) == .normal)
    }

    @Test mutating func `flipped pictures are left alone`() {
        let isNew = [learn(.flipped, for: .rotated90), learn(.rotated90, for: .flipped90)]
        #expect(isNew == [false, false])
        #expect(sent(.flipped90) == .flipped90)
    }
}
