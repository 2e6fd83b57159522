// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors

extension SensorURI {
    /// Returns the rows of the ambient sensors that belong to this value of `--sensor`: those of this machine, and those
    /// of the simulated device. A simulated device has only simulated sensors, unless another source is given as well.
    /// Changed settings are written to `records`; `lid` measures the lid angle of this machine.
    func ambientSources(
        _ simulated: SimulatedDevice, records: [SensorKind: RestoreRecord], lid: AmbientSource
    ) throws(SensorFailure) -> [AmbientSource] {
        let local = [
            IIOAttributeSensors.source(records), ProximitySwitch.source, PlatformLight.source, CoreAmbient.source, lid,
        ]
        guard let address = address(ofScheme: FakeSource.scheme) else { return local }
        let kinds = try FakeSource.sensors(of: address)
        return (isOnly(scheme: FakeSource.scheme) ? [] : local) + [simulated.source(kinds), simulated.hinge]
    }
}
