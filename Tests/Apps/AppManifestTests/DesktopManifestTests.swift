// SPDX-License-Identifier: Apache-2.0

import AppManifest
import OrientationModel
import OrientationRules
import TestSupport
import Testing

@Suite struct DesktopManifestTests {
    let folder: TemporaryDirectory
    init() throws { folder = try TemporaryDirectory() }
    let key = "X-SupportedInterfaceOrientations"

    func read(_ text: String, _ idiom: UserInterfaceIdiom = .pad) throws -> [InterfaceOrientation]? {
        try OrientationManifest(desktopEntry: folder.desktop(text), idiom: idiom).supportedInterfaceOrientations
    }

    @Test(arguments: [
        ("portrait", [InterfaceOrientation.portrait, .portraitUpsideDown]),
        ("landscape", [.landscapeRight, .landscapeLeft]),
        ("natural;portrait-primary", [.portrait]), ("portrait-secondary", [.portraitUpsideDown]),
        ("landscape-secondary;landscape-primary", [.landscapeLeft, .landscapeRight]),
        ("Portrait;landscape", [.portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft]),
        ("portrait;landscapeLeft", [.portrait, .landscapeLeft]),
        ("any", [.portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft]),
    ])
    func `R5: words of W3C, and UIKit's names, beside which portrait is the upright one`(
        value: String, orientations: [InterfaceOrientation]
    ) throws {
        for idiom in UserInterfaceIdiom.allCases {
            #expect(try read("[Desktop Entry]\n\(key)=\(value)\n", idiom) == orientations)
        }
    }

    @Test func `R5: a desktop key for the idiom wins`() throws {
        let text = "[Desktop Entry]\n\(key)=portrait\n\(key)-Phone=landscapeLeft;landscapeRight;\n"
        #expect(try read(text, .phone) == [.landscapeLeft, .landscapeRight])
        #expect(try read(text, .pad) == [.portrait, .portraitUpsideDown])
        #expect(try read("[Desktop Entry]\nName=App\n") == nil)
    }

    @Test func `R5: a desktop entry with unknown names or an empty list names file, key and value`() throws {
        let known = [
            "natural", "portrait", "landscape", "any", "portrait-primary", "portrait-secondary", "landscape-primary",
            "landscape-secondary", "top", "left", "bottom", "right",
        ]
        for name in ["sideways", "unknown", "UIInterfaceOrientationPortrait", ""] {
            let path = try folder.desktop("[Desktop Entry]\n\(key)=portrait;\(name);\n")
            let error = #expect(throws: ManifestError.self) { try OrientationManifest(desktopEntry: path, idiom: .pad) }
            #expect(error == .unknownName(file: path, key: key, value: name, known: known))
            #expect(error?.description.hasSuffix("must be one of \(known.joined(separator: ", "))") == true)
        }
        for value in ["", "  "] {
            let path = try folder.desktop("[Desktop Entry]\n\(key)=\(value)\n")
            #expect(throws: ManifestError.emptyList(file: path, key: key)) {
                try OrientationManifest(desktopEntry: path, idiom: .pad)
            }
        }
    }

    @Test(arguments: [
        ("", "the group [Desktop Entry] is missing"), ("[Desktop Entry]\nportrait\n", "line 2: neither"),
    ])
    func `R5: an invalid desktop entry is reported with its line`(text: String, reason: String) throws {
        let error = #expect(throws: ManifestError.self) { try read(text) }
        #expect(error?.description.contains(reason) == true)
    }
}

extension TemporaryDirectory {
    fileprivate func desktop(_ text: String) throws -> String { try write(text, to: "app.desktop") }
}
