// What the API says of a customer, and what a PATCH may change.

import Foundation
import Sluice

@JSONModel(keys: .snakeCase)
struct Customer {
    let id: String
    @JSONNull(.error) var name: String  // a PATCH cannot remove it
    var email: String?
    var phone: String?
    var address: Address?
    var metadata: [String: String] = [:]
    @JSONDate(.unix) var createdAt: Date
}

@JSONModel
struct Address {
    var street: String?
    var city: String
}

/// A page of `GET /customers`, without the customers: they are a feed.
@JSONModel(keys: .snakeCase)
struct CustomerPage {
    var hasMore = false
}

/// `PATCH /customers/ID`, as a line of a log of requests.
@JSONModel
struct PatchRequest {
    var id: String
    var body: RawJSON
}
