// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Gateway

/// The documents of the HTTP interface as samples, from which `make contract` generates their schemas.
@Suite struct DocumentTests {
    private static let types: [String: any (Codable & Sendable).Type] = [
        "Problem": Problem.Document.self, "WidgetDocument": WidgetDocument.self, "WidgetList": WidgetList.self,
        "DisplayList": DisplayList.self, "History": UpdatesPage.self, "CycleExplanation": CycleExplanation.self,
        "CycleDocument": CycleDocument.self, "LayoutDocument": RenderAnswer.self, "HealthReport": HealthReport.self,
        "ConfigurationDocument": ConfigurationDocument.self, "DisplayCatalogue": DisplayCatalogue.self,
        "BoardDocument": BoardDocument.self, "BoardList": BoardList.self, "SourceList": SourceList.self,
        "OperationsReport": OperationsReport.self,
        "PanelDisplayDocument": PanelDisplayDocument.self, "PanelSetupDocument": PanelSetupDocument.self,
        "Session": SessionRoutes.Session.self, "InspectionReport": InspectRoutes.Report.self,
    ]

    /// Checks that the samples have all fields of the code and no others, and that they omit each optional field once.
    @Test func theSamplesHaveTheFieldsOfTheCode() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/documents.json")
        let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
        let samples = try #require(object as? [String: [Any]])
        #expect(Set(samples.keys) == Set(Self.types.keys))
        var (present, absent) = (Set<String>(), Set<String>())
        for (name, values) in samples {
            let type = try #require(Self.types[name])
            for value in values {
                let json = try Self.sorted(value)
                let document = try WireJSON.decode(type, from: json)
                let again = try JSONSerialization.jsonObject(with: try WireJSON.encode(document))
                #expect(try Self.sorted(again) == json, "\(String(decoding: json, as: UTF8.self))")
                Self.visit(document) { field, isPresent in
                    if isPresent { present.insert(field) } else { absent.insert(field) }
                }
            }
        }
        // Never sent: the attempt that an entry was made from.
        #expect(absent.subtracting(present) == ["Gateway.SourceList.Entry.attempt"])
        #expect(present.subtracting(absent) == [])
    }

    @Test func eachSchemaOfAnOperationExists() throws {
        let world = try PictureWorld(seed: 1, gateways: 1)
        let routes = RouteTable.routes(try #require(world.hosts.first).gateway)
        let json = OpenAPIDocument.json(routes, basePath: "")
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let components = try #require(document["components"] as? [String: [String: Any]])
        let references = String(decoding: json, as: UTF8.self).matches(of: /#\/components\/schemas\/(\w+)/).map(\.1)
        #expect(Set(references.map(String.init)).isSubset(of: try #require(components["schemas"]).keys))
    }

    private static func sorted(_ value: Any) throws -> Data {
        try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
    }

    /// Calls `body` with each optional field of the gateway's types in a value.
    private static func visit(_ value: Any, _ body: (_ field: String, _ isPresent: Bool) -> Void) {
        let mirror = Mirror(reflecting: value)
        let type = String(reflecting: mirror.subjectType)
        for child in mirror.children {
            let field = Mirror(reflecting: child.value)
            if type.hasPrefix("Gateway."), let label = child.label, field.displayStyle == .optional {
                body("\(type).\(label)", !field.children.isEmpty)
            }
            visit(child.value, body)
        }
    }
}
