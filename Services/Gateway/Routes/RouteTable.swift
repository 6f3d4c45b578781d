// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer

/// All routes of the gateway.
enum RouteTable {
    static func routes(_ gateway: RouteContext) -> [Route] {
        let commands = CommandRoutes(gateway: gateway)
        let content = ContentRoutes(gateway: gateway, commands: commands)
        let routes =
            PageRoutes(files: gateway.pages).routes + PictureRoutes(gateway: gateway).routes
            + WidgetRoutes(gateway: gateway).routes + EventRoutes(gateway: gateway).routes + commands.routes
            + content.routes + OperationsRoutes(gateway: gateway).routes + SessionRoutes(gateway: gateway).routes
            + InspectRoutes(gateway: gateway).routes
        // The description describes itself, too.
        let system = SystemRoutes(gateway: gateway, description: SharedBytes(Data()))
        let description = OpenAPIDocument.json(routes + system.routes, basePath: gateway.access.basePath)
        return routes + SystemRoutes(gateway: gateway, description: SharedBytes(description)).routes
    }
}
