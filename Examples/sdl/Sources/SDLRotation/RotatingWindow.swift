// SPDX-License-Identifier: Apache-2.0

import CSDL
import Glibc
import InterfaceRotation
import OrientationClient
import OrientationModel

/// Creates a renderer that draws into textures: that of the graphics driver, else SDL's own; else one that does not.
private func makeRenderer(_ sdlWindow: OpaquePointer) -> (renderer: OpaquePointer, drawsIntoTextures: Bool)? {
    for flags in [SDL_RENDERER_PRESENTVSYNC, SDL_RENDERER_SOFTWARE] {
        guard let renderer = SDL_CreateRenderer(sdlWindow, -1, flags.rawValue) else { continue }
        if canDrawIntoTextures(renderer) { return (renderer, true) }
        SDL_DestroyRenderer(renderer)
    }
    return SDL_CreateRenderer(sdlWindow, -1, 0).map { ($0, false) }
}

/// Tries it: a driver may claim support and fail.
private func canDrawIntoTextures(_ renderer: OpaquePointer) -> Bool {
    guard SDL_RenderTargetSupported(renderer) == SDL_TRUE, let texture = makeTexture(renderer, 16, 16) else {
        return false
    }
    defer { SDL_DestroyTexture(texture) }
    let isTarget = SDL_SetRenderTarget(renderer, texture) == 0
    return SDL_SetRenderTarget(renderer, nil) == 0 && isTarget
}

private func makeTexture(_ renderer: OpaquePointer, _ width: Double, _ height: Double) -> OpaquePointer? {
    SDL_CreateTexture(
        renderer, SDL_PIXELFORMAT_ARGB8888.rawValue, Int32(SDL_TEXTUREACCESS_TARGET.rawValue), Int32(width),
        Int32(height))
}

/// An SDL window whose picture turns by the rules of `InterfaceRotation`.
///
/// The game draws the interface upright into a texture, which the renderer copies to the window, rotated.
public final class RotatingWindow: WindowSurface {
    /// The SDL window.
    public let sdlWindow: OpaquePointer
    /// The renderer of the window, for the game's drawing.
    public let renderer: OpaquePointer
    /// The panel: the window itself if the game rotates its picture, else the area that the compositor gives to a
    /// maximized window, as it is without rotation.
    public let screen: Screen
    /// The frames of the game's loop.
    public let frameClock = LoopFrameClock()

    /// Called for each frame in which the geometry has changed, before it is drawn.
    public var onFrame: ((Picture) -> Void)?

    /// Whether the picture can be turned: it is a texture.
    private let drawsIntoTextures: Bool
    private var window: Window?
    private var geometry: Geometry?
    private var picture: Picture?
    private var drawn: Picture?
    private var texture: OpaquePointer?
    private var textureSize = Size.zero
    /// Whether the window has the whole screen, so that its picture turns.
    private var isFilling = true
    /// What the interface follows under a compositor; nil if it follows the daemon.
    private let output: OutputSource?

    /// Opens a window; nil if SDL cannot, with the cause in `SDL_GetError`.
    ///
    /// - Parameters:
    ///   - title: The title of the window.
    ///   - size: The size of the picture, unrotated.
    ///   - rotator: `.application` in a kiosk: the window is the panel. `.compositor` if the desktop or
    ///     orientation-autorotate rotates the output: the game turns by the rest only.
    public init?(_ title: String, size: Size, rotator: Screen.Rotator) {
        let flags = SDL_WINDOW_RESIZABLE.rawValue
        guard
            let sdlWindow = SDL_CreateWindow(
                title, csdl_position_undefined, csdl_position_undefined, Int32(size.width), Int32(size.height), flags)
        else { return nil }
        guard let (renderer, drawsIntoTextures) = makeRenderer(sdlWindow) else {
            SDL_DestroyWindow(sdlWindow)
            return nil
        }
        (self.sdlWindow, self.renderer, self.drawsIntoTextures) = (sdlWindow, renderer, drawsIntoTextures)
        output = rotator == .compositor ? OutputSource(sdlWindow) : nil
        screen = Screen(size: size, rotator: rotator)
    }

    /// The state of the daemon for the first frame; nil under a compositor, or if the daemon does not reply within a
    /// second.
    public var launchState: OrientationState? {
        output == nil ? try? OrientationConnection.current(timeout: .seconds(1)) : nil
    }

    /// Draws a window of the application from now on, which follows the size and the state of the SDL window.
    /// Without textures, the interface has only the orientation that is not rotated.
    ///
    /// With `followsDevice: false` nothing connects to the daemon, and the interface does not turn with the device.
    public func show(_ window: Window, followsDevice: Bool = true) throws {
        self.window = window
        window.surface = self
        updateGeometry()
        if followsDevice, let output {
            window.application?.device.source = output
        } else if followsDevice {
            window.application?.device.follow(try OrientationConnection())
        }
        try window.tryMakeKeyAndVisible()
    }

    // MARK: The loop

    /// Performs one frame of the game's loop: receives the orientation, advances the turn, and draws.
    public func frame(_ draw: (Size) -> Void) {
        updateGeometry()
        window?.application?.device.processUpdates()
        frameClock.frame()
        if let picture, picture != drawn { onFrame?(picture) }
        drawn = picture
        let (size, angle) = placement
        let texture = drawsIntoTextures ? texture(of: size) : nil
        if let texture {
            SDL_SetRenderTarget(renderer, texture)
            draw(size)
            SDL_SetRenderTarget(renderer, nil)
        }
        SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255)
        SDL_RenderClear(renderer)
        if let texture {
            let here = self.size
            var place = SDL_FRect(
                x: Float((here.width - size.width) / 2), y: Float((here.height - size.height) / 2),
                w: Float(size.width), h: Float(size.height))
            SDL_RenderCopyExF(renderer, texture, nil, &place, angle, nil, SDL_FLIP_NONE)
        } else {
            // Also if the size is too large for a texture: unrotated is better than nothing.
            draw(size)
        }
        SDL_RenderPresent(renderer)
    }

    /// The size of the interface, and its angle about the middle of the window in degrees; clockwise is positive.
    private var placement: (size: Size, angle: Double) {
        guard isFilling, let picture else { return (size, 0) }
        return (picture.bounds.size, atan2(picture.transform.b, picture.transform.a) * 180 / .pi)
    }

    private func texture(of size: Size) -> OpaquePointer? {
        guard texture == nil || size != textureSize else { return texture }
        if let texture { SDL_DestroyTexture(texture) }
        texture = makeTexture(renderer, size.width, size.height)
        textureSize = size
        return texture
    }

    /// Converts a point of the SDL window, such as that of a click, to the interface; during a turn too.
    public func convert(_ point: Point) -> Point {
        guard isFilling, let window else { return point }
        return window.convert(fromPanel: point)
    }

    /// Keeps the picture for the next frame; called by the window of the application.
    public func window(_ window: Window, shows picture: Picture) { self.picture = picture }

    // MARK: Size and state

    /// Handles an event of the window. A window that is not visible has no frames.
    public func handle(_ event: SDL_Event) {
        guard SDL_EventType(event.type) == SDL_WINDOWEVENT else { return }
        switch SDL_WindowEventID(UInt32(event.window.event)) {
        case SDL_WINDOWEVENT_HIDDEN, SDL_WINDOWEVENT_MINIMIZED: window?.application?.suspend()
        case SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED: window?.application?.resume()
        default: break
        }
    }

    /// What the geometry depends on. It is compared in each frame: SDL has no event for all of it, and no fixed order.
    private struct Geometry: Equatable {
        var size: Size
        var fills = false
        var output: Size?
        var rotation: DisplayRotation?
    }

    /// The size of the window in pixels.
    private var size: Size {
        var (width, height): (Int32, Int32) = (0, 0)
        SDL_GetRendererOutputSize(renderer, &width, &height)
        return Size(width: Double(width), height: Double(height))
    }

    /// Excludes the orientations in which the picture is rotated; they depend on the shape of the screen.
    private func keepUnrotated(_ window: Window) {
        let only = InterfaceOrientationMask(screen.naturalInterfaceOrientation)
        // Fails only for an empty mask.
        try? window.application?.device.setSupportedInterfaceOrientations(only)
    }

    /// Applies size, state and output transform to the window of the application, if they have changed.
    private func updateGeometry() {
        let states = SDL_WINDOW_MAXIMIZED.rawValue | SDL_WINDOW_FULLSCREEN.rawValue
        let new = Geometry(
            size: size, fills: SDL_GetWindowFlags(sdlWindow) & states != 0, output: output?.size,
            rotation: output?.rotation)
        guard let window, new != geometry else { return }
        geometry = new
        guard let output else {
            screen.resize(to: new.size)
            if !drawsIntoTextures { keepUnrotated(window) }
            return
        }
        let hasOutput = new.size == output.size || new.size == output.size.swapped
        guard drawsIntoTextures, let rotation = new.rotation, new.fills || hasOutput else {
            isFilling = false
            window.interfaceFrame = Rect(size: new.size)
            return
        }
        let unrotated = rotation.swapsSides ? new.size.swapped : new.size
        // The compositor rotates the output before it resizes the window, or after.
        guard PanelShape(width: unrotated.width, height: unrotated.height) == output.shape else { return }
        isFilling = true
        window.application?.withoutAnimation {
            screen.outputTransform = rotation
            screen.resize(to: unrotated)
            window.frame = screen.fixedBounds
            output.update()
        }
    }
}
