// SPDX-License-Identifier: Apache-2.0

import AppManifest
import Foundation
import InterfaceRotation
import OrientationModel
import TestSupport
import Testing

extension TemporaryDirectory {
    fileprivate func plist(
        _ entries: [String: Any], format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> String {
        try write(
            PropertyListSerialization.data(fromPropertyList: entries, format: format, options: 0), to: "Info.plist")
    }
}

private let list = "UISupportedInterfaceOrientations"

@Suite struct InfoPlistTests {
    let folder: TemporaryDirectory
    init() throws { folder = try TemporaryDirectory() }

    func read(_ path: String, _ idiom: UserInterfaceIdiom = .pad) throws -> [InterfaceOrientation]? {
        try OrientationManifest(infoPlist: path, idiom: idiom).supportedInterfaceOrientations
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `R5: the list of an Info.plist, in XML and binary, in its order`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let names = ["LandscapeRight", "Portrait", "PortraitUpsideDown", "LandscapeLeft", "Portrait"]
        let path = try folder.plist([list: names.map { "UIInterfaceOrientation" + $0 }], format: format)
        #expect(try read(path) == [.landscapeRight, .portrait, .portraitUpsideDown, .landscapeLeft])
    }

    @Test func `R5: a key for the idiom wins, and lists are not merged`() throws {
        let path = try folder.plist([
            list: ["UIInterfaceOrientationPortrait"], list + "~ipad": ["UIInterfaceOrientationLandscapeLeft"],
        ])
        #expect(try read(path, .pad) == [.landscapeLeft])
        #expect(try read(path, .phone) == [.portrait])
    }

    @Test func `R5: the single string alone is the initial orientation, and the idiom's default is allowed`() throws {
        let single = ["UIInterfaceOrientation": "UIInterfaceOrientationLandscapeRight"]
        #expect(
            try read(folder.plist(single)) == [.landscapeRight, .portrait, .portraitUpsideDown, .landscapeLeft])
        #expect(try read(folder.plist(single), .phone) == [.landscapeRight, .portrait, .landscapeLeft])
        let upsideDown = ["UIInterfaceOrientation~iphone": "UIInterfaceOrientationPortraitUpsideDown"]
        #expect(try read(folder.plist(upsideDown), .phone)?.first == .portraitUpsideDown)
        #expect(try read(folder.plist(upsideDown)) == nil)
        let both: [String: Any] = ["UIInterfaceOrientation": 5, list: ["UIInterfaceOrientationPortrait"]]
        #expect(try read(folder.plist(both)) == [.portrait])
    }

    @MainActor @Test(arguments: PanelShape.allCases)
    func `R6: an app with an initial orientation alone starts in it, and turns to the others`(shape: PanelShape) throws
    {
        let path = try folder.plist(["UIInterfaceOrientation": "UIInterfaceOrientationLandscapeRight"])
        let size = Size(width: 320, height: 568)
        let application = Application(
            idiom: .phone, manifest: try OrientationManifest(infoPlist: path, idiom: .phone),
            screen: Screen(size: shape == .tall ? size : size.swapped), frameClock: ManualFrameClock())
        #expect(application.statusBarOrientation == .landscapeRight)
        let window = Window(application: application)
        try window.trySetRootViewController(ViewController())
        try window.tryMakeKeyAndVisible()
        #expect(window.interfaceOrientation == .landscapeRight)
        application.device.update(.portrait)
        #expect(window.interfaceOrientation == .portrait)
        application.device.update(.portraitUpsideDown)
        #expect(window.interfaceOrientation == .portrait)
        let sentence = window.explain()?.sentence
        #expect(sentence?.contains("the default of the idiom .phone does not allow portraitUpsideDown") == true)
    }

    @Test func `R5: without a key nothing is declared`() throws {
        #expect(try read(folder.plist(["CFBundleName": "App"])) == nil)
    }

    @Test func `R5: unknown names, wrong types and empty lists name file, key and value`() throws {
        let unknown = try folder.plist([list: ["UIInterfaceOrientationSideways"]])
        let error = #expect(throws: ManifestError.self) { try read(unknown) }
        let text = try #require(error?.description)
        #expect(text.contains(unknown) && text.contains(list) && text.contains("'UIInterfaceOrientationSideways'"))
        #expect(text.contains("UIInterfaceOrientationPortraitUpsideDown"))
        let empty = try folder.plist([list: [String]()])
        #expect(throws: ManifestError.emptyList(file: empty, key: list)) { try read(empty) }
        let expected = "an array of strings"
        for (value, kind) in [
            ("portrait" as Any, "the string 'portrait'"), ([1, 2], "an array of 2 values, not all of them strings"),
            (["a": 1], "a dictionary"), (Data([1]), "data"), (Date(), "a date"), (7, "'7'"),
        ] {
            let path = try folder.plist([list: value])
            #expect(throws: ManifestError.wrongType(file: path, key: list, value: kind, expected: expected)) {
                try read(path)
            }
        }
        let single = try folder.plist(["UIInterfaceOrientation": ["UIInterfaceOrientationPortrait"]])
        #expect(throws: ManifestError.self) { try read(single) }
    }

    @Test func `R5: a file that is missing, not a property list, or not a dictionary`() throws {
        let missing = folder.path("nowhere.plist")
        for (path, reason) in [(missing, "No such file or directory"), (folder.path, "Is a directory")] {
            let error = #expect(throws: ManifestError.unreadable(file: path, reason: reason)) { try read(path) }
            #expect(error?.description.contains("pass a readable Info.plist or .desktop file") == true)
        }
        for bytes in [
            "", "hello", "<plist><dict><key>", "<plist version=\"1.0\"><string>a</string></plist>", "{ a = b; }",
        ] {
            let path = try folder.write(Data(bytes.utf8), to: "Info.plist")
            let error = #expect(throws: ManifestError.self) { try read(path) }
            guard case .malformed = error else {
                Issue.record("\(bytes): \(String(describing: error))")
                continue
            }
        }
        let huge = try folder.write(Data(count: 2 << 20), to: "Info.plist")
        let error = #expect(throws: ManifestError.self) { try read(huge) }
        #expect(error?.description.contains("more than 1048576 bytes") == true)
    }
}
