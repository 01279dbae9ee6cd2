import Sluice

let feed = JSONFeed<Event>(descriptor: 0, options: .init(invalidRecords: .skip))
while let event = try feed.next() { print(event.actor, event.type) }
print(feed.acceptedCount, "read,", feed.rejectedCount, "skipped")
for reason in feed.reasons { print(reason.summary) }
