// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@testable import OrientationTool

/// What `orientationctl display` prints without orientation-autorotate.
@Suite struct DesktopHoldsTests {
    private let held: JSONObject = [
        "sentence": "The desktop receives landscape-primary.", "orientation": "landscapeRight", "rotation": 270,
        "allowed": ["landscapeRight", "landscapeLeft"],
        "answers": [
            ["source": "hold 1 (process 7)", "answer": "landscape"], ["source": "hold 2\u{1b}", "answer": "any"],
        ],
    ]

    @Test func `the desktop, its rotation, each hold and the sentence are printed`() {
        #expect(
            DesktopHolds(desktop: "Phosh", held).text == """
                turned by      Phosh itself
                orientation    landscape-primary
                rotation       270°
                held by        hold 1 (process 7): landscape
                held by        hold 2·: any
                The desktop receives landscape-primary.
                """)
    }

    @Test func `on an unknown desktop the missing program is named`() {
        #expect(
            DesktopHolds(desktop: nil, ["sentence": "No hold.", "answers": []]).text == """
                turned by      unknown: orientation-autorotate is not installed
                No hold.
                """)
    }

    @Test func `the JSON object has the keys of the list of outputs`() {
        let json = DesktopHolds(desktop: "Phosh", held).json
        #expect(json["rotatedBy"] == "Phosh" && json["outputs"] == [] && json["explanation"] == .object(held))
    }
}
