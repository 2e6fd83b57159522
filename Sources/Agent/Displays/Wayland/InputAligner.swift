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
    return InputAdvice.compositors.contains(compositor.name) ? InputAdvice(compositor: compositor.name, receiver) : nil
}

/// Reports once that the configuration must map input, for compositors without an interface for that.
final class InputAdvice: InputAligner {
    static let compositors = ["labwc", "Hyprland", "river", "wayfire"]

    private let compositor: String
    private let receiver: DisplayServerReceiver
    private var isGiven = false

    init(compositor: String, _ receiver: @escaping DisplayServerReceiver) {
        self.compositor = compositor
        self.receiver = receiver
    }

    func align(with output: Output, among _: [Output]) {
        guard !isGiven else { return }
        isGiven = true
        receiver(
            .inputAdvice(
                "\(compositor): touch screens and pens do not follow \(output.name) by themselves: map them to it in the "
                    + "configuration of \(compositor); see TOUCH in orientation-autorotate(1)"))
    }
}
