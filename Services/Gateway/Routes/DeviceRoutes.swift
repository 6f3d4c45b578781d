// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer
import WidgetSchema

/// The routes with which phones and browsers register for pushes; the service `delivery` keeps them.
struct DeviceRoutes: Sendable {
    private static let unavailable = Operation.Response.problem(
        503,
        "The service `delivery` does not run or cannot use its store; repeat the request after `Retry-After`."
    )
    private static let foreign = Operation.Response.problem(
        409,
        "Another token has registered the device, there are too many devices, or the installation lacks the key of a "
            + "push service."
    )

    let gateway: GatewayParts

    var routes: [Route] {
        [
            Route(
                path: "/v1/devices/{device}",
                method: .put,
                scope: .act,
                id: "putDevice",
                summary: "Registers a phone or a browser for pushes, or renews it. The client chooses the id.",
                body: ("application/json", "DeviceRegistration"),
                maximumBodyBytes: DeviceRegistration.maximumBytes,
                responses: [
                    .ok("The device is stored.", schema: "DeviceAnswer"), Self.foreign,
                    .problem(422, "The registration is invalid."), Self.unavailable,
                ],
                handle: put
            ),
            Route(
                path: "/v1/devices/{device}",
                method: .delete,
                scope: .act,
                id: "deleteDevice",
                summary: "Removes a device.",
                responses: [
                    .ok("The device is removed.", schema: "DeviceAnswer"), .problem(404, "There is no such device."),
                    Self.foreign, Self.unavailable,
                ],
                handle: delete
            ),
            Route(
                path: "/v1/pushKey",
                id: "getPushKey",
                summary: "The public key to which browsers bind their subscriptions (`applicationServerKey`).",
                responses: [.ok("The key.", schema: "PushKeyAnswer"), Self.unavailable],
                handle: { call throws(Problem) in
                    .async(call) { () throws(Problem) in
                        try .json(try await gateway.ask(.delivery, PushKeyRequest()).result)
                    }
                }
            ),
        ]
    }

    @Sendable private func put(_ call: Call) throws(Problem) -> WebAnswer {
        let registration: DeviceRegistration
        do throws(WireError) {
            registration = try DeviceRegistration.read(call.request.body)
        } catch {
            throw .badBody("Expected a registration as docs/devices.md describes it. \(error)")
        }
        return try send(call, registration)
    }

    @Sendable private func delete(_ call: Call) throws(Problem) -> WebAnswer { try send(call, nil) }

    private func send(_ call: Call, _ registration: DeviceRegistration?) throws(Problem) -> WebAnswer {
        // The scope `act` always needs a token.
        guard let owner = call.token?.id else {
            throw Problem(401, "unauthorized", "The request needs a valid token.", "A device belongs to a token.")
        }
        let request = DeviceRequest(device: try call.device(), owner: owner, registration: registration)
        return .async(call) { () throws(Problem) in
            do throws(Problem) {
                return try .json(try await gateway.ask(.delivery, request).result)
            } catch {
                throw error.type == Problem.notUnderstood && registration != nil
                    ? Problem(422, "bad-registration", "The registration is invalid.", error.detail) : error
            }
        }
    }
}
