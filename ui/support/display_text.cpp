// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/display_text.h"

#include "lockcore/base/default_ignorable.h"
#include "lockcore/base/utf8.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <limits>

namespace lockui {

namespace {

struct DisplayText {
    Q_DECLARE_TR_FUNCTIONS(DisplayText)
};

QString hex(char32_t value, int width) { return QString::number(value, 16).rightJustified(width, QLatin1Char('0')); }

void appendCharacter(QString &text, char32_t character)
{
    const bool isSeen = QChar::isPrint(character) && !QChar::isSpace(character);
    if (character == U'\\')
        text += QStringLiteral("\\\\");
    else if (character < 0x20 || character == 0x7f)
        text += QStringLiteral("\\x") + hex(character, 2);
    else if (character == U' ' || (isSeen && !lockcore::isDefaultIgnorable(character)))
        text += QString::fromUcs4(&character, 1);
    else
        text += QStringLiteral("\\u{%1}").arg(hex(character, 4));
}

QString shortPart(const std::string &part)
{
    constexpr std::size_t LongestWhole = 12;
    return part.size() <= LongestWhole ? displayText(part) : displayText(part.substr(0, 8)) + QChar(0x2026);
}

} // namespace

QString displayText(std::string_view bytes, qsizetype limit)
{
    QString text;
    const qint64 size = static_cast<qint64>(bytes.size());
    while (!bytes.empty()) {
        if (text.size() >= limit)
            return text + DisplayText::tr("… (%1 bytes in all)").arg(countText(size));
        const auto first = static_cast<unsigned char>(bytes.front());
        if (const auto character = lockcore::takeCodePoint(bytes)) {
            const bool isAtAnEnd = text.isEmpty() || bytes.empty(); // where nobody would see a blank, or copy it
            if (*character == U' ' && isAtAnEnd)
                text += QStringLiteral("\\x20");
            else
                appendCharacter(text, *character);
        } else {
            text += QStringLiteral("\\x") + hex(first, 2);
        }
    }
    return text;
}

QString copyText(std::string_view bytes)
{
    QString shown = displayText(bytes, std::numeric_limits<qsizetype>::max());
    const QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QString(text).replace(QLatin1Char('\\'), QStringLiteral("\\\\")) == shown ? text : shown;
}

QString shortOwner(const lockcore::OwnerId &owner)
{
    return shortPart(owner.client) + QLatin1Char(':') + shortPart(owner.thread);
}

QString fullOwner(const lockcore::OwnerId &owner) { return displayText(toString(owner)); }

QString durationText(lockcore::Millis duration)
{
    const qint64 ms = std::max<qint64>(0, duration.count());
    const qint64 seconds = ms / 1000;
    const qint64 tenths = ms / 100;
    if (ms < 10'000)
        return DisplayText::tr("%1 s").arg(QString::number(static_cast<double>(tenths) / 10, 'f', 1));
    if (seconds < 60)
        return DisplayText::tr("%1 s").arg(seconds);
    if (seconds < 3600)
        return DisplayText::tr("%1 m %2 s").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    if (seconds < 86'400)
        return DisplayText::tr("%1 h %2 m").arg(seconds / 3600).arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'));
    return DisplayText::tr("%1 d %2 h").arg(seconds / 86'400).arg(seconds / 3600 % 24);
}

QString leftText(lockcore::Millis left)
{
    return left < lockcore::Millis(0) ? DisplayText::tr("overdue %1").arg(durationText(-left))
                                      : DisplayText::tr("in %1").arg(durationText(left));
}

QString ttlText(lockcore::Millis ttl)
{
    if (ttl >= lockcore::Millis(60'000))
        return durationText(ttl);
    const qint64 tenths = std::max<qint64>(0, ttl.count()) / 100;
    return DisplayText::tr("%1 s").arg(QString::number(static_cast<double>(tenths) / 10.0, 'f', 1));
}

QString clockText(lockcore::WallTime at, lockcore::WallTime now)
{
    const auto local
        = [](lockcore::WallTime time) { return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count()); };
    const bool today = local(at).date() == local(now).date();
    return local(at).toString(today ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString countText(qint64 count) { return QLocale(QLocale::English).toString(count); }

QString plainToolTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    return QStringLiteral("<qt>") + text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))
        + QStringLiteral("</qt>");
}

QString keysText(qint64 keys)
{
    return keys >= 1'000'000 ? DisplayText::tr("%1 M keys").arg(QString::number(double(keys) / 1e6, 'f', 2))
        : keys == 1          ? DisplayText::tr("1 key")
                             : DisplayText::tr("%1 keys").arg(countText(keys));
}

QString plainMenuText(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

std::string toBytes(const QString &text) { return text.toUtf8().toStdString(); }

} // namespace lockui
