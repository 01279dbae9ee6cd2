// The benchmark's own models as types that are `Codable` and nothing else: what a project has before it annotates the first of them.
// Models/ are links to the same files, in which `@JSONModel` is the macro below.

internal import Sluice

/// Adds nothing. It has the parameters of Sluice's own macro, which it replaces in this module.
@attached(peer)
macro JSONModel(
    keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = [], observe: [String] = [], tag: JSONTag? = nil, unknownKeys: JSONUnknownKeys? = nil
) = #externalMacro(module: "NoTableMacro", type: "NoTableMacro")

/// Types that know nothing of Sluice.
public enum CodableModels {
    /// The type of a subject's document; nil if all its types have tables.
    public static func type(of subject: String) -> (any (Codable & Equatable).Type)? {
        switch subject {
        case "twitter.json": TwitterTimeline.self
        case "twitter.json, every key": TwitterArchive.self
        case "canada.json": CanadaMap.self
        case "github_user.json": GitHubUser.self
        case "github_events.json": [GitHubEvent].self
        default: nil
        }
    }
}
