// Runs one feature many times and nothing else, for callgrind: see Benchmarks/feature-costs.

import Sluice

enum Texts {
    static let members =
        #""title":"Harry Potter and the Philosopher's Stone","pages":256,"price":12.5,"available":true,"tags":["fantasy","school","magic"],"author":{"id":7,"name":"J. K. Rowling"}"#
    static let plain = record(#""id":100010,\#(members)"#)
    static let epoch = record(#""id":100010,\#(members)"#, created: "1399360089000")
    static let tagFirst = record(#""kind":"book","id":100010,\#(members)"#)
    static let tagLast = record(#""id":100010,\#(members)"#, end: #","kind":"book""#)
    static let quoted = record(
        #""id":"100010","title":"Harry Potter and the Philosopher's Stone","pages":"256","price":"12.5","available":"true","tags":["fantasy","school","magic"],"author":{"id":"7","name":"J. K. Rowling"}"#
    )
    static let faulty = record(
        #""id":100010,"title":"Harry Potter and the Philosopher's Stone","pages":256,"price":12.5,"available":true,"tags":[1,"x",3],"author":{"id":7,"name":"J. K. Rowling"}"#
    )
    static let part = Array(#"{"pages":257,"author":{"name":"Robert Galbraith"}}"#.utf8)

    private static func record(
        _ members: String, created: String = #""2014-05-06T07:08:09Z""#, end: String = ""
    ) -> [UInt8] {
        Array(#"{\#(members),"created":\#(created),"note":null\#(end)}"#.utf8)
    }
}

/// One feature: what is done with a record once.
struct Feature {
    let name: String
    let run: (_ iterations: Int) throws -> Void

    static func reading<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ text: [UInt8], _ options: JSONReader.Options = .init()
    ) -> Feature {
        Feature(name: name) { iterations in
            var reader = JSONReader(options: options)
            for _ in 0..<iterations { _ = try reader.read(type, from: text) }
        }
    }

    static func writing<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ text: [UInt8], _ options: JSONWriter.Options = .init()
    ) -> Feature {
        Feature(name: name) { iterations in
            let value = try Value(json: text)
            for _ in 0..<iterations { _ = try value.jsonBytes(options: options) }
        }
    }

    static var all: [Feature] {
        [
            reading("read plain", Plain.self, Texts.plain),
            reading("read plain, strict", Plain.self, Texts.plain, .strict),
            reading("read policies, none at work", WithPolicies.self, Texts.plain),
            reading("read six scalars converted from strings", Plain.self, Texts.quoted),
            reading("read one element left out, one null made empty", Tolerant.self, Texts.faulty),
            reading("read an ISO 8601 date", WithDate.self, Texts.plain),
            reading("read a date in milliseconds", WithEpoch.self, Texts.epoch),
            reading("read two alternatives", Alternatives.self, Texts.plain),
            reading("read two shared keys", Shared.self, Texts.plain),
            reading("read a place in an array", Place.self, Texts.plain),
            reading("read a hook: didRead", Checked.self, Texts.plain),
            reading("read a hook: willRead", Prepared.self, Texts.plain),
            reading("read a variant, tag first", Item.self, Texts.tagFirst),
            reading("read a variant, tag last", Item.self, Texts.tagLast),
            reading("read a final class", PlainObject.self, Texts.plain),
            reading("read a subclass", BookObject.self, Texts.plain),
            Feature(name: "update two properties") { iterations in
                var value = try Plain(json: Texts.plain)
                var reader = JSONReader()
                for _ in 0..<iterations { _ = try reader.update(&value, from: Texts.part) }
            },
            writing("write plain", Plain.self, Texts.plain),
            writing("write an ISO 8601 date", WithDate.self, Texts.plain),
            writing("write a date in milliseconds", WithEpoch.self, Texts.epoch),
            writing("write shared keys", Shared.self, Texts.plain),
            writing("write a variant", Item.self, Texts.tagFirst),
            writing("write a hook: didWrite", Completed.self, Texts.plain),
            writing("write a subclass", BookObject.self, Texts.plain),
            Feature(name: "write two properties included") { iterations in
                let value = try Plain(json: Texts.plain)
                for _ in 0..<iterations { _ = try value.jsonBytes(include: ["id", "author"] as JSONSelection) }
            },
            Feature(name: "archive") { iterations in
                let value = try Plain(json: Texts.plain)
                for _ in 0..<iterations { _ = try value.archive() }
            },
            Feature(name: "describe") { iterations in
                let value = try Plain(json: Texts.plain)
                for _ in 0..<iterations { _ = value.jsonDescription }
            },
        ]
    }
}

@main
struct FeatureCosts {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let iterations = Int(arguments[2]),
            let feature = Feature.all.first(where: { $0.name == arguments[1] })
        else {
            for feature in Feature.all { print(feature.name) }
            return
        }
        try feature.run(iterations)
    }
}
