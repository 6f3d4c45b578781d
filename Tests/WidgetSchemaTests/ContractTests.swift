// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

/// The published contract against the code: `docs/contract` says what this code reads, and neither more nor less.
@Suite(.timeLimit(.minutes(2))) struct ContractTests {
    private static let folder = PythonProgram.repository.appending(path: "docs/contract")

    @Test func makingTheContractAgainChangesNothing() async throws {
        let run = try await PythonProgram(name: "make-contract.py").run(["--check"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test func everyEnumHasTheValuesOfTheCode() throws {
        var published: [String: [String]] = [:]
        for name in try Self.documents().keys {
            let schema = try JSONValue(try Data(contentsOf: Self.folder.appending(path: "schemas/\(name).json")))
            for (definition, says) in schema["$defs"]?.fields ?? [:] {
                if let values = says["enum"] { published[definition] = values.strings }
            }
        }
        #expect(published == Self.enums)
    }

    @Test func theLimitsAreThoseOfTheCode() throws {
        let limits = try Self.vocabulary()["limits"]
        #expect(limits?["clientFrame"] == .number(Double(MessageLimits.clientFrame)))
        #expect(limits?["internalFrame"] == .number(Double(MessageLimits.internalFrame)))
        #expect(limits?["nonce"] == .number(Double(Topic.maximumNonceLength)))
    }

    // The schemas contain only the fields that a golden file contains.
    @Test func everyOptionalFieldIsSetInSomeGoldenFile() {
        var fields = OptionalFields()
        for golden in GoldenFile.all { fields.read(golden.value) }
        #expect(fields.found.count > 20)
        #expect(fields.found.filter { !$0.value }.keys.sorted() == [])
    }

    /// Checks that each golden file, and each change of it at each place, is valid exactly if the code can read it.
    @Test func aSchemaAllowsWhatTheCodeReads() async throws {
        let documents = try Self.documents()
        var cases: [Case] = []
        for golden in GoldenFile.all {
            let file = try JSONValue(try Data(contentsOf: golden.sourceURL))
            for schema in documents.keys.sorted()
            where documents[schema]?["samples"]?.strings.contains(golden.name) == true {
                cases.append(Case(golden: golden, schema: schema, change: nil, document: file))
                cases += file.changes.map { Case(golden: golden, schema: schema, change: $0, document: $0.document) }
            }
        }
        let verdicts = try await Self.validate(cases)
        try #require(verdicts.count == cases.count)

        let always = documents.mapValues { Set($0["always"]?.strings ?? []) }
        let anyAlways = always.values.reduce(into: Set()) { $0.formUnion($1) }
        var kept: [String: Set<String>] = [:]
        var contradictions: [String] = []
        for (one, isValid) in zip(cases, verdicts) {
            let isRead = (try? one.golden.reencode(one.document.data())) != nil
            if one.change == nil, !isValid || !isRead { contradictions.append("\(one): the golden file is not valid") }
            if isValid, !isRead { contradictions.append("\(one): valid, and the code does not read it") }
            guard isRead, !isValid, let change = one.change, !change.isNull else { continue }
            if let removed = change.removedKey, change.parent?["specversion"] != nil, anyAlways.contains(removed) {
                if change.path == removed { kept[one.schema, default: []].insert(removed) }
            } else if change.removedKey != nil || !Self.isUnread(change, of: one.golden) {
                contradictions.append("\(one): not valid, and the code reads it")
            }
        }
        #expect(contradictions.isEmpty, "\(contradictions.prefix(40).joined(separator: "\n"))")
        // What senders always write, and readers do without, is just what the vocabulary says.
        #expect(kept == always.filter { !$0.value.isEmpty })
    }

    /// Attributes that this code writes by the rules, and reads as any string, since it decides nothing by them.
    private static let unreadAttributes: Set = ["source", "time"]

    /// Returns whether the code ignores the value at the place of a change, and therefore allows more than the schema.
    private static func isUnread(_ change: JSONChange, of golden: GoldenFile) -> Bool {
        if change.parent?["specversion"] != nil { return unreadAttributes.contains(change.key ?? "") }
        // `Done` has no fields, so nobody looks into it.
        return golden.name == "answer-done" && change.path == "result"
    }

    private struct Case: CustomStringConvertible {
        let golden: GoldenFile
        let schema: String
        let change: JSONChange?
        let document: JSONValue

        var description: String { "\(golden.name).json by \(schema), \(change?.description ?? "as it is")" }
    }

    private struct Line: Encodable {
        let schema: String
        let document: JSONValue
    }

    private static func validate(_ cases: [Case]) async throws -> [Bool] {
        let encoder = JSONEncoder()
        var input = Data()
        for one in cases {
            input += try encoder.encode(Line(schema: one.schema, document: one.document))
            input.append(UInt8(ascii: "\n"))
        }
        let run = try await PythonProgram(name: "validate-contract.py").run(input: input)
        #expect(run.status == 0, "\(run.errors)")
        return run.output.split(separator: "\n").map { $0 == "valid" }
    }

    private static func vocabulary() throws -> JSONValue {
        try JSONValue(try Data(contentsOf: folder.appending(path: "vocabulary.json")))
    }

    private static func documents() throws -> [String: JSONValue] { try #require(try vocabulary()["documents"]).fields }

    private static let enums: [String: [String]] = [
        "Appearance": values(Appearance.self),
        "Cause": values(Cause.self),
        "ColorRole": values(LayoutText.ColorRole.self),
        "CommandName": values(Command.Name.self),
        "ContentSizeCategory": values(ContentSizeCategory.self),
        "DeliveryState": values(DeliveryReport.State.self),
        "DateStyle": values(DateStyle.self),
        "ErrorCode": values(RequestError.Code.self),
        "FailureClass": values(AttemptFailure.Class.self),
        "Family": values(Display.Family.self),
        "FetchResult": values(Fetched.Result.self),
        "FetchState": values(PlannedFetch.State.self),
        "FontStyle": values(LayoutFont.Style.self),
        "FontWeight": values(LayoutFont.Weight.self),
        "HealthRole": values(Health.Role.self),
        "HealthState": values(Health.State.self),
        "Direction": values(Display.Direction.self),
        "HourCycle": values(Display.HourCycle.self),
        "BoardHeader": values(BoardCell.Header.self),
        "InspectProblemKind": values(InspectAnswer.Problem.Kind.self),
        "Mode": values(Display.Mode.self),
        "Outcome": values(Outcome.self),
        "NumberFormat": values(RowNumber.Format.self),
        "PanelPalette": values(PanelPalette.self),
        "PanelState": values(PanelReport.State.self),
        "PanelsAction": values(PanelsRequest.Action.self),
        "PushEnvironment": values(APNsRegistration.Environment.self),
        "PushKind": values(APNsRegistration.Push.self),
        "Reason": values(Reason.self),
        "ReloadPolicy": values(Timeline.ReloadPolicy.self),
        "RenderFormat": values(RenderFormat.self),
        "ServiceName": values(ServiceName.self),
        "ShownPairs": values(ShownPairs.self),
        "UpdateResult": values(UpdateResult.self),
        "ViewKind": values(LayoutView.Kind.self),
        "WeatherCondition": values(WeatherCondition.self),
        "WidgetKind": values(WidgetKind.self),
    ]

    private static func values<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> [String] {
        type.allCases.map(\.rawValue)
    }
}

/// Which optional fields the types of some values have, and whether one of the values sets them.
private struct OptionalFields {
    /// By `Type.field`.
    private(set) var found: [String: Bool] = [:]

    mutating func read(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        let type = String(describing: mirror.subjectType).prefix { $0 != "<" }
        for child in mirror.children {
            if mirror.displayStyle == .struct, let label = child.label {
                let field = Mirror(reflecting: child.value)
                if field.displayStyle == .optional {
                    found["\(type).\(label)", default: false] =
                        found["\(type).\(label)"] == true || !field.children.isEmpty
                }
            }
            read(child.value)
        }
    }
}
