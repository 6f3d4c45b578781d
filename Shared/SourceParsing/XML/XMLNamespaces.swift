// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The namespace declarations that apply at the current place in a document, with the vocabularies of the namespaces.
struct XMLNamespaces {
    /// The maximum number of declarations that apply at one place; further declarations are skipped.
    static let maximumDeclarations = 256

    private struct Binding {
        let prefix: Int32
        var vocabulary: XMLElement.Vocabulary
        let namespace: String
        let depth: Int
    }

    private var bindings: [Binding] = []
    private var undeclared: [Int32: XMLElement.Vocabulary] = [:]
    /// The foreign namespace of the root element, and the vocabulary that is used for this namespace.
    ///
    /// The vocabulary is chosen by the name of the root element. If the namespace is one of another vocabulary, such as
    /// `<rss>` with the namespace of Atom, only names with the prefix of the root element get the adopted vocabulary;
    /// `prefix` is then this prefix. The property is nil if the root element has a namespace of its own vocabulary, or
    /// if it does not have the name of a feed's root element.
    private(set) var adopted: Adoption?

    struct Adoption {
        let namespace: String
        let prefix: Int32?
        let vocabulary: XMLElement.Vocabulary

        func concerns(_ namespace: String, _ prefix: Int32) -> Bool {
            namespace == self.namespace && (self.prefix ?? prefix) == prefix
        }
    }

    /// Binds a prefix to a namespace for the element at `depth` and its descendants.
    ///
    /// `prefix` is the number of the prefix in the name table, and `name` is the text of the prefix.
    mutating func bind(_ prefix: Int32, named name: String, to namespace: String, depth: Int) {
        guard bindings.count < Self.maximumDeclarations else { return }
        var vocabulary = XMLElement.Vocabulary(namespace: namespace, prefix: name)
        if let adopted, adopted.concerns(namespace, prefix) { vocabulary = adopted.vocabulary }
        bindings.append(Binding(prefix: prefix, vocabulary: vocabulary, namespace: namespace, depth: depth))
    }

    /// Ends the namespace declarations of all elements whose depth is at least `depth`.
    mutating func close(to depth: Int) {
        while let last = bindings.last, last.depth >= depth { bindings.removeLast() }
    }

    /// Returns the vocabulary of a prefix; if the prefix is not declared, the vocabulary for which it usually stands.
    mutating func vocabulary(
        ofPrefix prefix: Int32,
        _ names: XMLNameTable,
        _ work: ParsingWork
    ) -> XMLElement.Vocabulary {
        var index = bindings.count
        defer { work.add(bindings.count - index) }
        while index > 0 {
            index -= 1
            if bindings[index].prefix == prefix { return bindings[index].vocabulary }
        }
        if prefix == XMLNameTable.noPrefix { return .rss }
        if let known = undeclared[prefix] { return known }
        let vocabulary = XMLElement.Vocabulary(namespace: nil, prefix: names.prefixes[Int(prefix)])
        undeclared[prefix] = vocabulary
        return vocabulary
    }

    /// Sets `adopted` if the root element has a foreign namespace, but the name of a feed's root element.
    ///
    /// All prefixes that are already bound to this namespace, and that the adoption concerns, get the adopted vocabulary.
    mutating func adoptRoot(_ name: XMLNameTable.Entry, vocabulary: XMLElement.Vocabulary) {
        guard let known = XMLElement.Vocabulary(rootName: name.local), vocabulary != known,
            vocabulary != .rss, let namespace = bindings.last(where: { $0.prefix == name.prefix })?.namespace
        else { return }
        let adoption = Adoption(
            namespace: namespace,
            prefix: vocabulary == .other ? nil : name.prefix,
            vocabulary: known
        )
        adopted = adoption
        for index in bindings.indices where adoption.concerns(bindings[index].namespace, bindings[index].prefix) {
            bindings[index].vocabulary = known
        }
    }
}
