// What is left of the macros if the package trait Macros is off: names, whose error says what to do. A macro needs an implementation even
// so; Swift's own plugin has one that adds nothing.
#if !Macros

public import SluiceCore

/// Binds a type to JSON.
@available(*, unavailable, message: "enable the package trait Macros, which brings in swift-syntax, or conform by hand")
@attached(extension)
public macro JSONModel(
    keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = [], observe: [String] = [], tag: JSONTag? = nil, unknownKeys: JSONUnknownKeys? = nil, codable: Bool = false
) = #externalMacro(module: "ObservationMacros", type: "ObservableMacro")

/// Binds a class that has subclasses to JSON.
@available(*, unavailable, message: "enable the package trait Macros, which brings in swift-syntax, or conform by hand")
@attached(extension)
public macro JSONBaseClass(
    keys: JSONKeyStrategy = .verbatim, conversions: JSONConversions? = nil, null: JSONNullPolicy? = nil,
    mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil, except: [String] = [],
    observe: [String] = []
) = #externalMacro(module: "ObservationMacros", type: "ObservableMacro")

/// Binds a subclass of a model to JSON.
@available(*, unavailable, message: "enable the package trait Macros, which brings in swift-syntax, or conform by hand")
@attached(extension)
public macro JSONSubclass(
    of superclass: Any.Type, keys: JSONKeyStrategy = .verbatim, conversions: JSONConversions? = nil, null: JSONNullPolicy? = nil,
    mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil, except: [String] = []
) = #externalMacro(module: "ObservationMacros", type: "ObservableMacro")

#endif
