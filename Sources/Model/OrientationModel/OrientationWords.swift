// SPDX-License-Identifier: Apache-2.0

/// A word for orientations that an app or a user allows: as in W3C's Screen Orientation, where `…-primary` of the panel's
/// own shape is always the picture without rotation, or the edge of the panel that is up.
///
/// The rotations in degrees, counter-clockwise:
///
///                             on a tall panel   on a wide panel
///     portrait-primary        0                 90
///     portrait-secondary      180               270
///     landscape-primary       270               0
///     landscape-secondary     90                180
package enum OrientationWord: String, CaseIterable, Sendable {
    case natural, portrait, landscape, any
    case portraitPrimary = "portrait-primary"
    case portraitSecondary = "portrait-secondary"
    case landscapePrimary = "landscape-primary"
    case landscapeSecondary = "landscape-secondary"
    case top, left, bottom, right

    /// The words for one pose each, whatever the panel is.
    package static let poses: [OrientationWord] = [
        .portraitPrimary, .portraitSecondary, .landscapePrimary, .landscapeSecondary,
    ]

    /// UIKit's names of interface orientations. `portrait` is W3C's as well, and read by
    /// ``OrientationList/init(_:refusesUIKitLandscapes:)``.
    package static let uiKitNames: [(name: String, word: OrientationWord)] = [
        ("portraitUpsideDown", .portraitSecondary), ("landscapeLeft", .landscapeSecondary),
        ("landscapeRight", .landscapePrimary),
    ]

    /// Returns the words for a name of UIKit, which swaps the landscapes of poses and interfaces; nil for other texts.
    package static func meaning(ofUIKitName text: String) -> String? {
        guard let (name, interface) = uiKitNames.first(where: { matches($0.name, text) }),
            let pose = poses.first(where: { $0.edges(natural: .portrait).map(\.description) == [name] })
        else { return nil }
        let words = "\(pose.rawValue) as a pose, \(interface.rawValue) as an interface"
        return "\(name) is \(pose == interface ? pose.rawValue : words)"
    }

    /// Returns UIKit's name of the interface orientation that is upright in a pose.
    package static func interfaceName(of edge: Edge) -> String {
        uiKitNames.first { $0.word.edges(natural: .portrait) == [edge] }?.name ?? portrait.rawValue
    }

    package static func matches(_ word: String, _ text: String) -> Bool {
        word.lowercased().utf8.elementsEqual(text.lowercased().utf8)
    }

    /// Returns the poses in which the picture is upright, the preferred one first.
    package func edges(natural: Edge) -> [Edge] {
        switch self {
        case .natural, .top: [natural]
        case .left: [Edge(.left, natural: natural)]
        case .bottom: [Edge(.bottom, natural: natural)]
        case .right: [Edge(.right, natural: natural)]
        case .portrait: [.portrait, .portraitUpsideDown]
        case .landscape: [.landscapeLeft, .landscapeRight]
        case .any: [.portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight]
        case .portraitPrimary: [.portrait]
        case .portraitSecondary: [.portraitUpsideDown]
        case .landscapePrimary: [.landscapeLeft]
        case .landscapeSecondary: [.landscapeRight]
        }
    }
}

/// The orientations that an app or a user allows: words in their order, which get their poses from the panel.
package struct OrientationList: Hashable, Sendable, CustomStringConvertible {
    package struct UnknownWord: Error { package let word: String }

    /// Distinct, which limits the length: texts of clients may repeat words.
    package let words: [OrientationWord]
    private var hasUIKitNames = false

    package init(_ words: [OrientationWord]) { self.words = words.withoutRepetitions }

    /// Creates the list of poses in their order, with the fewest words: `landscape` for both, the primary one first.
    package init(edges: [Edge]) {
        let candidates: [OrientationWord] = [.any, .portrait, .landscape] + OrientationWord.poses
        var words: [OrientationWord] = []
        var rest = edges[...]
        while let word = candidates.first(where: { rest.starts(with: $0.edges(natural: .portrait)) }) {
            words.append(word)
            rest = rest.dropFirst(word.edges(natural: .portrait).count)
        }
        self.words = words
    }

    /// Reads the words of a list; case is ignored. In a list with another name of UIKit's, `portrait` is UIKit's, the
    /// upright one, otherwise W3C's, which is both. UIKit's landscapes are each the name of another pose: a list of poses
    /// refuses them with `refusesUIKitLandscapes`.
    package init(_ texts: [String], refusesUIKitLandscapes: Bool = false) throws(UnknownWord) {
        var words: [OrientationWord] = []
        for text in texts {
            let name = OrientationWord.uiKitNames.first { OrientationWord.matches($0.name, text) }
            if let name,
                !refusesUIKitLandscapes || name.word.edges(natural: .portrait).map(\.description) == [name.name]
            {
                words.append(name.word)
                hasUIKitNames = true
            } else if let word = OrientationWord.allCases.first(where: { OrientationWord.matches($0.rawValue, text) }) {
                words.append(word)
            } else {
                throw UnknownWord(word: text)
            }
        }
        let isUpright = hasUIKitNames
        self.words = words.map { isUpright && $0 == .portrait ? .portraitPrimary : $0 }.withoutRepetitions
    }

    /// Returns the allowed poses in their order, without duplicates.
    package func edges(natural: Edge) -> [Edge] {
        words.flatMap { $0.edges(natural: natural) }.withoutRepetitions
    }

    /// Returns the pose of a preferred word, of a word for two the first; nil if it is not allowed.
    package func first(_ preferred: OrientationWord?, natural: Edge) -> Edge? {
        preferred?.edges(natural: natural).first.flatMap { edges(natural: natural).contains($0) ? $0 : nil }
    }

    /// Returns a warning for one landscape in UIKit's names that turns the display upside down while the other landscape is
    /// its natural orientation; nil for other lists.
    package func warning(natural: Edge) -> String? {
        let edges = edges(natural: natural)
        guard hasUIKitNames, natural == .landscapeLeft, !edges.contains(natural), edges.contains(.landscapeRight) else {
            return nil
        }
        return "landscapeLeft turns this display by 180°, landscapeRight by 0°; landscape allows both"
    }

    /// The words, separated by commas.
    package var description: String { words.map(\.rawValue).joined(separator: ", ") }
}

extension Array where Element: Equatable {
    /// The first of equal elements each.
    fileprivate var withoutRepetitions: Self { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
