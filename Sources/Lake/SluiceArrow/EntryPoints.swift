// The functions of sluice_arrow.h.

internal import CArrow
internal import SluiceCore

internal import SluiceSystem

/// Implements `sluice_open` of the header.
@_cdecl("sluice_open")
public func _openStream(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ stream: UnsafeMutableRawPointer?
) -> Int32 {
    guard let path = unsafe path, let stream = unsafe stream else {
        return fail("the path and the stream must not be NULL", EINVAL)
    }
    do throws(JSONError) {
        var scan = ScanOptions()
        if let options = unsafe options {
            let value = try unsafe JSONValue(json: String(cString: options))
            do throws(JSONError) {
                scan = try ScanOptions(json: value)
            } catch {
                // The name of the option is given, not a position in the text of the options.
                let name = error.path.isEmpty ? "the options are" : "the option '\(error.path)' is"
                return fail("\(name) not valid: expected \(error.expected), found \(error.found)", EINVAL)
            }
        }
        let source = try unsafe FeedScan.source(path: String(cString: path), scan)
        unsafe ArrowArrayStream.export(source, to: stream.assumingMemoryBound(to: ArrowArrayStream.self))
        unsafe free(sluice_exchange_error(nil))
        return 0
    } catch {
        return fail(error.description, error.errorNumber)
    }
}

/// Implements `sluice_version` of the header.
@_cdecl("sluice_version")
public func _version() -> UnsafePointer<CChar> { unsafe Version.text }

private enum Version {
    // Safe: the text is never changed and never freed.
    nonisolated(unsafe) static let text: UnsafePointer<CChar> = unsafe UnsafePointer(strdup(SluiceVersion.text))
}

private func fail(_ text: String, _ number: Int32) -> Int32 {
    unsafe free(sluice_exchange_error(strdup(text)))
    return number
}

extension FeedScan {
    /// The source of the batches that the options ask for.
    static func source(path: String, _ options: ScanOptions) throws(JSONError) -> any BatchSource {
        switch options.mode {
        case .records: try FeedScan(path: path, options)
        case .rejects: try RejectScan(path: path, options)
        }
    }
}
