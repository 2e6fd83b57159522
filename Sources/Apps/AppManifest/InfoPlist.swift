// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
public import OrientationRules

extension OrientationManifest {
    /// Reads the orientations that an `Info.plist`, in XML or binary form, declares for an idiom.
    ///
    /// Uses the list `UISupportedInterfaceOrientations`. The single string `UIInterfaceOrientation` alone is the initial
    /// orientation: the first of a list that continues with the idiom's default. A key with `~ipad` or `~iphone` wins
    /// on that idiom. Without any of them nothing is declared.
    public init(infoPlist path: String, idiom: UserInterfaceIdiom) throws(ManifestError) {
        let file = try ManifestFile(path: path)
        let entries = try InfoPlist.entries(of: file)
        let list = "UISupportedInterfaceOrientations"
        let single = "UIInterfaceOrientation"
        let suffix = idiom == .pad ? "~ipad" : "~iphone"
        for key in [list + suffix, list] {
            guard let value = entries[key] else { continue }
            guard let names = value as? [String] else {
                throw .wrongType(
                    file: path, key: key, value: InfoPlist.kind(of: value), expected: "an array of strings")
            }
            self = try .named(names, file: path, key: key, spelling: InfoPlist.spelling)
            return
        }
        for key in [single + suffix, single] {
            guard let value = entries[key] else { continue }
            guard let name = value as? String else {
                throw .wrongType(file: path, key: key, value: InfoPlist.kind(of: value), expected: "a string")
            }
            let names = [name] + idiom.defaultOrientations.orientations.map(InfoPlist.name(of:))
            self = try .named(names, file: path, key: key, spelling: InfoPlist.spelling)
            isInitialOnly = true
            return
        }
        self = .none
    }
}

/// The spelling and the types of Apple's property lists.
private enum InfoPlist {
    static let spelling = InterfaceOrientationMask.all.orientations.map { (name: name(of: $0), orientation: $0) }

    static func name(of orientation: InterfaceOrientation) -> String {
        let name = orientation.description
        return "UIInterfaceOrientation" + name.prefix(1).uppercased() + name.dropFirst()
    }

    static func entries(of file: ManifestFile) throws(ManifestError) -> [String: Any] {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let list: Any
        do {
            list = try PropertyListSerialization.propertyList(from: file.data, options: [], format: &format)
        } catch {
            throw .malformed(file: file.path, reason: "not a property list in XML or binary form")
        }
        guard format == .xml || format == .binary else {
            throw .malformed(file: file.path, reason: "not a property list in XML or binary form")
        }
        guard let entries = list as? [String: Any] else {
            throw .malformed(file: file.path, reason: "the top level is \(kind(of: list)), not a dictionary")
        }
        return entries
    }

    /// Describes the type of a value, and the value where it is short.
    static func kind(of value: Any) -> String {
        switch value {
        case let text as String: "the string '\(text)'"
        case let list as [Any]: "an array of \(list.count) values, not all of them strings"
        case is [String: Any]: "a dictionary"
        case is Data: "data"
        case is Date: "a date"
        default: "'\(value)'"
        }
    }
}
