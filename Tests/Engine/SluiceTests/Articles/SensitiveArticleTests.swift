// The code of the sections about sensitive values in "Mapping" and "Errors".
#if Macros

import Sluice
import Testing

@Suite struct SensitiveArticleTests {
    @JSONModel
    struct Login {
        var id: Int
        @JSONSensitive var password: String
    }

    @Test func whatIsPrintedIsWhatTheArticlesSay() {
        var printed: [String] = []
        func print(_ items: Any...) { printed += items.map { "\($0)" } }

        print(Login(id: 7, password: "hunter2"))  // Login(id: 7, password: <redacted>)

        do {
            _ = try Login(json: #"{"password": "hunter2", "id": "old"}"#)
        } catch {
            print(error)
            // type mismatch at id (line 1, column 31, byte 30): expected Int, found the string "old"
            // "old"
            // ^
        }

        #expect(
            printed == [
                "Login(id: 7, password: <redacted>)",
                """
                type mismatch at id (line 1, column 31, byte 30): expected Int, found the string "old"
                "old"
                ^
                """,
            ])
    }
}

#endif
