// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_syntax.h"

#include "lockcore/base/utf8.h"
#include "ui/lab/json_position.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <vector>

namespace lockui::lab {

namespace {

struct JsonSyntax {
    Q_DECLARE_TR_FUNCTIONS(lockui::lab::JsonSyntax)
};

constexpr std::string_view SpaceOfJson = " \t\r\n";
constexpr std::string_view ByteOrder = "\xEF\xBB\xBF"; // that some editors write
constexpr std::size_t HexDigits = 4;

QString expectedValue()
{
    return JsonSyntax::tr("expected a value: a text in quotation marks, a number, true, false, null, [ or {");
}

/// A number, too, if it is none that no computer can keep.
bool isValueWord(std::string_view bytes)
{
    static const QRegularExpression number(QStringLiteral("\\A-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?\\z"));
    const QString word = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    if (bytes == "true" || bytes == "false" || bytes == "null")
        return true;
    bool isFinite = false;
    word.toDouble(&isFinite);
    return isFinite && number.match(word).hasMatch();
}

/// Goes through a text from its beginning. Whoever finds a fault throws it, which stays within firstFault().
class SyntaxReader {
public:
    explicit SyntaxReader(std::string_view json)
        : m_json(json)
        , m_at(json.starts_with(ByteOrder) ? ByteOrder.size() : 0)
    {
    }

    void read()
    {
        while (skipSpace())
            readNext();
        if (m_expects == Expects::Nothing)
            return;
        const std::size_t last = m_json.find_last_not_of(SpaceOfJson);
        m_at = last == std::string_view::npos ? m_at : last + 1;
        fail(m_open.empty() ? expectedValue() : closingText());
    }

private:
    enum class Expects {
        Value,
        ValueOrEnd, // behind [
        Name, // behind a comma
        NameOrEnd, // behind {
        Colon,
        CommaOrEnd,
        Nothing, // the text is over
    };

    [[noreturn]] void fail(const QString &message) const { throw JsonFault{ m_at, message }; }

    bool skipSpace()
    {
        m_at = std::min(m_json.find_first_not_of(SpaceOfJson, m_at), m_json.size());
        return m_at < m_json.size();
    }

    bool isInObject() const { return !m_open.empty() && m_json[m_open.back()] == '{'; }
    char closing() const { return isInObject() ? '}' : ']'; }

    QString closingText() const
    {
        return JsonSyntax::tr("expected %1, which closes the %2 of line %3")
            .arg(QLatin1Char(closing()))
            .arg(QLatin1Char(m_json[m_open.back()]))
            .arg(positionAt(m_json, m_open.back()).line);
    }

    void readNext()
    {
        const char next = m_json[m_at];
        switch (m_expects) {
        case Expects::Value:
        case Expects::ValueOrEnd:
            return next == ']' && m_expects == Expects::ValueOrEnd ? close() : readValue();
        case Expects::Name:
        case Expects::NameOrEnd:
            return next == '}' && m_expects == Expects::NameOrEnd ? close() : readName();
        case Expects::Colon:
            if (next != ':')
                fail(JsonSyntax::tr("expected a colon behind the name"));
            ++m_at;
            m_expects = Expects::Value;
            return;
        case Expects::CommaOrEnd:
            return readBehindValue();
        case Expects::Nothing:
            fail(JsonSyntax::tr("expected the end: there is more behind the whole of it"));
        }
    }

    void readBehindValue()
    {
        const char next = m_json[m_at];
        if (next == closing())
            return close();
        if (next == '}' || next == ']')
            fail(closingText());
        if (next != ',')
            fail(JsonSyntax::tr("expected a comma before this, or %1").arg(QLatin1Char(closing())));
        ++m_at;
        m_expects = isInObject() ? Expects::Name : Expects::Value;
    }

    void readName()
    {
        const char next = m_json[m_at];
        if (next == '}')
            fail(JsonSyntax::tr("expected another name: behind the last value there is no comma"));
        if (next != '"')
            fail(m_expects == Expects::Name ? JsonSyntax::tr("expected a name in quotation marks")
                                            : JsonSyntax::tr("expected a name in quotation marks, or }"));
        readText();
        m_expects = Expects::Colon;
    }

    void readValue()
    {
        const char next = m_json[m_at];
        if (next == ']' && !m_open.empty() && !isInObject())
            fail(JsonSyntax::tr("expected another value: behind the last one there is no comma"));
        if (next == '{' || next == '[') {
            m_open.push_back(m_at++);
            m_expects = next == '{' ? Expects::NameOrEnd : Expects::ValueOrEnd;
            return;
        }
        if (next == '"')
            readText();
        else
            readWord();
        valueEnded();
    }

    void close()
    {
        m_open.pop_back();
        ++m_at;
        valueEnded();
    }

    void valueEnded() { m_expects = m_open.empty() ? Expects::Nothing : Expects::CommaOrEnd; }

    void readWord()
    {
        const std::size_t end = std::min(m_json.find_first_of(" \t\r\n,:]}[{\"", m_at), m_json.size());
        if (!isValueWord(m_json.substr(m_at, end - m_at)))
            fail(expectedValue());
        m_at = end;
    }

    void readText()
    {
        ++m_at;
        for (;;) {
            if (m_at >= m_json.size() || m_json[m_at] == '\n' || m_json[m_at] == '\r')
                fail(JsonSyntax::tr("expected a quotation mark that ends this text in its line"));
            const char letter = m_json[m_at];
            if (letter == '"')
                break;
            if (letter == '\\')
                readEscape();
            else
                readCharacter();
        }
        ++m_at;
    }

    void readCharacter()
    {
        constexpr char32_t FirstVisible = 0x20;
        std::string_view rest = m_json.substr(m_at);
        const auto letter = lockcore::takeCodePoint(rest);
        if (!letter)
            fail(JsonSyntax::tr("expected characters in UTF-8"));
        if (*letter < FirstVisible)
            fail(JsonSyntax::tr("expected an escape, such as \\t, in place of a control character"));
        m_at = m_json.size() - rest.size();
    }

    void readEscape()
    {
        const char kind = m_at + 1 < m_json.size() ? m_json[m_at + 1] : '\n';
        if (std::string_view("\"\\/bfnrtu").find(kind) == std::string_view::npos)
            fail(JsonSyntax::tr("expected one of %1 behind the backslash").arg(QStringLiteral("\" \\ / b f n r t u")));
        if (kind != 'u') {
            m_at += 2;
            return;
        }
        const auto first = hexAt(m_at);
        if (!first)
            fail(JsonSyntax::tr("expected four hexadecimal digits behind \\u"));
        if (!QChar::isSurrogate(*first)) {
            m_at += 2 + HexDigits;
            return;
        }
        const auto second = QChar::isHighSurrogate(*first) ? hexAt(m_at + 2 + HexDigits) : std::nullopt;
        if (!second || !QChar::isLowSurrogate(*second))
            fail(JsonSyntax::tr("expected two escapes for this character, from \\ud800 and from \\udc00 on"));
        m_at += 2 * (2 + HexDigits);
    }

    std::optional<char32_t> hexAt(std::size_t at) const
    {
        constexpr int Hexadecimal = 16;
        const std::string_view escape = m_json.substr(std::min(at, m_json.size()), 2 + HexDigits);
        if (escape.size() != 2 + HexDigits || !escape.starts_with("\\u")
            || escape.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string_view::npos)
            return std::nullopt;
        return QByteArray(escape.data() + 2, HexDigits).toUInt(nullptr, Hexadecimal);
    }

    std::string_view m_json;
    std::size_t m_at;
    Expects m_expects = Expects::Value;
    std::vector<std::size_t> m_open; // brackets
};

} // namespace

std::optional<JsonFault> firstFault(std::string_view json)
{
    try {
        SyntaxReader(json).read();
    } catch (const JsonFault &fault) {
        return fault;
    }
    return std::nullopt;
}

} // namespace lockui::lab
