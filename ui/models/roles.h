// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace lockui {

/// What delegates ask models for. Models know neither colours nor fonts.
enum Role {
    ToneRole = Qt::UserRole, // int(Tone) of the text
    MonoRole, // bool: bytes from Redis, in the fixed font
    WordsRole, // bool: although in the fixed font it is no name, and cut at its end: its beginning says most
    StaleRole, // bool: its server is lost
    StrongRole, // bool: a figure to notice
    ItalicRole, // bool: inferred
    TtlRole, // qint64, milliseconds left now; invalid: no countdown
    FullTtlRole, // qint64, milliseconds of a full bar; invalid: not known
    TtlStateRole, // int(TtlState); invalid: no bar and no text at all
    ShareRole, // double, 0…1: a bar before the text; invalid: none
    BadgeToneRole, // int(Tone); invalid: no badge, plain text
    SuspectRole, // QString: what is suspected, to be marked; invalid: nothing
    ShortTextRole, // QString: instead, where the whole text has no room; empty: it is cut
    ClientNameRole, // QString: of the owner in the text, who is beside it; it is cut first; empty: there is none
    CopyRole, // QString: the whole of what is shown shortened; invalid: all is shown
    FoldRole, // int(Fold); invalid: nothing is folded here
    UnseenRole, // bool: a time of which nothing is known, to be hatched
    GroupRole, // QStringList: a row that stands for a group: its title, id, counts, what needs attention; else invalid
    IndentRole, // int: steps that a row stands below its group
    BytesRole, // QByteArray: the exact value, for the clipboard
};

/// Rows that stand for several.
enum class Fold { Closed, Open, Part };

} // namespace lockui
