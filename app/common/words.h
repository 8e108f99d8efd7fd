// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"
#include "ui/text/display_text.h"
#include "ui/text/printable_text.h"

#include <QCoreApplication>
#include <QString>
#include <string>
#include <utility>

namespace app {

/// What the programs say on a terminal of themselves. What they say of locks, servers and errors is in ui/text.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

/// Bytes from Redis or from a command line, whole, for a sentence on a terminal.
inline QString shown(std::string_view bytes) { return QString::fromStdString(lockui::printable(bytes)); }

/// The same for what is escaped as a whole later, in an error.
inline QString raw(const std::string &bytes) { return QString::fromStdString(bytes); }

/// What a program finds wrong by itself, in its own words.
inline lockcore::Error complaint(lockcore::ErrorCode code, const QString &message, std::string context = {})
{
    return { code, message.toStdString(), std::move(context) };
}

/// Behind what it says already, such as `; trying again`.
inline lockcore::Error withMore(lockcore::Error error, const QString &more)
{
    add(error, { lockcore::Phrase::Words, { more.toStdString() } });
    return error;
}

} // namespace app
