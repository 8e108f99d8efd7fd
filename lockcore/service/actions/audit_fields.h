// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the fields of the audit log are called. They stand in people's files: none is ever renamed.
namespace lockcore::service::audit_field {

// Of both lines of an action
inline constexpr const char *Id = "id";
inline constexpr const char *Phase = "phase";
inline constexpr const char *At = "at";
inline constexpr const char *Endpoint = "endpoint";

// Values of `phase`
inline constexpr const char *Intent = "intent";
inline constexpr const char *Outcome = "outcome"; // also the field with what came of it

// Of the intent
inline constexpr const char *User = "user";
inline constexpr const char *Host = "host";
inline constexpr const char *Program = "program";
inline constexpr const char *Pid = "pid";
inline constexpr const char *Connection = "connection";
inline constexpr const char *Environment = "environment";
inline constexpr const char *Lock = "lock";
inline constexpr const char *Action = "action";
inline constexpr const char *Kind = "kind";
inline constexpr const char *Expected = "expected";
inline constexpr const char *OnlyThese = "onlyThese";
inline constexpr const char *SeenEnd = "seenEnd"; // a moment, or Never
inline constexpr const char *TtlMs = "ttlMs";
inline constexpr const char *Waiter = "waiter";
inline constexpr const char *Permit = "permit";
inline constexpr const char *ByHand = "byHand";
inline constexpr const char *Reason = "reason";
inline constexpr const char *NotAsked = "notAsked"; // only of independent servers that were not seen

// Of the outcome
inline constexpr const char *Published = "published";
inline constexpr const char *Found = "found";
inline constexpr const char *Waiting = "waiting";
inline constexpr const char *Anew = "anew"; // only with what was refused for that
inline constexpr const char *FoundEnd = "foundEnd"; // as SeenEnd, with Anew of a lock
inline constexpr const char *Unsent = "unsent"; // only of what could not be sent
inline constexpr const char *Code = "code";
inline constexpr const char *Error = "error";

inline constexpr const char *Never = "never";

// Of an owner
inline constexpr const char *Client = "client";
inline constexpr const char *Thread = "thread";
inline constexpr const char *Mode = "mode";
inline constexpr const char *Count = "count";

/// Behind the name of a text whose bytes are not UTF-8: the field that carries them exactly.
inline constexpr const char *Base64 = "Base64";

} // namespace lockcore::service::audit_field
