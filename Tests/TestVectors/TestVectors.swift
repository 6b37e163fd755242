package import Foundation

/// `nan-vectors.json`, which the tests of several modules read; README.md beside it says where it comes from.
package enum TestVectors {
    package struct Missing: Error {}

    /// The file's content.
    package static func data() throws -> Data {
        guard let url = Bundle.module.url(forResource: "nan-vectors", withExtension: "json") else { throw Missing() }
        return try Data(contentsOf: url)
    }
}
