// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Synchronization
import TestSupport
import Testing
import WidgetSchema

@Suite struct InstanceRoleTests {
    /// A role that a test changes while a core reads it.
    private final class CurrentRole: Sendable {
        let value = Mutex<InstanceRole?>(nil)

        func set(_ role: InstanceRole) { value.withLock { $0 = role } }
    }

    private let role = CurrentRole()
    private let begin = ContinuousClock.now

    private func makeCore() throws -> ClientCore {
        let configuration = BusConfiguration(address: .standard, registration: try .one(.cache), nonce: "n")
        var core = ClientCore(configuration, now: begin, role: { [role] in role.value.withLock(\.self) })
        _ = core.handle(.connected, now: begin)
        _ = core.handle(.health(.ready, message: nil), now: begin)
        return core
    }

    private func health(_ actions: [ClientCore.Action]) throws -> Health {
        guard case .send(let frames) = try #require(actions.first) else { throw CancellationError() }
        return try WireJSON.decode(Request<RegisterRequest>.self, from: frames[2]).body.health
    }

    @Test func aChangeOfTheRoleIsSentAtOnce() throws {
        var core = try makeCore()
        role.set(InstanceRole(.active, term: Term(token: 7), since: Instant(milliseconds: 5)))
        let health = try health(core.handle(.roleChanged, now: begin))
        #expect(health.role == .active)
        #expect(health.term == Term(token: 7))
        #expect(health.activeSince == Instant(milliseconds: 5))
    }

    @Test func anOwnerThatCouldNotRenewItsLeaseIsNotActive() throws {
        var core = try makeCore()
        role.set(InstanceRole(.active, term: Term(token: 7), trustedUntil: begin + .seconds(2)))
        #expect(try health(core.handle(.roleChanged, now: begin + .milliseconds(1999))).role == .active)
        #expect(try health(core.handle(.tick, now: begin + .seconds(3))).role == .standby)
    }

    @Test func aStandbyAnswersHealthAlone() throws {
        var core = try makeCore()
        role.set(InstanceRole(.standby))
        func ask(_ name: String) throws -> [ClientCore.Action] {
            let json = Data(#"{"deadlineMilliseconds":5,"request":"\#(name)"}"#.utf8)
            return core.handle(.received([Data([0, 1]), Data("x-1".utf8), json]), now: begin)
        }
        guard case .send(let answer) = try #require(try ask("health").first) else { throw CancellationError() }
        let result = try WireJSON.decode(Answer<HealthAnswer>.self, from: answer[3]).get()
        #expect(result.health.role == .standby)
        let rejected = try ask("lease")
        guard case .count("bus.rejectedAsStandby") = try #require(rejected.first), case .send(let frames) = rejected[1]
        else { throw CancellationError() }
        guard case .error(let error) = try WireJSON.decode(Answer<Done>.self, from: frames[3]) else {
            throw CancellationError()
        }
        #expect(error.code == .unavailable)
    }

    @Test func anAlarmDegradesTheHealthAndAWarningDoesNot() throws {
        var core = try makeCore()
        role.set(InstanceRole(.active, problem: .init("no standby", isAlarm: true)))
        let alarmed = try health(core.handle(.roleChanged, now: begin))
        #expect(alarmed.state == .degraded)
        #expect(alarmed.message == "no standby")
        role.set(InstanceRole(.active, problem: .init("another configuration", isAlarm: false)))
        let warned = try health(core.handle(.roleChanged, now: begin))
        #expect(warned.state == .ready)
        #expect(warned.message == "another configuration")
    }
}
