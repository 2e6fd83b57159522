// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing

/// Why a context elsewhere cannot be reached. What libiio leaves in errno says it in words that are meant for something
/// else: a name that no host has, for example, is a "Text file busy".
enum ContextError {
    static func failure(uri: String, code: Int32) -> SensorFailure {
        let isNetwork = uri.hasPrefix("ip:")
        let start = "cannot reach the IIO context '\(uri)'"
        return switch code {
        // No later try mends these.
        case EINVAL where !isNetwork: .unusable("\(start): libiio does not understand this address")
        case ENOSYS: .unusable("\(start): libiio was built here without support for this kind of context")
        default: .failed("\(start): \(reason(code, isNetwork: isNetwork))")
        }
    }

    /// Contexts of other machines are opened only where libxml2 obeys the limits.
    static func unlimited(uri: String) -> SensorFailure {
        .unusable("cannot open the IIO context '\(uri)': libiio's XML parser cannot be limited; it is not libxml2")
    }

    /// Why this machine's own devices cannot be looked at. That there are none is no error of its making: the kernel's IIO
    /// core is a module and comes with a driver.
    static func localFailure(code: Int32) -> SensorFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case 0, ENOENT, ENODEV, ENXIO: .noDevice("this machine has no industrial-I/O devices (\(reason))")
        default: .failed("cannot look at this machine's industrial-I/O devices: \(reason)")
        }
    }

    private static func reason(_ code: Int32, isNetwork: Bool) -> String {
        switch code {
        case ECONNREFUSED: "nobody listens there; does iiod run on it?"
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN: "there is no way to it in the network"
        case ETIMEDOUT, EAGAIN, EINPROGRESS: "it does not answer"
        // An address is any text here; what came back was none of iiod's.
        case EINVAL: "what answers there is not understood; is it iiod?"
        case ENOMEM:
            "its description takes more than \(ContextLimits.text >> 20) MiB of text or \(ContextLimits.tree >> 20) MiB of memory"
        case ECONNRESET, EPIPE: "it closed the connection; is it iiod that listens there?"
        case EACCES, EPERM, EAFNOSUPPORT:
            "this service may not go there; the systemd unit needs a drop-in for it (see orientationd(8))"
        case ENOENT, ENXIO, ENODEV, ETXTBSY: isNetwork ? "no such host was found" : "there is no such device"
        default: String(cString: strerror(code))
        }
    }
}
