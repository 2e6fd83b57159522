// SPDX-License-Identifier: Apache-2.0

/// The row of the table of sources for `replay:FILE?speed=…&loop=…`.
package enum ReplaySource {
    package static let row = SourceKind(
        scheme: "replay", takesAddress: true,
        open: { address, _ throws(SensorFailure) in try ReplayAccelerometer(parse(address)) },
        survey: { address, _ throws(SensorFailure) in
            let name = try parse(address).name
            let info = SensorInfo(id: "replay:\(name)", name: name)
            return [SensorListing(info: info, isChosen: true, why: "asked for; it is a recording")]
        })

    private static func parse(_ address: String) throws(SensorFailure) -> SourceAddress {
        try SourceAddress(parsing: address, known: ["speed", "loop"])
    }
}
