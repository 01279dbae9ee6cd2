// A result becomes a few numbers, so that it can be compared with what another language made of the same text.

/// What peers in other languages report of their last result; each computes the same sums.
enum Fingerprint {
    static func of(twitter archive: TwitterTimeline) -> [Double] {
        var text = 0
        var followers = 0
        var indices = 0
        for status in archive.statuses {
            text += status.text.utf8.count + status.user.name.utf8.count
            followers += status.user.followersCount + status.retweetCount
            indices += status.entities.userMentions.reduce(0) { $0 + $1.indices.reduce(0, +) }
        }
        return [Double(archive.statuses.count), Double(text), Double(followers), Double(indices)]
    }

    static func of(canada map: CanadaMap) -> [Double] {
        var points = 0
        var sum = 0.0
        for ring in map.features[0].geometry.coordinates {
            for point in ring {
                points += 1
                sum += point.longitude
                sum += point.latitude
            }
        }
        return [Double(points), sum]
    }

    static func of(user: GitHubUser) -> [Double] {
        [Double(user.id), Double(user.bio.utf8.count + user.receivedEventsURL.utf8.count), Double(user.publicRepos)]
    }

    static func of(five events: [GitHubEventFive]) -> [Double] {
        [
            Double(events.count), Double(events.reduce(0) { $0 + $1.login.utf8.count + $1.repository.utf8.count }),
            Double(events.reduce(0) { $0 + $1.id.utf8.count + $1.type.utf8.count + $1.createdAt.utf8.count }),
        ]
    }

    static func of(feed events: [FeedEvent]) -> [Double] {
        [
            Double(events.count), Double(events.reduce(0) { $0 + $1.id }), events.reduce(0) { $0 + $1.metrics.latencyMs },
            Double(events.reduce(0) { $0 + ($1.payload.commits ?? []).reduce(0) { $0 + $1.message.utf8.count } }),
        ]
    }
}
