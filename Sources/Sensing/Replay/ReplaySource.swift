// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The row of the table of sources for `replay:FILE?speed=…&loop=…`.
package enum ReplaySource {
    package static let row = SourceKind(
        scheme: "replay", takesAddress: true,
        check: { address throws(SensorFailure) in try ReplayAccelerometer.check(parse(address)) },
        open: { address, _ throws(SensorFailure) in try ReplayAccelerometer(parse(address)) },
        survey: { address, _ throws(SensorFailure) in
            let name = try parse(address).name
            return [
                SensorDescription(
                    id: "replay:\(name)", name: name, isChosen: true, why: "asked for; it is a recording")
            ]
        })

    private static func parse(_ address: String) throws(SensorFailure) -> SourceAddress {
        try SourceAddress(parsing: address, known: ["speed", "loop"])
    }
}
