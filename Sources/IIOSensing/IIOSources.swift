// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
package import Sensing

/// The rows of the table of sources that go through libiio.
package enum IIOSources {
    /// `auto`, and `iio:` with whatever stands behind it.
    package static let rows: [SourceKind] = [
        SourceKind(
            scheme: "auto", takesAddress: false,
            open: { _, facts throws(SensorFailure) in try open(IIOAddress(""), facts: facts) },
            survey: { _, facts throws(SensorFailure) in try survey(IIOAddress(""), facts: facts) }),
        SourceKind(
            scheme: "iio", takesAddress: true,
            open: { address, facts throws(SensorFailure) in try open(IIOAddress(address), facts: facts) },
            survey: { address, facts throws(SensorFailure) in try survey(IIOAddress(address), facts: facts) }),
    ]

    private static func open(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> any Accelerometer {
        let context = try IIOContext(uri: address.contextURI)
        let survey = IIOSurvey(context, wanted: address.device, facts: facts)
        guard let device = survey.chosen else {
            throw .noDevice(
                survey.reasonForNone(wanted: address.device, on: address.contextURI ?? "this machine"))
        }
        // udev's rules have not run: the matrix may still come, and a wrong first answer would be seen.
        if context.isLocal, facts.pending.contains(device.info.id) {
            throw .noDevice(
                "\(device.info.id) (\(device.info.name)) is there, and udev has not finished with it")
        }
        return PolledAccelerometer(context: context, device: device)
    }

    private static func survey(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> [SensorDescription] {
        let context = try IIOContext(uri: address.contextURI)
        return IIOSurvey(context, wanted: address.device, facts: facts).listings
    }
}
