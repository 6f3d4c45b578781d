// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Metrics in the Prometheus text format, version 0.0.4.
struct MetricsText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    private(set) var text = ""

    /// Appends one metric with all its samples; does nothing if the metric has no samples.
    mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ samples: [(labels: [(String, String)], value: Double)]
    ) {
        guard !samples.isEmpty else { return }
        head(name, kind, help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    mutating func add(
        _ name: String,
        _ help: String,
        _ histograms: [(labels: [(String, String)], value: DurationHistogram)]
    ) {
        guard !histograms.isEmpty else { return }
        head(name, .histogram, help)
        for (labels, histogram) in histograms {
            var sum: Int64 = 0
            for (index, count) in histogram.counts.enumerated() {
                // Another process sent these numbers.
                let (next, overflow) = sum.addingReportingOverflow(max(0, count))
                sum = overflow ? .max : next
                let bounds = histogram.boundsMicroseconds
                let bound = index < bounds.count ? "\(Double(bounds[index]) / 1_000_000)" : "+Inf"
                sample(name + "_bucket", labels + [("le", bound)], Double(sum))
            }
            sample(name + "_sum", labels, Double(histogram.sumMicroseconds) / 1_000_000)
            sample(name + "_count", labels, Double(sum))
        }
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
        }
        let isWhole = value == value.rounded() && value.magnitude < 1e15
        text += " " + (isWhole ? String(Int64(value)) : String(value)) + "\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
