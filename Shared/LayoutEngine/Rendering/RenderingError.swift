// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason why a picture cannot be drawn.
public enum RenderingError: Error, Hashable, CustomStringConvertible {
    case tooManyPixels(width: Int, height: Int)
    case cairo(String)
    case png(String)

    public var description: String {
        switch self {
        case .tooManyPixels(let width, let height):
            "A picture of \(width) × \(height) pixels is too large: the maximum is "
                + "\(CairoPainter.maximumPixels) pixels in total and \(CairoPainter.maximumSide) per side. "
                + "Request a smaller display, or svg instead of png."
        case .cairo(let problem):
            "Cairo cannot draw the picture: \(problem)."
        case .png(let problem):
            "libpng cannot encode the picture: \(problem)."
        }
    }
}
