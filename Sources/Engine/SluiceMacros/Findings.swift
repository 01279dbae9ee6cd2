// What the macros say: the words of each error and warning, by its id.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// An error or a warning. In its words, `$0`, `$1` and so on stand for what the check names.
enum Finding: String {
    // The declaration
    case unsupportedDeclaration = "'@JSONModel' cannot be applied to $0; it applies to structs, classes, and enums"
    case notAClass = "'@$0' can only be applied to a class"
    case classNotFinal = "'@JSONModel' requires class '$0' to be final; a class with subclasses is marked '@JSONBaseClass'"
    case unmarkedSubclass = "class '$0' is a subclass of the model '$1'; a subclass says '@JSONSubclass(of: $1.self)'"
    case noSuperclass = "class '$0' has no superclass; a class with subclasses is marked '@JSONBaseClass'"
    case otherSuperclass = "the superclass of '$0' is '$1'; write '@JSONSubclass(of: $1.self)'"
    case genericHierarchy = "generic class '$0' cannot have subclasses that are models"
    case isolatedClass =
        "class '$0' is isolated to $1, and models are read and written outside of it; mark the class 'nonisolated', or bind a struct that it holds"
    case privateModel = "nested type '$0' cannot be private because its '@JSONModel' extension would not see it"
    case parameterPack =
        "'@JSONModel' cannot be applied to '$0': Swift's runtime stops at key paths of types with a parameter pack"
    case noncopyable = "'@JSONModel' cannot be applied to noncopyable type '$0'"
    case existingDraft = "'$0' already declares '$1', the name of the type that '@JSONModel' generates"
    case privatePropertyType =
        "type '$0' cannot be private because the draft that '@JSONModel' generates stores a value of it"
    case namesNotLiteral = "'$0:' must be an array of string literals"
    case unknownName = "'$0' has no stored property '$1'"
    case collectorNotLiteral = "unknown keys are collected by '.collect(into: \"rest\")', with a literal"
    case collectorType =
        "property '$0', which collects unknown keys, has to be a 'JSONObject' or a '[String: JSONValue]' that can be set"
    case keyInArray = "'@JSONKey' has no effect on '$0', which is bound to a place in an array"
    case ownDescription =
        "'$0' is '$1' by its own code, which '@JSONSensitive' does not change: it must not show '$2'"
    case strayCodingKey = "'$0' has no stored property '$1'; '@JSONModel' ignores this case"
    case codableInit =
        "'@JSONModel' does not call 'init(from:)'; '@JSONKey' with a path, initial values and 'JSONDidRead' take its place"
    case codableEncode =
        "'@JSONModel' does not call 'encode(to:)'; '@JSONKey' with a path and 'JSONWillWrite' take its place"

    // Enums
    case keysOnEnum = "'keys:' has no effect on an enum, whose values are its raw values"
    case layoutOnEnum = "'layout:' has no effect on an enum, whose values are its raw values"
    case rawType =
        "raw type '$0' is not supported; '@JSONModel' applies to enums whose raw type is 'String' or an integer type"
    case noRawType =
        "enum '$0' has no raw type; '@JSONModel' applies to enums whose raw type is 'String' or an integer type"
    case severalAssociatedValues =
        "case '$0' has several associated values; '@JSONModel' binds one, so make a model of them"
    case caseKey = "'@JSONKey' of a case is one string literal on one line, without interpolation"
    case duplicateCaseName = "case '$0' has the same name in JSON as case '$1': '$2'"
    case keyOfRawCase =
        "'@JSONKey' has no effect on case '$0', whose raw value is its JSON; write 'case $0 = $1'"

    // Properties
    case tuplePattern = "'@JSONModel' cannot bind a tuple pattern; declare one property at a time"
    case storageModifier = "$0 property '$1' cannot be bound to JSON; mark it '@JSONIgnored'"
    case conditionalProperty =
        "'@JSONModel' does not support properties inside '#if'; move '$0' out or mark it '@JSONIgnored'"
    case reservedName = "a '@JSONModel' property cannot be named '$0'; choose another name and add '@JSONKey(\"$0\")'"
    case anyType = "property '$0' has values of type '$1', which JSON cannot be bound to; use 'JSONValue'"
    case optionalInField =
        "property '$0' is a field of an optional, but null is a value of every field; write 'JSONField<$1>'"
    case unrepresentableType = "property '$0' has a $1 type, which JSON cannot represent; mark it '@JSONIgnored'"
    case missingType =
        "type annotation missing for property '$0'; '@JSONModel' cannot infer its type from the initial value"
    case nothingInitialises = "property '$0' needs an initial value because $1"
    case constantWithValue =
        "constant '$0' is written and never read, because it has its value already; mark it '@JSONIgnored(.reading)' if that is meant"

    // Keys
    case noKeys = "'@JSONKey' requires at least one key"
    case keyNotLiteral = "key must be a string literal on one line, without interpolation"
    case duplicateKey = "key '$0' is already among the alternatives"
    case emptyKey = "key cannot be empty"
    case wrongPath =
        "'$0' is not a path: expected $1, found $2 (column $3); a key with such characters is written '@JSONKey(literal: \"$4\")'"
    case severalKeyAttributes = "property '$0' has more than one '@JSONKey'; alternative keys go into one"
    case keyOfSeveralProperties =
        "'@JSONKey' cannot be applied to several properties at once; declare one property at a time"
    case keyOfIgnoredProperty = "'@JSONKey' has no effect because '$0' is ignored"

    // Other markers
    case notAStoredProperty = "'$0' $1"
    case conditionalMarker = "'@JSONModel' does not see attributes inside '#if'; move the marker out"
    case severalAdapters = "property '$0' is bound by '@$1' or by '@$2', not by both"
    case severalMarkers = "property '$0' has more than one '$1'"
    case markerOfOtherType = "'$0' has no effect on '$1', whose values are of type '$2' and not '$3'"
    case constraintOfOtherType = "'$0' is for $1, and property '$2' has the type '$3'$4"
    case constraintOfAdapter = "'@JSONConstraint' cannot check '$0', whose values are read by '@$1'"
    case markerOfIgnoredProperty = "'$0' has no effect because '$1' is ignored"
    case directionNotLiteral = "direction must be written as '.both', '.reading', '.writing', or '.archive'"
    case severalIgnoredAttributes =
        "property '$0' has more than one '@JSONIgnored'; '@JSONIgnored' alone means both directions"
    case keyOfInlined = "property '$0' has no key of its own, because it is marked '@JSONInline'"
    case adapterOfInlined = "property '$0' cannot be inlined, because an adapter reads it as one value"
    case inlinedType = "property '$0' cannot be inlined; only a model, or an enum whose cases hold models, has keys"
    case inlinedIgnored = "'@JSONInline' has no effect because '$0' is ignored"

    var severity: DiagnosticSeverity {
        switch self {
        case .keyInArray, .ownDescription, .strayCodingKey, .codableInit, .codableEncode, .keysOnEnum, .layoutOnEnum,
            .constantWithValue, .keyOfIgnoredProperty, .markerOfOtherType, .markerOfIgnoredProperty, .inlinedIgnored:
            .warning
        default: .error
        }
    }
}

extension Diagnostic {
    /// - Parameter names: The texts for `$0`, `$1` and so on in the finding's message.
    init(_ finding: Finding, _ names: String..., at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        let parts = finding.rawValue.split(separator: "$", omittingEmptySubsequences: false)
        let words = parts.dropFirst().map { part in "\(names[part.first?.wholeNumberValue ?? 0])\(part.dropFirst())" }
        self.init(node: node, message: Words(finding: finding, message: "\(parts[0])\(words.joined())"), fixIts: fixIts)
    }
}

private struct Words: DiagnosticMessage {
    let finding: Finding
    let message: String

    var severity: DiagnosticSeverity { finding.severity }
    var diagnosticID: MessageID { MessageID(domain: "SluiceMacros", id: "\(finding)") }
}

#endif
