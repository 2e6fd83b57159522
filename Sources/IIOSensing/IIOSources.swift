// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
package import Sensing

/// The rows of the table of sources that go through libiio.
package struct IIOSources: Sendable {
    private let note: ArmedNote

    /// Running buffers are noted in `note`.
    package init(note: ArmedNote) {
        self.note = note
    }

    /// `auto`, and `iio:` with whatever stands behind it.
    package var rows: [SourceKind] {
        [row(scheme: "auto", takesAddress: false), row(scheme: "iio", takesAddress: true)]
    }

    private func row(scheme: String, takesAddress: Bool) -> SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: takesAddress,
            check: { address throws(SensorFailure) in try IIOAddress(address).check() },
            open: { address, facts throws(SensorFailure) in try open(IIOAddress(address), facts: facts) },
            scan: { address, facts throws(SensorFailure) in try survey(IIOAddress(address), facts: facts) })
    }

    private func open(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> any Accelerometer {
        let context = try connect(address)
        let survey = IIOSurvey(context, wanted: address.device, facts: facts, note: note)
        guard let device = survey.chosen else {
            throw .noDevice(
                survey.reasonForNone(wanted: address.device, on: address.contextURI ?? "this machine"))
        }
        // udev's rules have not run: the matrix may still come, and a wrong first answer would be seen.
        if context.isLocal, facts.pending.contains(device.info.id) {
            throw .noDevice(
                "\(device.info.id) (\(device.info.name)) is there, and udev has not finished with it")
        }
        return IIOAccelerometer(context: context, device: device, note: note)
    }

    private func survey(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> [SensorDescription] {
        let context = try connect(address)
        return IIOSurvey(context, wanted: address.device, facts: facts, note: note).listings
    }

    /// Opens the context, and gives back what an earlier run of the daemon left changed in it.
    private func connect(_ address: IIOAddress) throws(SensorFailure) -> IIOContext {
        let context = try IIOContext(uri: address.contextURI)
        guard context.isLocal, let loan = note.takeLeftover() else { return context }
        guard let device = context.devices.first(where: { $0.id == loan.device }), !device.isHeldElsewhere else {
            // One that is not there any more took all of it along, and one that somebody captures from is theirs now.
            note.remove()
            return context
        }
        if device.takeBack(loan) { note.remove() }
        return context
    }
}
