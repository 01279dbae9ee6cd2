// The same for the values of cases, in a file of its own: the compiler looks at them after everything else.

import Sluice

struct Circle { var radius = 1.0 }

@JSONModel(tag: .key("t")) enum Figure {
    case circle(Circle)  // error: mark 'Circle' with '@JSONModel'
    case other(Int)
}

func use() throws { _ = try Figure(json: "{}").jsonString() }
