// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The clock of a sleeping panel, estimated from its wake times.
///
/// A panel that is told to sleep for a time sleeps `offset + (1 + rate) × time`: the offset is the time that it needs to
/// start and to draw, and the rate is the error of its clock, which can be several percent. The estimate is a Kalman filter
/// for these two numbers, and for the scatter of the sleeps around them.
struct PanelClock: Codable, Hashable, Sendable {
    /// The expected deviations before the first wake: 20 s to start and to draw, and 3 % of the sleep.
    private static let firstOffsetDeviation = 20.0
    private static let firstRateDeviation = 0.03
    /// The deviations by which offset and rate may change from one sleep to the next, such as with the temperature.
    private static let offsetChange = 1.0
    private static let rateChange = 0.001
    /// The least scatter of a sleep: 3 s and 0.5 % of the sleep.
    private static let leastScatter = 3.0
    private static let leastScatterRate = 0.005
    /// The scatter before the first wake and its limits, as a multiple of the square of the least scatter.
    private static let firstScatterFactor = 4.0
    private static let scatterFactors = 0.5...150.0
    private static let scatterWeight = 1.0 / 16
    /// A sleep is plausible if it differs from the time asked for by at most this time and this part of it.
    ///
    /// Any other wake has another cause: a button, or attempts that did not reach the gateway.
    private static let plausibleDifference = 60.0
    private static let plausibleRate = 0.1
    /// The number of consecutive implausible sleeps after which the estimate begins again: the panel has been replaced.
    private static let rejectionsUntilReset = 8
    /// The number of deviations within which a sleep ends in nearly all cases.
    private static let certainty = 2.0

    private var offset = 0.0
    private var rate = 0.0
    private var offsetVariance = firstOffsetDeviation * firstOffsetDeviation
    private var covariance = 0.0
    private var rateVariance = firstRateDeviation * firstRateDeviation
    private var scatterFactor = firstScatterFactor
    private var rejections = 0
    /// The number of sleeps that the estimate is made of, up to a limit.
    private(set) var sleeps = 0
    private static let maximumCount = 1_000_000

    init() {}

    /// Takes a sleep: the time that the panel was told, and the time from that answer to its next request.
    ///
    /// Returns false if the sleep is implausible, so that it says nothing about the clock.
    @discardableResult
    mutating func take(asked: Duration, slept: Duration) -> Bool {
        let (asked, slept) = (asked / .seconds(1), slept / .seconds(1))
        guard asked > 0, abs(slept - asked) <= Self.plausibleDifference + Self.plausibleRate * asked else {
            rejections += 1
            if rejections >= Self.rejectionsUntilReset { self = PanelClock() }
            return false
        }
        rejections = 0
        offsetVariance += Self.offsetChange * Self.offsetChange
        rateVariance += Self.rateChange * Self.rateChange
        let innovation = slept - mean(asked)
        let (known, least) = (estimateVariance(asked), Self.leastScatterVariance(asked))
        let measured = (innovation * innovation - known) / least
        scatterFactor += (measured - scatterFactor) * Self.scatterWeight
        scatterFactor = min(max(scatterFactor, Self.scatterFactors.lowerBound), Self.scatterFactors.upperBound)
        let total = known + scatterFactor * least
        let offsetGain = (offsetVariance + covariance * asked) / total
        let rateGain = (covariance + rateVariance * asked) / total
        offset += offsetGain * innovation
        rate += rateGain * innovation
        let (ofOffset, ofBoth) = (offsetVariance + asked * covariance, covariance + asked * rateVariance)
        offsetVariance -= offsetGain * ofOffset
        covariance -= offsetGain * ofBoth
        rateVariance -= rateGain * ofBoth
        sleeps = min(sleeps + 1, Self.maximumCount)
        return true
    }

    /// Returns the expected time between the answer that asks for a sleep and the next request.
    func expectedSleep(_ asked: Duration) -> Duration { .seconds(max(0, mean(asked / .seconds(1)))) }

    /// Returns the time by which a sleep can be shorter or longer than expected.
    func uncertainty(of asked: Duration) -> Duration {
        let seconds = asked / .seconds(1)
        let variance = estimateVariance(seconds) + scatterFactor * Self.leastScatterVariance(seconds)
        return .seconds(Self.certainty * max(variance, 0).squareRoot())
    }

    /// Returns the time to ask for, so that the panel is expected after `sleep`, in whole seconds.
    func seconds(for sleep: Duration) -> Int {
        let asked = (sleep / .seconds(1) - offset) / (1 + rate)
        return Int(max(0, min(asked, Double(Int32.max))).rounded(.up))
    }

    private func mean(_ asked: Double) -> Double { offset + (1 + rate) * asked }

    private func estimateVariance(_ asked: Double) -> Double {
        offsetVariance + 2 * covariance * asked + rateVariance * asked * asked
    }

    private static func leastScatterVariance(_ asked: Double) -> Double {
        let proportional = leastScatterRate * asked
        return leastScatter * leastScatter + proportional * proportional
    }
}
