// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason why a picture cannot be drawn.
public enum RenderingError: Error, Hashable, CustomStringConvertible {
    case tooManyPixels(width: Int, height: Int)
    case cairo(String)

    public var description: String {
        switch self {
        case .tooManyPixels(let width, let height):
            "a picture of \(width) × \(height) pixels is too large: the maximum is "
                + "\(CairoPainter.maximumPixels) pixels in total and \(CairoPainter.maximumSide) per side; "
                + "ask for svg, or for a smaller display"
        case .cairo(let problem):
            "cairo cannot draw the picture: \(problem)"
        }
    }
}
