// SPDX-License-Identifier: Apache-2.0

internal import Sensing

/// What stands behind `iio:` in a sensor's URI.
struct IIOAddress: Hashable {
    /// A libiio URI; nil for this machine's own devices.
    let contextURI: String?
    /// A device's name, id or label; nil for the best one.
    let device: String?

    /// The prefixes by which libiio tells its backends apart.
    private static let backends = ["ip:", "usb:", "serial:", "local:", "xml:"]

    /// Reads `""`, `NAME`, `ip:HOST` or `ip:HOST#DEVICE`.
    init(_ text: String) {
        guard Self.backends.contains(where: text.hasPrefix) else {
            contextURI = nil
            device = text.isEmpty ? nil : text
            return
        }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        contextURI = String(parts[0])
        device = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }

    /// Refuses an address that lacks what its backend needs; `usb:` and `local:` find a device themselves.
    func check() throws(SensorFailure) {
        let needs = ["ip:": "HOST", "serial:": "PORT,SETTINGS", "xml:": "FILE"]
        guard let contextURI, let need = needs[contextURI] else { return }
        throw .unusable("iio:\(contextURI): \(need) is missing, as in iio:\(contextURI)\(need)")
    }
}
