// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Makes touch screens and pens follow the rotated output, in the way of one compositor.
protocol InputAligner: AnyObject {
    /// Maps touch screens and pens to an output, or reports once what to configure.
    func align(with output: Output, among outputs: [Output])
}

/// Returns the aligner for a compositor; nil where touch screens follow without it: niri and COSMIC apply the
/// transform of the output to touch screens.
func inputAligner(
    for compositor: Compositor, _ session: DisplaySession, _ receiver: @escaping DisplayServerReceiver
) -> (any InputAligner)? {
    if compositor.name == "sway" { return SwayInput(session, process: compositor.process, receiver) }
    guard InputAdvice.text(for: compositor.name, output: "") != nil else { return nil }
    return InputAdvice(compositor: compositor.name, receiver)
}

/// Reports once what to configure, for compositors without an interface for mapping input.
final class InputAdvice: InputAligner {
    private let compositor: String
    private let receiver: DisplayServerReceiver
    private var isGiven = false

    init(compositor: String, _ receiver: @escaping DisplayServerReceiver) {
        self.compositor = compositor
        self.receiver = receiver
    }

    func align(with output: Output, among _: [Output]) {
        guard !isGiven, let text = Self.text(for: compositor, output: output.name) else { return }
        isGiven = true
        receiver(.inputAdvice(text))
    }

    /// The advice; nil for compositors that need none.
    static func text(for compositor: String, output: String) -> String? {
        switch compositor {
        case "labwc":
            """
            If the device has a touch screen or a pen, map it to \(output) so that it follows: in labwc's rc.xml, \
            inside <labwc_config>, add
              <touch mapToOutput="\(output)" />
              <tablet mapToOutput="\(output)" />
            """
        case "Hyprland":
            """
            If the device has a touch screen or a pen, map it to \(output) so that it follows: in hyprland.conf, add
              input {
                  touchdevice {
                      output = \(output)
                  }
                  tablet {
                      output = \(output)
                  }
              }
            """
        case "river":
            """
            If the device has a touch screen or a pen, map it to \(output) so that it follows: in river's init, add a \
            line for each device that `riverctl list-inputs` prints
              riverctl input DEVICE map-to-output \(output)
            """
        case "wayfire":
            """
            If the device has a touch screen or a pen, map it to \(output) so that it follows: in wayfire.ini, with the \
            name that `libinput list-devices` prints, add
              [input-device:DEVICE]
              output = \(output)
            """
        default: nil
        }
    }
}
