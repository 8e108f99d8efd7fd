// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "ui/lab/json_position.h"
#include "ui/text/json.h"

#include <QCoreApplication>
#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace lockui::lab {

/// What a reader found wrong, and where.
struct JsonProblem {
    JsonPath path;
    QString message;
};

/// A value of a document and the way to it. Whoever asks it for something that it is not gets a JsonProblem thrown,
/// which stays within the reader of the document.
class JsonNode {
    Q_DECLARE_TR_FUNCTIONS(lockui::lab::JsonNode)
public:
    JsonNode(const JsonValue &value, JsonPath path)
        : m_value(&value)
        , m_path(std::move(path))
    {
    }

    [[noreturn]] void fail(const QString &message) const { throw JsonProblem{ m_path, message }; }

    bool isObject() const { return m_value->is_object(); }
    bool isArray() const { return m_value->is_array(); }
    bool isText() const { return m_value->is_string(); }

    std::string text() const; // that is not empty
    bool flag() const;
    std::int64_t number(std::int64_t least, std::int64_t most) const;
    lockcore::Millis duration() const; // "3s"
    std::vector<std::string> texts() const;
    std::vector<JsonNode> elements() const;
    std::vector<std::pair<std::string, JsonNode>> members() const;

    std::optional<JsonNode> find(const char *name) const; // of an object
    JsonNode at(const char *name) const;
    /// All other members are errors.
    void allowOnly(const std::vector<const char *> &names) const;

    template <typename Rows>
    auto oneOf(const Rows &rows) const
    {
        const std::string word = text();
        QStringList names;
        for (const auto &row : rows) {
            if (word == nameIn(row))
                return row.value;
            names << QString::fromLatin1(nameIn(row));
        }
        fail(tr("expected one of %1, not \"%2\"").arg(names.join(QStringLiteral(", ")), QString::fromStdString(word)));
    }

private:
    template <typename Row>
    static const char *nameIn(const Row &row)
    {
        if constexpr (requires { row.name; })
            return row.name;
        else
            return row.text;
    }

    JsonNode inner(const JsonValue &value, std::variant<std::string, std::size_t> step) const;

    const JsonValue *m_value;
    JsonPath m_path;
};

} // namespace lockui::lab
