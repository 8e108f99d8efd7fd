// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/display_text.h"

#include "lockcore/base/utf8.h"
#include "ui/text/look_alikes.h"
#include "ui/text/printable_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <QTextBoundaryFinder>
#include <QTranslator>
#include <algorithm>
#include <limits>

namespace lockui {

namespace {

struct DisplayText {
    Q_DECLARE_TR_FUNCTIONS(DisplayText)
};

QString shortPart(const std::string &part)
{
    constexpr std::size_t LongestWhole = 12;
    return part.size() <= LongestWhole ? displayText(part) : displayText(part.substr(0, 8)) + QChar(0x2026);
}

QString tenthsText(lockcore::Millis duration)
{
    const qint64 tenths = std::max<qint64>(0, duration.count()) / 100;
    return DisplayText::tr("%1 s").arg(QString::number(static_cast<double>(tenths) / 10, 'f', 1));
}

} // namespace

namespace {

/// `escaped`: places of characters that are written by their numbers, in order.
QString textOf(std::string_view bytes, qsizetype limit, const std::vector<std::size_t> &escaped)
{
    const std::string_view all = bytes;
    const auto size = static_cast<qint64>(bytes.size());
    QString text;
    while (!bytes.empty()) {
        if (text.size() >= limit)
            return text + DisplayText::tr("… (%1 bytes in all)", nullptr, pluralOf(size)).arg(countText(size));
        const std::size_t place = all.size() - bytes.size();
        if (std::ranges::binary_search(escaped, place))
            text += QStringLiteral("\\u{%1}").arg(
                static_cast<uint>(*lockcore::takeCodePoint(bytes)), 4, 16, QLatin1Char('0'));
        else
            text += QString::fromStdString(takePrintable(bytes, all.substr(0, place)));
    }
    return text;
}

} // namespace

QString displayText(std::string_view bytes, qsizetype limit) { return textOf(bytes, limit, {}); }

QString lockNameText(std::string_view name, qsizetype limit)
{
    return name.empty() ? DisplayText::tr("(empty name)") : textOf(name, limit, strayLetters(name));
}

std::string lockNameBytes(std::string_view name)
{
    return lockNameText(name, std::numeric_limits<qsizetype>::max()).toStdString();
}

QString lockNameTip(std::string_view name)
{
    const QString alike = lookAlikeText(name);
    return alike.isEmpty() ? lockNameText(name) : lockNameText(name) + QLatin1Char('\n') + alike;
}

QString copyText(std::string_view bytes) { return displayText(bytes, std::numeric_limits<qsizetype>::max()); }

QString shortOwner(const lockcore::OwnerId &owner)
{
    const QString client = shortPart(owner.client);
    return owner.thread.empty() ? client : client + QLatin1Char(':') + shortPart(owner.thread);
}

QString fullOwner(const lockcore::OwnerId &owner) { return displayText(toString(owner)); }

QString durationText(lockcore::Millis duration)
{
    const qint64 ms = std::max<qint64>(0, duration.count());
    const qint64 seconds = ms / 1000;
    if (ms < 10'000)
        return tenthsText(duration);
    if (seconds < 60)
        return DisplayText::tr("%1 s").arg(seconds);
    if (seconds < 3600)
        return DisplayText::tr("%1 m %2 s").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    if (seconds < 86'400)
        return DisplayText::tr("%1 h %2 m").arg(seconds / 3600).arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'));
    constexpr qint64 MostDays = 10'000; // more digits would have no room in a column
    if (const qint64 days = seconds / 86'400; days >= MostDays)
        return DisplayText::tr("%1 y").arg(countText(days / 365));
    return DisplayText::tr("%1 d %2 h").arg(seconds / 86'400).arg(seconds / 3600 % 24);
}

QString leftText(lockcore::Millis left)
{
    return left < lockcore::Millis(0) ? DisplayText::tr("overdue %1").arg(durationText(-left))
                                      : DisplayText::tr("in %1").arg(durationText(left));
}

QString ttlText(lockcore::Millis ttl) { return ttl < lockcore::Millis(60'000) ? tenthsText(ttl) : durationText(ttl); }

QString exactDurationText(lockcore::Millis duration)
{
    constexpr lockcore::Millis ShownInSeconds{ 100 };
    if (duration < lockcore::Millis{ 1 })
        return DisplayText::tr("less than 1 ms");
    return duration < ShownInSeconds ? millisText(duration) : ttlText(duration);
}

QString scaleText(lockcore::Millis duration)
{
    constexpr qint64 Second = 1'000, Minute = 60 * Second, Hour = 60 * Minute, Shown = Second / 10;
    const qint64 ms = duration.count();
    if (ms % Hour == 0 && ms > 0)
        return DisplayText::tr("%1 h").arg(ms / Hour);
    if (ms % Minute == 0 && ms > 0)
        return DisplayText::tr("%1 m").arg(ms / Minute);
    return ms < Shown ? millisText(duration)
                      : DisplayText::tr("%1 s").arg(QString::number(static_cast<double>(ms) / Second));
}

QString millisText(lockcore::Millis duration) { return DisplayText::tr("%1 ms").arg(duration.count()); }

QString withUnbrokenTimes(QString text)
{
    static const QRegularExpression BeforeUnit(QStringLiteral("(?<=[0-9]) (?=(ms|s|m|h|d|y)\\b)"));
    static const QRegularExpression BetweenParts(QStringLiteral("(?<=[0-9]\u00a0[mhd]) (?=[0-9])"));
    return text.replace(BeforeUnit, QChar(QChar::Nbsp)).replace(BetweenParts, QChar(QChar::Nbsp));
}

QString clockText(lockcore::WallTime at, lockcore::WallTime now)
{
    const auto local
        = [](lockcore::WallTime time) { return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count()); };
    const bool today = local(at).date() == local(now).date();
    return local(at).toString(today ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString zonedText(lockcore::WallTime at)
{
    const auto local = QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count());
    const int offset = local.offsetFromUtc() / 60;
    return QStringLiteral("%1 (UTC%2%3:%4)")
        .arg(local.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")),
            offset < 0 ? QStringLiteral("−") : QStringLiteral("+"),
            QString::number(std::abs(offset) / 60).rightJustified(2, u'0'),
            QString::number(std::abs(offset) % 60).rightJustified(2, u'0'));
}

QString countText(qint64 count) { return QLocale(QLocale::English).toString(count); }

int pluralOf(qint64 count) { return static_cast<int>(std::clamp<qint64>(count, 0, std::numeric_limits<int>::max())); }

QString breakable(const QString &text, qsizetype letters)
{
    constexpr QChar Break(0x200b); // a space without a width
    QString broken;
    QTextBoundaryFinder ends(QTextBoundaryFinder::Grapheme, text);
    qsizetype inWord = 0;
    for (qsizetype from = 0, to = ends.toNextBoundary(); to > 0; from = to, to = ends.toNextBoundary()) {
        const QStringView letter = QStringView(text).mid(from, to - from);
        inWord = letter.front().isSpace() ? 0 : inWord + 1;
        if (inWord > letters) {
            broken += Break;
            inWord = 1;
        }
        broken += letter;
    }
    return broken;
}

QString plainToolTip(const QString &text)
{
    constexpr qsizetype LongestWord = 80;
    if (text.isEmpty())
        return {};
    return QStringLiteral("<qt>")
        + breakable(text, LongestWord).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))
        + QStringLiteral("</qt>");
}

QString rateText(double perSecond)
{
    if (perSecond > 0 && perSecond < 0.05) // not zero, but as little as nothing with one digit
        return QStringLiteral("< 0.1");
    return perSecond >= 10 ? countText(qRound64(perSecond)) : QString::number(perSecond, 'f', perSecond > 0 ? 1 : 0);
}

QString keysText(qint64 keys)
{
    return keys >= 1'000'000 ? DisplayText::tr("%1 M keys").arg(QString::number(double(keys) / 1e6, 'f', 2))
                             : DisplayText::tr("%1 keys", nullptr, pluralOf(keys)).arg(countText(keys));
}

QString plainMenuText(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

std::string toBytes(const QString &text) { return text.toUtf8().toStdString(); }

} // namespace lockui

/// The sources have one form of each sentence that counts, for any number. The others are a translation, also in
/// English, and every program with these words has it from its beginning.
static void loadEnglish()
{
    Q_INIT_RESOURCE(translations);
    auto *translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(QStringLiteral(":/translations/lockscope_en.qm")))
        QCoreApplication::installTranslator(translator);
}

Q_COREAPP_STARTUP_FUNCTION(loadEnglish)
