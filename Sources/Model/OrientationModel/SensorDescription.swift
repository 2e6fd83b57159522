// SPDX-License-Identifier: Apache-2.0

/// A sensor found by a scan, and whether it was chosen.
public struct SensorDescription: Hashable, Sendable {
    /// The identifier of the sensor on this machine.
    public var id: String
    /// The device's own name.
    public var name: String
    /// The kernel driver; nil if unknown.
    public var driver: String?
    /// The location in the device, for example `display` or `base`.
    public var location: String
    /// Whether it is in use, or would be while there are subscribers.
    public var isChosen: Bool
    /// The reason for being chosen or not, as a message.
    public var why: String
    /// The mount matrix as published: nine numbers, row by row, dimensionless.
    public var matrix: [Double]
    /// The source of the matrix, as a message.
    public var matrixSource: String
    /// Warnings about the device, as messages.
    public var warnings: [String]
    /// The last reading in m/s², in the device frame; nil before the first one, or without permission to read motion.
    public var lastVector: Acceleration?
    /// The last error, as a message, whether or not the sensor has recovered; nil if there was none.
    public var lastError: String?

    /// The natural orientation of the device while this sensor is in use. From a source of
    /// samples: the value configured for the sensor; nil without one.
    public var natural: Edge?
    /// The source of the natural orientation, as a message.
    public var naturalSource: String?

    /// What the sensor states about itself, as texts for a report.
    package var statements: [String] = []

    /// How samples are read (buffer or polling) and why, as a message; nil if there is nothing to report. Not on the
    /// wire.
    public var method: String?

    /// Whether it is a chip of this machine, not a recording or the simulated device: its natural orientation is that of
    /// the panel unless one is configured for the sensor. Not on the wire.
    package var isHardware = false

    /// Whether its location is stated; else it may be anywhere. Not on the wire.
    package var isLocationStated = false

    /// The kind of the sensor. Not on the wire of accelerometers.
    package var kind = SensorKind.accelerometer

    /// Why it cannot be used; nil if it can. Not on the wire.
    package var rejection: String?

    /// Whether it has failed and delivered no reading since. Not on the wire of accelerometers.
    package var isFailing = false

    /// Creates a description; the defaults are for a sensor without a chip, whose axes are the device's.
    public init(
        id: String, name: String, driver: String? = nil, location: String = "display", isChosen: Bool = false,
        why: String = "", matrix: [Double] = MountMatrix.identity.elements, matrixSource: String = "default",
        warnings: [String] = [], lastVector: Acceleration? = nil, lastError: String? = nil,
        natural: Edge? = nil, naturalSource: String? = nil
    ) {
        self.id = id
        self.name = name
        self.driver = driver
        self.location = location
        self.isChosen = isChosen
        self.why = why
        self.matrix = matrix
        self.matrixSource = matrixSource
        self.warnings = warnings
        self.lastVector = lastVector
        self.lastError = lastError
        self.natural = natural
        self.naturalSource = naturalSource
    }
}
