// A line of the output: the customer's own keys, and beside them what was paid.

import Foundation
import Sluice

@JSONModel(keys: .snakeCase)
struct Statement {
    @JSONInline var customer: Customer
    var paid: [Currency: Decimal] = [:]
    var lastEvent: String?
}
