// SPDX-License-Identifier: Apache-2.0

import Testing

/// The messages of protocols whose XML no package of Debian has (COSMIC's), or none of Debian 12, or only in an older
/// version: written down from pop-os/cosmic-protocols (cosmic-toplevel-info, version 4) and wayland-protocols 1.49.
nonisolated enum ProtocolFacts {
    /// An interface begins with its name and its version. Each message has its kind, its name, its signature with the
    /// version of its introduction, and the interface of each object; `-` for one that CWayland does not name.
    private static let text = """
        interface ext_foreign_toplevel_list_v1 1
        request stop
        request destroy
        event toplevel n ext_foreign_toplevel_handle_v1
        event finished

        interface ext_foreign_toplevel_handle_v1 1
        request destroy
        event closed
        event done
        event title s
        event app_id s
        event identifier s

        interface zcosmic_toplevel_info_v1 4
        request stop
        request get_cosmic_toplevel 2no zcosmic_toplevel_handle_v1 ext_foreign_toplevel_handle_v1
        event toplevel n zcosmic_toplevel_handle_v1
        event finished
        event done 2

        interface zcosmic_toplevel_handle_v1 4
        request destroy
        request create_icon_source 4nuu -
        event closed
        event done
        event title s
        event app_id s
        event output_enter o wl_output
        event output_leave o wl_output
        event workspace_enter o -
        event workspace_leave o -
        event state a
        event geometry 2oiiii wl_output
        event ext_workspace_enter 3o -
        event ext_workspace_leave 3o -
        event icon_changed 4?s
        event icon_removed 4

        interface ext_workspace_manager_v1 1
        request commit
        request stop
        event workspace_group n ext_workspace_group_handle_v1
        event workspace n ext_workspace_handle_v1
        event done
        event finished

        interface ext_workspace_group_handle_v1 1
        request create_workspace s
        request destroy
        event capabilities u
        event output_enter o wl_output
        event output_leave o wl_output
        event workspace_enter o ext_workspace_handle_v1
        event workspace_leave o ext_workspace_handle_v1
        event removed

        interface ext_workspace_handle_v1 1
        request destroy
        request activate
        request deactivate
        request assign o ext_workspace_group_handle_v1
        request remove
        event id s
        event name s
        event coordinates a
        event state u
        event capabilities u
        event removed
        """

    /// The interfaces by name.
    static func interfaces() throws -> [String: ProtocolXML.Interface] {
        var interfaces: [String: ProtocolXML.Interface] = [:]
        var current = ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "interface" {
                current = words[1]
                interfaces[current] = ProtocolXML.Interface(version: try #require(Int32(words[2])))
            } else if words[0] == "request" {
                interfaces[current]?.requests.append(message(words))
            } else {
                interfaces[current]?.events.append(message(words))
            }
        }
        return interfaces
    }

    private static func message(_ words: [String]) -> ProtocolXML.Message {
        let signature = words.count > 2 ? words[2] : ""
        var objects = words.dropFirst(3)[...]
        let types = signature.filter(\.isLetter).map { letter in
            guard letter == "o" || letter == "n", let name = objects.popFirst() else { return "" }
            return name == "-" ? "" : name
        }
        return ProtocolXML.Message(
            name: words[1], since: Int32(signature.prefix { $0.isNumber }) ?? 1,
            signature: String(signature.drop { $0.isNumber }), interfaces: types)
    }
}
