// The customers, and what events and PATCH requests do to them.

import Foundation
import Sluice

struct Ledger {
    private(set) var statements: [String: Statement] = [:]
    /// The numbers of events whose type is not known.
    private(set) var unknownTypes: [String: Int] = [:]
    private var seenEvents: Set<String> = []

    mutating func add(_ customer: Customer) {
        statements[customer.id] = Statement(customer: customer)
    }

    /// Takes an event once, however often it is delivered.
    mutating func apply(_ event: Event) {
        guard seenEvents.insert(event.id).inserted else { return }
        switch event.payload {
        case .chargePaid(let charge): book(charge, charge.amount, event)
        case .chargeRefunded(let charge): book(charge, -charge.amount, event)
        case .customerUpdated(let change):
            change.email.apply(to: &statements[change.id, default: Ledger.new(change.id, event)].customer.email)
            change.phone.apply(to: &statements[change.id, default: Ledger.new(change.id, event)].customer.phone)
            statements[change.id]?.lastEvent = event.id
        case .unknown(let type, _):
            unknownTypes[type ?? "no type", default: 0] += 1
        }
    }

    private mutating func book(_ charge: Charge, _ amount: Decimal, _ event: Event) {
        statements[charge.customer, default: Ledger.new(charge.customer, event)].paid[charge.currency, default: 0] += amount
        statements[charge.customer]?.lastEvent = event.id
    }

    /// A customer of whom only events are known.
    private static func new(_ id: String, _ event: Event) -> Statement {
        Statement(customer: Customer(id: id, name: id, createdAt: event.created))
    }

    /// Changes a customer as the body says, completely or not at all.
    ///
    /// - Returns: The changes as JSON, or why there are none.
    mutating func patch(_ request: PatchRequest) throws -> String {
        guard var customer = statements[request.id]?.customer else { return "no such customer" }
        let changes = try customer.update(json: request.body.text, options: .init(unknownKeys: .reject))
        guard customer.id == request.id else { return "the id of a customer does not change" }
        statements[request.id]?.customer = customer
        return try customer.jsonString(of: changes)
    }
}
