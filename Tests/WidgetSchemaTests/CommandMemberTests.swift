// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import WidgetSchema

@Suite struct CommandMemberTests {
    private func error(_ command: String, _ rest: String = "") -> String? {
        let json = """
            {"request":"command","deadlineMilliseconds":1,"client":"c","counter":1,"widget":"blog","command":\(command)\(rest)}
            """
        do throws(WireError) {
            try CommandRequest.checkMembers(of: Data(json.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aCommandHasTheMembersOfItsNameAlone() {
        #expect(error(#"{"name":"setExpanded","expanded":true}"#, #","display":"phone""#) == nil)
        #expect(error(#"{"name":"nextValue"}"#) == nil)
        #expect(error(#"{"name":"nextValue"}"#, #","dispaly":"phone""#)?.hasPrefix("dispaly: is not a member") == true)
        for command in [#"{"name":"nextValue","expanded":true}"#, #"{"name":"refresh","display":"phone"}"#] {
            #expect(error(command)?.hasPrefix("command.") == true)
        }
        #expect(error(#"{"name":"refresh"}"#, ",\"a\":\"\(String(repeating: "b", count: 5000))\"") != nil)
    }
}
