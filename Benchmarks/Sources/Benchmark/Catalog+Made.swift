// Documents that are made here, of kinds that the corpus lacks, and one document in the styles in which other programs write it.

internal import Sluice

extension Catalog {
    func addMadeDocuments(_ entries: inout [SubjectEntry]) {
        addShape(&entries, "programme, four spaces a level", in: .fourSpaces, isWritten: true, Programme.sample)
        addShape(&entries, "small objects, blanks before colons", in: .blankBeforeColon, isWritten: true, SmallObject.sample)
        addShape(&entries, "texts, escaped", in: .escaped, isWritten: true, Letter.sample)
        addShape(&entries, "builds, pretty-printed", in: .twoSpaces, isWritten: true, BuildServer.sample)
        addShape(&entries, "people", isWritten: true, People.sample)
        addShape(&entries, "meshes", isWritten: true, Mesh.sample)
        for layout in TextLayout.allCases where layout != .escaped {
            addShape(&entries, "catalogue: \(layout.rawValue)", in: layout, Catalogue.sample)
        }
    }
}
