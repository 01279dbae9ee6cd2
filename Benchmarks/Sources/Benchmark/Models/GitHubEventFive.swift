// Five properties of an event, out of some sixty: the usual question to a feed of GitHub's events.

internal import Sluice

/// What happened, who did it, where and when.
@JSONModel
struct GitHubEventFive: Equatable, Sendable {
    var id: String
    var type: String
    @JSONKey("actor.login") var login: String
    @JSONKey("repo.name") var repository: String
    @JSONKey("created_at") var createdAt: String
}

extension GitHubEventFive: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, type, actor, repo
        case createdAt = "created_at"
    }
    private enum ActorKeys: String, CodingKey { case login }
    private enum RepositoryKeys: String, CodingKey { case name }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let actor = try container.nestedContainer(keyedBy: ActorKeys.self, forKey: .actor)
        let repository = try container.nestedContainer(keyedBy: RepositoryKeys.self, forKey: .repo)
        self.init(
            id: try container.decode(String.self, forKey: .id), type: try container.decode(String.self, forKey: .type),
            login: try actor.decode(String.self, forKey: .login),
            repository: try repository.decode(String.self, forKey: .name),
            createdAt: try container.decode(String.self, forKey: .createdAt))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        var actor = container.nestedContainer(keyedBy: ActorKeys.self, forKey: .actor)
        try actor.encode(login, forKey: .login)
        var owner = container.nestedContainer(keyedBy: RepositoryKeys.self, forKey: .repo)
        try owner.encode(repository, forKey: .name)
        try container.encode(createdAt, forKey: .createdAt)
    }
}
