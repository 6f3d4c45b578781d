// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct SymbolCatalogTests {
    @Test func everyNameHasASymbol() {
        #expect(SymbolCatalog.names.filter { SymbolArt.known($0) == nil } == [])
    }

    @Test func whatWidgetsShowOfThemselvesIsInTheCatalog() {
        #expect(SymbolName.allCases.map(\.rawValue).filter { !SymbolCatalog.names.contains($0) } == [])
    }

    @Test func namesAreInAlphabeticalOrderAndUnique() {
        #expect(SymbolCatalog.names == Array(Set(SymbolCatalog.names)).sorted())
    }

    @Test func aVariantIsDrawnAsWhatItIsAVariantOf() {
        #expect(SymbolCatalog.draws("folder.badge.plus"))
        #expect(!SymbolCatalog.draws("no.such.symbol"))
    }
}
