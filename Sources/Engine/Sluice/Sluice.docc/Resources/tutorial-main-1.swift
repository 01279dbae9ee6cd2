import Sluice

let options = JSONFeed<Event>.Options(invalidRecords: .skip)
let feed = JSONFeed<Event>(descriptor: 0, options: options)
while let event = try feed.next() { print(event.actor, event.type) }
print(feed.acceptedCount, "read,", feed.rejectedCount, "skipped")
for reason in feed.reasons { print(reason.summary) }
