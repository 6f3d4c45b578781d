// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
public import Foundation
import Text
import WidgetSchema

extension TidingsConfiguration {
    /// The file that is read by default, if it exists.
    public static let defaultFile = "tidings.yml"

    /// Loads the configuration from a file; environment variables override values of the file.
    ///
    /// The file is `path`, or the file that `TIDINGS_CONFIG` names if `path` is nil. If neither is given, `tidings.yml`
    /// in the working folder is read. If this file does not exist, all values have their defaults.
    ///
    /// Throws all errors of the file and of the environment at once. Missing values for `${NAME}` are errors only
    /// if `needsSecrets` contains their users.
    public static func load(
        path: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        needsSecrets: NeededSecrets = []
    ) throws(ConfigurationErrors) -> TidingsConfiguration {
        let (configuration, errors) = loadPartially(path: path, environment: environment, needsSecrets: needsSecrets)
        guard errors.isEmpty else { throw ConfigurationErrors(errors) }
        return configuration
    }

    /// Loads the configuration and returns it with all errors that were found; defaults replace most invalid values.
    ///
    /// `addition` is a file for `widgets.d` that is not written yet; it is read as if it existed, with the further rules
    /// of `WidgetFile.write`. The other parameters are those of `load`.
    public static func loadPartially(
        path: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        needsSecrets: NeededSecrets = [],
        adding addition: (file: WidgetFile, bytes: [UInt8])? = nil
    ) -> (configuration: TidingsConfiguration, errors: [ConfigurationError]) {
        var loading = Loading(configuration: TidingsConfiguration(instance: .ofThisProcess(environment: environment)))
        let named = path ?? EnvironmentVariable.config.value(in: environment)
        if let file = named ?? (FileManager.default.fileExists(atPath: defaultFile) ? defaultFile : nil) {
            loading.configuration.file = file
            read(file, into: &loading)
            readWidgets(beside: file, adding: addition, into: &loading)
            loading.configuration.resolveBoards(isComplete: loading.errors.isEmpty)
            if loading.errors.isEmpty { loading.configuration.checkDestinations() }
            let digests = loading.digests.joined(separator: "\n")
            loading.configuration.digest = ContentDigest(rawValue: SHA256.hexDigest(of: digests))
        }
        override(&loading.configuration, by: environment, errors: &loading.errors)
        if needsSecrets.contains(.ofSources) {
            loading.errors += loading.configuration.secrets.take(from: environment)
        }
        if needsSecrets.contains(.ofDestinations) {
            loading.errors += loading.configuration.destinationSecrets.take(from: environment, for: "a destination")
            if loading.errors.isEmpty { loading.errors += loading.configuration.destinationFaults }
        }
        return (loading.configuration, loading.errors)
    }

    /// Parses the text of a configuration file; throws all its errors at once.
    ///
    /// The environment and `widgets.d` are not read. `file` is the path that error messages show. Relative paths in the
    /// text start from the folder of `file`.
    public static func parse(_ text: String, file: String = defaultFile) throws(ConfigurationErrors)
        -> TidingsConfiguration
    {
        var configuration = TidingsConfiguration(file: file, instance: .ofThisProcess(environment: [:]))
        var errors: [ConfigurationError] = []
        parse(Array(text.utf8), file: file, into: &configuration, errors: &errors)
        configuration.resolveBoards(isComplete: errors.isEmpty)
        if errors.isEmpty { configuration.checkDestinations() }
        guard errors.isEmpty else { throw ConfigurationErrors(errors) }
        return configuration
    }

    /// The intermediate state of loading: the configuration and the errors so far, and the digest of each file that was
    /// read.
    private struct Loading {
        var configuration: TidingsConfiguration
        var digests: [String] = []
        var errors: [ConfigurationError] = []
    }

    private static func read(_ file: String, into loading: inout Loading) {
        do throws(FileProblem) {
            // One byte more than allowed, to detect a file that is too large.
            let bytes = try FileReader.read(file, maximum: YAMLParser.maximumBytes + 1)
            loading.digests.append(SHA256.hexDigest(of: bytes))
            parse(bytes, file: file, into: &loading.configuration, errors: &loading.errors)
        } catch {
            loading.errors.append(ConfigurationError(.file(file, nil), "cannot be read: \(error)"))
        }
    }

    /// Reads the widgets of all files in the folder `widgets.d`, and of `addition`.
    ///
    /// The folder is beside the configuration file `file`. `addition` is a file for the folder that is not written yet;
    /// it replaces a file with the same path.
    private static func readWidgets(
        beside file: String,
        adding addition: (file: WidgetFile, bytes: [UInt8])?,
        into loading: inout Loading
    ) {
        // If several files define the same widget, the first file owns it.
        var owners = Dictionary(
            loading.configuration.widgets.map { ($0.id, file) },
            uniquingKeysWith: { first, _ in first }
        )
        for path in widgetFiles(beside: file, &loading.errors) where path != addition?.file.path {
            do throws(FileProblem) {
                let bytes = try FileReader.read(path, maximum: YAMLParser.maximumBytes + 1)
                take(bytes, of: path, &owners, into: &loading)
            } catch {
                loading.errors.append(ConfigurationError(.file(path, nil), "cannot be read: \(error)"))
            }
        }
        guard let addition else { return }
        let errors = loading.errors.count
        let secrets = take(addition.bytes, of: addition.file.path, &owners, into: &loading)
        loading.errors += secrets.refusals
        guard loading.errors.count == errors else { return }
        loading.errors += problems(of: addition.file, owners, loading.configuration).map {
            ConfigurationError(.file(addition.file.path, nil), $0)
        }
    }

    /// Returns the paths of the files in `widgets.d`; empty, with an error, if they cannot be used.
    private static func widgetFiles(beside file: String, _ errors: inout [ConfigurationError]) -> [String] {
        func fail(_ message: String) {
            errors.append(ConfigurationError(.file(WidgetFile.folder(beside: file), nil), message))
        }
        do throws(SystemCallError) {
            let files = try WidgetFile.all(beside: file)
            if files.count <= ConfigurationLimits.maximumWidgetFiles { return files }
            fail("has \(files.count) files; at most \(ConfigurationLimits.maximumWidgetFiles) are allowed")
        } catch {
            fail("cannot be read: \(error)")
        }
        return []
    }

    /// Decodes a file of `widgets.d`, and returns the environment variables that it names.
    @discardableResult
    private static func take(
        _ bytes: [UInt8],
        of path: String,
        _ owners: inout [WidgetID: String],
        into loading: inout Loading
    ) -> Secrets {
        loading.digests.append(SHA256.hexDigest(of: bytes))
        do throws(YAMLError) {
            let document = try YAMLParser.parse(bytes)
            var decoder = ConfigurationDecoder(file: path)
            decoder.decodeWidgetFile(document, owners: &owners, into: &loading.configuration)
            loading.errors += decoder.errors
            return decoder.secrets
        } catch {
            loading.errors.append(ConfigurationError(.file(path, error.mark), error.message))
            return Secrets()
        }
    }

    /// Returns the rules of `WidgetFile.write` that a new file breaks.
    private static func problems(
        of file: WidgetFile,
        _ owners: [WidgetID: String],
        _ configuration: TidingsConfiguration
    ) -> [String] {
        let defined = owners.filter { $0.value == file.path }.keys.sorted()
        guard defined == [file.id] else {
            let found = defined.isEmpty ? "none" : defined.map { "'\($0)'" }.joined(separator: ", ")
            return ["the entry must define the widget '\(file.id)' and no other one; it defines \(found)"]
        }
        guard let source = configuration.widget(file.id)?.source else { return [] }
        let widens = [
            "allowPrivateNetworks": source.allowPrivateNetworks && !configuration.fetching.allowPrivateNetworks,
            "source: {file: …}": source.file != nil,
        ]
        return widens.filter(\.value).keys.sorted().map {
            "\($0) cannot be used here; write the widget into the configuration by hand"
        }
    }

    private static func parse(
        _ bytes: [UInt8],
        file: String,
        into configuration: inout TidingsConfiguration,
        errors: inout [ConfigurationError]
    ) {
        do {
            let document = try YAMLParser.parse(bytes)
            var decoder = ConfigurationDecoder(file: file)
            decoder.decode(document, into: &configuration)
            errors += decoder.errors
        } catch {
            errors.append(ConfigurationError(.file(file, error.mark), error.message))
        }
    }

    private static func override(
        _ configuration: inout TidingsConfiguration,
        by environment: [String: String],
        errors: inout [ConfigurationError]
    ) {
        func value(_ variable: EnvironmentVariable) -> String? { variable.value(in: environment) }
        func fail(_ variable: EnvironmentVariable, _ message: String) {
            errors.append(ConfigurationError(.variable(variable.name), message))
        }
        func choice<Value: CaseIterable & RawRepresentable<String>>(_ variable: EnvironmentVariable) -> Value? {
            guard let text = value(variable) else { return nil }
            if let value = Value(rawValue: text) { return value }
            let words = Value.allCases.map(\.rawValue)
            let hint = EditDistance.hint(for: text, among: words, else: "")
            fail(variable, "must be \(NodeDecoder.list(words)), not '\(text)'\(hint)")
            return nil
        }
        if let store = value(.store) {
            if let problem = TidingsConfiguration.problem(store: store) {
                fail(.store, problem)
            } else {
                configuration.store = store
            }
        }
        if let address = value(.bus) {
            do throws(BusAddressError) {
                _ = try BusAddresses(address)
                configuration.bus.address = address
            } catch {
                fail(.bus, error.description)
            }
        }
        if let address = value(.gateway), let problem = configuration.gateway.take(address: address) {
            fail(.gateway, problem)
        }
        if let host = value(.listen),
            let problem = configuration.gateway.take(publishedHost: host, listens: value(.gateway) == nil)
        {
            fail(.listen, problem)
        }
        if let folder = value(.files), configuration.fetching.fileDirectory != nil {
            configuration.fetching.fileDirectory = URL(filePath: folder).path
        }
        if let name = value(.instance) {
            if let instance = InstanceName(rawValue: name) {
                configuration.instance = instance
            } else {
                fail(.instance, "'\(name)' is not valid: \(InstanceName.rule)")
            }
        }
        configuration.log.level = choice(.logLevel) ?? configuration.log.level
        configuration.log.format = choice(.logFormat) ?? configuration.log.format
        if let text = value(.stopWithInput), text != "0", text != "1" {
            fail(.stopWithInput, "must be 0 or 1, not '\(text)'")
        }
        configuration.warnings += unknownVariables(environment)
    }

    private static func unknownVariables(_ environment: [String: String]) -> [String] {
        let known = EnvironmentVariable.allCases.map(\.name) + EnvironmentVariable.ofDeployment
        return environment.keys.sorted().filter { $0.hasPrefix(EnvironmentVariable.prefix) && !known.contains($0) }
            .map { name in
                let suggestion = EditDistance.closest(to: name, among: known).map { "; did you mean \($0)?" }
                return "the environment variable \(name) is unknown" + (suggestion ?? "")
            }
    }
}
