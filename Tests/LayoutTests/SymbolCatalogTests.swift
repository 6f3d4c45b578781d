// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import LayoutEngine
@testable import LayoutGallery

@Suite struct SymbolCatalogTests {
    @Test func theTableHasTheNamesOfTheCatalog() { #expect(SymbolArt.all.keys.sorted() == SymbolCatalog.names) }

    @Test func everyLineOfTheTableIsPathData() {
        for line in SymbolArt.table.split(separator: "\n") where line.first == " " {
            let data = line.drop { $0 == " " }.replacing("fill ", with: "").replacing("line ", with: "")
            #expect(VectorPath(data: data)?.segments.isEmpty == false, "\(line)")
        }
    }

    @Test(arguments: ["M1", "M1 2 3", "L1 x", "Q1 2 3 4", "C1 2 3 4", "Z1", "1 2"])
    func whatIsNoPathDataIsRefused(data: String) { #expect(VectorPath(data: data) == nil) }

    @Test func thePictureInTheDocumentationShowsTheSymbolsOfToday() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: SymbolSheet.file)
        #expect(try Data(contentsOf: file) == SampleRenderer().svg(of: SymbolSheet.layout))
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
