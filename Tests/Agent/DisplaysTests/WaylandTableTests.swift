// SPDX-License-Identifier: Apache-2.0

import CWayland
import Foundation
import Testing

/// The tables of CWayland, compared with the XML of Debian's packages that Scripts/get-protocols.sh downloads. None has that
/// of COSMIC.
@Suite struct WaylandTableTests {
    nonisolated static let directory = ".build/protocols"

    /// The interfaces that are bound, by the file of their protocol.
    static let bound: [(file: String, interfaces: [UnsafePointer<wl_interface>])] = [
        ("wlr-output-management-unstable-v1.xml", [cwayland_wlr_output_manager()]),
        ("wlr-foreign-toplevel-management-unstable-v1.xml", [cwayland_wlr_toplevel_manager()]),
        // Not in Debian 12.
        ("ext-foreign-toplevel-list-v1.xml", [cwayland_toplevel_list()]),
        ("ext-workspace-v1.xml", [cwayland_workspace_manager()]),
    ]

    /// The tables of interfaces by name, with those of the objects in their messages, except libwayland's own.
    static func tables(from interfaces: [UnsafePointer<wl_interface>]) -> [String: UnsafePointer<wl_interface>] {
        var tables: [String: UnsafePointer<wl_interface>] = [:]
        var next = interfaces
        while let table = next.popLast() {
            let name = String(cString: table.pointee.name)
            guard !name.hasPrefix("wl_"), tables.updateValue(table, forKey: name) == nil else { continue }
            let messages = [
                (table.pointee.methods, table.pointee.method_count), (table.pointee.events, table.pointee.event_count),
            ].flatMap { UnsafeBufferPointer(start: $0.0, count: Int($0.1)) }
            for message in messages {
                let count = String(cString: message.signature).count(where: \.isLetter)
                next += (0..<count).compactMap { message.types[$0] }
            }
        }
        return tables
    }

    nonisolated private static func isReadable(_ file: String) -> Bool {
        FileManager.default.isReadableFile(atPath: "\(directory)/\(file)")
    }

    @Test(
        .enabled(
            if: isReadable("wlr-output-management-unstable-v1.xml"),
            "the XML is not here: run Scripts/get-protocols.sh"))
    func `each message of a table has the name, the signature and the interfaces of the XML`() throws {
        for (file, interfaces) in Self.bound where Self.isReadable(file) {
            let described = try ProtocolXML.parse(
                String(contentsOfFile: "\(Self.directory)/\(file)", encoding: .utf8))
            for table in Self.tables(from: interfaces).values
            where described[String(cString: table.pointee.name)] != nil {
                try Self.compare(table, with: described)
            }
        }
    }

    static func compare(
        _ table: UnsafePointer<wl_interface>, with described: [String: ProtocolXML.Interface]
    ) throws {
        let name = String(cString: table.pointee.name)
        let interface = try #require(described[name])
        Self.compare(
            Self.messages(table.pointee.methods, table.pointee.method_count), with: interface.requests, interface,
            "requests of \(name)")
        let events = Self.messages(table.pointee.events, table.pointee.event_count)
        Self.compare(events, with: interface.events, interface, "events of \(name)")
        // Requests that are not used are left out; an event that is not in the table would end the connection.
        #expect(events.count >= interface.events.count { $0.since <= table.pointee.version }, "events of \(name)")
    }

    /// Compares the messages that both have. The table or the XML may have more, of later versions.
    static func compare(
        _ messages: [ProtocolXML.Message], with described: [ProtocolXML.Message], _ interface: ProtocolXML.Interface,
        _ what: Comment
    ) {
        let count = min(messages.count, described.count)
        #expect(Array(messages.prefix(count)) == Array(described.prefix(count)), what)
        #expect(messages.dropFirst(count).allSatisfy { $0.since > interface.version }, what)
    }

    static func messages(_ table: UnsafePointer<wl_message>?, _ count: Int32) -> [ProtocolXML.Message] {
        UnsafeBufferPointer(start: table, count: Int(count)).map { message in
            let signature = String(cString: message.signature)
            let count = signature.filter { $0.isLetter }.count
            let interfaces = (0..<count).map { index in
                message.types[index].map { String(cString: $0.pointee.name) } ?? ""
            }
            let since = Int32(signature.prefix { $0.isNumber }) ?? 1
            return ProtocolXML.Message(
                name: String(cString: message.name), since: since, signature: String(signature.drop { $0.isNumber }),
                interfaces: interfaces)
        }
    }
}

/// The messages in the XML of a Wayland protocol; reads the tags that matter, and no other XML.
nonisolated enum ProtocolXML {
    struct Interface {
        var version: Int32
        var requests: [Message] = []
        var events: [Message] = []
    }

    struct Message: Equatable {
        var name: String
        var since: Int32
        var signature = ""
        var interfaces: [String] = []
    }

    static func parse(_ text: String) -> [String: Interface] {
        var interfaces: [String: Interface] = [:]
        var (current, message, isEvent) = ("", Message?.none, false)
        let parts = text.split(separator: "<!--", omittingEmptySubsequences: false)
        let plain = parts.prefix(1) + parts.dropFirst().map { $0.split(separator: "-->", maxSplits: 1).last ?? "" }
        for tag in tags(in: plain.joined()) {
            let attributes = tag.attributes
            switch tag.name {
            case "interface":
                current = attributes["name"] ?? ""
                interfaces[current] = Interface(version: number(attributes["version"]))
            case "request", "event":
                message = Message(name: attributes["name"] ?? "", since: number(attributes["since"]))
                isEvent = tag.name == "event"
                if tag.isEmpty { fallthrough }
            case "/request", "/event":
                guard let complete = message else { continue }
                if isEvent {
                    interfaces[current]?.events.append(complete)
                } else {
                    interfaces[current]?.requests.append(complete)
                }
                message = nil
            case "arg":
                let isOptional = attributes["allow-null"] == "true"
                message?.signature += (isOptional ? "?" : "") + letter(attributes["type"])
                message?.interfaces.append(attributes["interface"] ?? "")
            default: break
            }
        }
        return interfaces
    }

    private static func number(_ text: String?) -> Int32 { text.flatMap { Int32($0) } ?? 1 }

    private static func letter(_ type: String?) -> String {
        switch type {
        case "new_id": "n"
        case "fd": "h"
        default: String((type ?? "?").prefix(1))
        }
    }

    private struct Tag {
        var name: String
        var attributes: [String: String]
        var isEmpty: Bool
    }

    private static func tags(in text: String) -> [Tag] {
        text.split(separator: "<").dropFirst().compactMap { piece in
            guard let end = piece.lastIndex(of: ">") else { return nil }
            let content = piece[..<end]
            let name = content.prefix { !$0.isWhitespace && $0 != ">" }
            var attributes: [String: String] = [:]
            // name="value": the pieces between quotes alternate.
            let quoted = content.split(separator: "\"", omittingEmptySubsequences: false)
            for index in stride(from: 0, to: quoted.count - 1, by: 2) {
                let key = quoted[index].split { $0.isWhitespace || $0 == "=" }.last.map(String.init) ?? ""
                attributes[key] = String(quoted[index + 1])
            }
            return Tag(name: String(name), attributes: attributes, isEmpty: content.hasSuffix("/"))
        }
    }
}
