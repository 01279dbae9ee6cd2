// A month of a shop: customers from a page of its API, events from its webhooks, PATCH requests from its log; a statement for each customer
// as NDJSON on standard output.
//
//   billing customers.json events.ndjson patches.ndjson >statements.ndjson

import Foundation
import Sluice

@main
struct Billing {
    static func main() throws {
        guard CommandLine.arguments.count == 4 else {
            say("usage: billing CUSTOMERS EVENTS PATCHES")
            exit(64)
        }
        let paths = CommandLine.arguments.dropFirst().map { $0 }
        var ledger = Ledger()
        var isWhole = true

        let customers = try JSONFeed<Customer>(path: paths[0], options: .init(at: "data"))
        let page = customers.envelope(as: CustomerPage.self)
        while let customer = try customers.next() { ledger.add(customer) }
        if try page.value()?.hasMore == true { say("there are more customers on the next page") }

        // Events that cannot be read go to a file, and the others count.
        let rejects = try JSONRejects(path: paths[1] + ".rejected")
        let events = try JSONFeed<Event>(path: paths[1], options: .init(invalidRecords: .rejects(rejects)))
        while let event = try events.next() { ledger.apply(event) }
        for rejected in events.rejectedRecords { say("event in line \(rejected.line): \(rejected.error.summary)") }
        for (type, count) in ledger.unknownTypes.sorted(by: { $0.key < $1.key }) { say("\(count) × \(type): not a type of ours") }
        if events.rejectedCount > 0 { isWhole = false }

        let patches = try JSONFeed<PatchRequest>(path: paths[2])
        while let request = try patches.next() {
            do {
                say("PATCH \(request.id): \(try ledger.patch(request))")
            } catch let error as JSONError {
                say("PATCH \(request.id): \(error.summary)")
            }
        }

        let output = try JSONFeedWriter(descriptor: 1, format: .lines, options: .init(sortedKeys: false))
        for statement in ledger.statements.values.sorted(by: { $0.customer.id < $1.customer.id }) { try output.write(statement) }
        try output.finish()
        if !isWhole { exit(2) }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
