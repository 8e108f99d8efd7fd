// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/utf8.h"

#include "lockcore/base/default_ignorable.h"
#include "lockcore/base/utf8.h"

#include <QChar>

namespace lockui {

bool isUtf8(std::string_view bytes)
{
    while (!bytes.empty()) {
        if (!lockcore::takeCodePoint(bytes))
            return false;
    }
    return true;
}

bool isHazardous(char32_t codePoint)
{
    if (lockcore::isDefaultIgnorable(codePoint))
        return true;
    switch (QChar::category(codePoint)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Separator_Space:
        return codePoint != U' ';
    default:
        return false;
    }
}

} // namespace lockui
