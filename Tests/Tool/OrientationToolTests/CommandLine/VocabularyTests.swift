// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import TestSupport
import Testing

@testable import OrientationTool

/// One word means the same picture in `hold` and in `lock`, on both shapes of panels.
@Suite struct VocabularyTests {
    @Test(arguments: Vocabulary.words + Vocabulary.uiKitNames)
    func `hold allows the rotations of a word, in any case`(row: Vocabulary.Row) throws {
        let list = try OrientationList.parse(row.word.uppercased())
        for (shape, rotations) in [(PanelShape.tall, row.tall), (.wide, row.wide)] {
            let edges = list.edges(natural: shape.natural).map { PanelEdge($0, natural: shape.natural) }
            #expect(Set(edges.map(\.rotation)) == rotations && edges.count == rotations.count)
        }
    }

    @Test func `hold takes iio-sensor-proxy's words for edges`() throws {
        let list = try OrientationList.parse("Left-Up,bottom-up,right-up,normal")
        #expect(list.words == [.left, .bottom, .right, .top])
    }

    @Test func `lock and simulate take the words for one orientation, and the edges`() throws {
        let words = Vocabulary.words.filter { $0.tall.count == 1 }.map { ($0.word, [$0.tall, $0.wide]) }
        for (word, rotations) in words + Vocabulary.edges.map({ ($0.0, [[$0.1], [$0.1]]) }) {
            for place in [try Lock.parse(word.uppercased()), try WordList<PoseWord>.poses.parse(word)] {
                for (shape, rotations) in zip([PanelShape.tall, .wide], rotations) {
                    let pose = place.pose { shape.natural }
                    let edge = try #require(PanelPose(pose, natural: shape.natural)?.edge)
                    #expect([edge.rotation] == rotations, "\(word) \(shape)")
                }
            }
        }
    }

    @Test(arguments: ["portrait", "landscape", "any", "landscapeLeft", "up"])
    func `lock refuses words for more than one orientation, and UIKit's`(word: String) {
        #expect(throws: (any Error).self) { try Lock.parse(word) }
    }
}
