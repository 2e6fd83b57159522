// SPDX-License-Identifier: Apache-2.0

/// The words for orientations, with the rotations in degrees that each allows on a tall and on a wide panel: W3C's, edges, and
/// UIKit's names of single interface orientations.
package enum Vocabulary {
    package struct Row: Sendable, CustomStringConvertible {
        package let word: String
        package let tall: Set<Int>
        package let wide: Set<Int>

        package var description: String { word }
    }

    package static let words =
        [
            Row(word: "natural", tall: [0], wide: [0]),
            Row(word: "any", tall: [0, 90, 180, 270], wide: [0, 90, 180, 270]),
            Row(word: "portrait", tall: [0, 180], wide: [90, 270]),
            Row(word: "landscape", tall: [90, 270], wide: [0, 180]),
            Row(word: "portrait-primary", tall: [0], wide: [90]),
            Row(word: "portrait-secondary", tall: [180], wide: [270]),
            Row(word: "landscape-primary", tall: [270], wide: [0]),
            Row(word: "landscape-secondary", tall: [90], wide: [180]),
        ] + edges.prefix(4).map { Row(word: $0.0, tall: [$0.1], wide: [$0.1]) }

    package static let uiKitNames = [
        Row(word: "portraitUpsideDown", tall: [180], wide: [270]),
        Row(word: "landscapeLeft", tall: [90], wide: [180]),
        Row(word: "landscapeRight", tall: [270], wide: [0]),
    ]

    /// The edges of the panel, in its own words and in those of iio-sensor-proxy.
    package static let edges = [
        ("top", 0), ("left", 90), ("bottom", 180), ("right", 270), ("normal", 0), ("left-up", 90), ("bottom-up", 180),
        ("right-up", 270),
    ]
}
