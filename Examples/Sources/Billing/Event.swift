// Events of webhooks. The type stands beside the payload: {"id": …, "type": "charge.paid", "created": …, "data": {"object": {…}}}

import Foundation
import Sluice

@JSONModel
struct Event {
    var id: String
    @JSONDate(.unix) var created: Date
    @JSONInline var payload: Payload
}

@JSONModel(tag: .key("type", content: "data.object"))
enum Payload {
    @JSONKey("charge.paid") case chargePaid(Charge)
    @JSONKey("charge.refunded") case chargeRefunded(Charge)
    @JSONKey("customer.updated") case customerUpdated(CustomerChange)
    case unknown(String?, RawJSON)
}

@JSONModel
struct Charge {
    var customer: String
    var amount: Decimal
    var currency: Currency
}

@JSONModel
enum Currency: String, JSONKeyBindable {
    case eur, usd
}

/// What has changed: an absent key says nothing, and a null says that the value is gone.
@JSONModel
struct CustomerChange {
    var id: String
    var email: JSONField<String>
    var phone: JSONField<String>
}
