// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/arguments.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>
#include <limits>

namespace app {

using lockcore::Millis;
using lockcore::Result;

namespace {

constexpr qint64 MostMillis = std::numeric_limits<int>::max(); // 24 days

} // namespace

QStringList byteArguments(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLatin1(argv[i]));
    return arguments;
}

std::string argumentBytes(const QString &argument) { return argument.toLatin1().toStdString(); }

QCommandLineOption flagOption(const char *name) { return QCommandLineOption(QString::fromLatin1(name)); }

QCommandLineOption valueOption(const char *name)
{
    return { QString::fromLatin1(name), QString(), QStringLiteral("value") };
}

tl::unexpected<lockcore::Error> usageError(std::string message)
{
    return lockcore::failure(lockcore::ErrorCode::InvalidArgument, std::move(message) + " (--help tells more)");
}

Arguments::Arguments(const QList<QCommandLineOption> &options)
    : m_parser(std::make_unique<QCommandLineParser>())
{
    m_parser->addOption(QCommandLineOption(QStringList{ QStringLiteral("h"), QStringLiteral("help") }));
    m_parser->addOption(QCommandLineOption(QStringList{ QStringLiteral("v"), QStringLiteral("version") }));
    m_parser->addOptions(options);
}

Result<void> Arguments::parse(const QStringList &byteArguments)
{
    if (m_parser->parse(byteArguments))
        return {};
    QString text = m_parser->errorText();
    if (text.endsWith(u'.'))
        text.chop(1);
    return usageError(argumentBytes(text.left(1).toLower() + text.mid(1)));
}

Result<std::string> Arguments::firstWord(const QStringList &byteArguments)
{
    m_parser->setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsPositionalArguments);
    return parse(byteArguments).map([this] { return argumentBytes(words().value(0)); });
}

bool Arguments::has(const char *name) const { return m_parser->isSet(QString::fromLatin1(name)); }

std::string Arguments::value(const char *name) const
{
    return argumentBytes(m_parser->value(QString::fromLatin1(name)));
}

QStringList Arguments::values(const char *name) const { return m_parser->values(QString::fromLatin1(name)); }

QStringList Arguments::words() const { return m_parser->positionalArguments(); }

Result<std::optional<Millis>> Arguments::millis(const char *name, qint64 least) const
{
    if (!has(name))
        return std::nullopt;
    const auto millis = millisFrom(value(name));
    if (!millis || millis->count() < least || millis->count() > MostMillis) {
        return usageError("--" + std::string(name) + " takes milliseconds from " + std::to_string(least) + " to "
            + std::to_string(MostMillis) + ", or a time such as 500ms, 5s, 2m or 1h, not '" + value(name) + "'");
    }
    return millis;
}

std::optional<Millis> millisFrom(const std::string &written)
{
    struct Unit {
        const char *name;
        qint64 millis;
    };
    constexpr Unit Units[]{ { "ms", 1 }, { "s", 1'000 }, { "m", 60'000 }, { "h", 3'600'000 }, { "", 1 } };
    const QByteArray text = QByteArray::fromStdString(written);
    const auto *const unit = std::ranges::find_if(Units, [&](const Unit &each) { return text.endsWith(each.name); });
    constexpr qint64 Longest = std::numeric_limits<qint64>::max() / 2'000'000; // also in nanoseconds, after a moment
    bool isNumber = false;
    const qint64 number = text.chopped(qstrlen(unit->name)).toLongLong(&isNumber);
    if (!isNumber || text.front() < '0' || text.front() > '9' || number > Longest / unit->millis)
        return std::nullopt;
    return Millis(number * unit->millis);
}

void useUtf8Locale()
{
    std::setlocale(LC_ALL, "");
    if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0)
        return;
    ::setenv("LC_ALL", "C.UTF-8", 1);
    std::setlocale(LC_ALL, "");
}

} // namespace app
