// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer

/// All routes of the gateway.
enum RouteTable {
    static func routes(_ gateway: GatewayParts) -> [Route] {
        let commands = CommandRoutes(gateway: gateway)
        let content = ContentRoutes(gateway: gateway, commands: commands)
        var routes: [Route] = PageRoutes(files: gateway.pages, access: gateway.access).routes
        routes += PictureRoutes(gateway: gateway).routes
        let boards = BoardRoutes(gateway: gateway)
        routes += boards.routes
        routes += PanelRoutes(gateway: gateway, boards: boards).routes
        routes += PanelListRoutes(gateway: gateway).routes
        routes += WidgetRoutes(gateway: gateway).routes
        routes += EventRoutes(gateway: gateway).routes
        routes += commands.routes
        routes += content.routes
        routes += DeviceRoutes(gateway: gateway).routes
        routes += OperationsRoutes(gateway: gateway).routes
        routes += SessionRoutes(gateway: gateway).routes
        routes += InspectRoutes(gateway: gateway).routes
        // The OpenAPI description includes the system routes, and one of these serves the description. So they are
        // created twice.
        let system = SystemRoutes(gateway: gateway, description: SharedBytes(Data()))
        let description = OpenAPIDocument.json(routes + system.routes, basePath: gateway.access.basePath)
        return routes + SystemRoutes(gateway: gateway, description: SharedBytes(description)).routes
    }
}
