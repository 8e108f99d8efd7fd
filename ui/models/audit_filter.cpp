// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/audit_filter.h"

#include "lockcore/monitor/lock_filter.h"
#include "ui/text/audit_text.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <limits>

namespace lockui {

using lockcore::WallTime;
using lockcore::monitor::LockFilter;
using lockcore::service::AuditEntry;

namespace {

QString whole(const std::string &bytes) { return displayText(bytes, std::numeric_limits<qsizetype>::max()); }

/// As it is, as far as that can be shown, and as the table shows it.
QString namesOf(const std::string &lock)
{
    return whole(lock) + QLatin1Char('\n') + QString::fromStdString(lockNameBytes(lock));
}

bool has(const QString &text, const QString &part) { return text.contains(part, Qt::CaseInsensitive); }

/// It asks something of a lock at this moment: it has one of the keys of the filter.
bool isOfLocks(const QString &word)
{
    const auto parsed = LockFilter::parse(toBytes(word));
    return parsed && parsed->unknownWords().empty() && !parsed->isEmpty();
}

} // namespace

AuditFilter AuditFilter::parse(const QString &text)
{
    AuditFilter filter;
    if (!LockFilter::parse(toBytes(text)))
        return filter;
    QString word;
    bool inQuotes = false;
    bool quoted = false; // from its beginning
    bool minusFirst = false;
    for (const QChar c : QString(text + QLatin1Char(' '))) {
        if (c == u'"') {
            quoted = quoted || word.isEmpty() || word == QLatin1String("-");
            inQuotes = !inQuotes;
        } else if (inQuotes || !c.isSpace()) {
            minusFirst = word.isEmpty() ? c == u'-' && !quoted : minusFirst;
            word += c;
        } else if (!word.isEmpty()) {
            filter.add(word, quoted, minusFirst && word.size() > 1);
            word.clear();
            quoted = false;
        }
    }
    if (!word.trimmed().isEmpty()) // a quotation that does not end
        filter.add(word.chopped(1), quoted, minusFirst && word.size() > 2);
    return filter;
}

void AuditFilter::add(const QString &word, bool quoted, bool turned)
{
    const QString body = turned ? word.mid(1) : word;
    const qsizetype colon = quoted ? -1 : body.indexOf(u':');
    const QString key = body.left(std::max<qsizetype>(0, colon));
    const auto keyed = [&](Place place) { m_terms.push_back({ place, body.mid(colon + 1), turned }); };
    if (key == QLatin1String("name"))
        keyed(Place::Name);
    else if (key == QLatin1String("holder"))
        keyed(Place::Holder);
    else if (key == QLatin1String("kind"))
        keyed(Place::Kind);
    else if (!key.isEmpty() && isOfLocks(body))
        m_unused << body;
    else
        m_terms.push_back({ Place::Anywhere, body, turned });
}

QString AuditFilter::searchedText(const AuditEntry &entry)
{
    constexpr QChar Between = u'\n'; // is in none of them
    const QString outcome = entry.outcome ? auditOutcomeText(entry, WallTime(), nullptr) : QString(); // for good
    return outcome + Between + namesOf(entry.lock) + Between + auditPersonText(entry) + Between + whole(entry.endpoint)
        + Between + auditConnectionText(entry) + Between + whole(auditTarget(entry)) + Between + whole(entry.reason)
        + Between + actionText(entry);
}

bool AuditFilter::matches(const AuditEntry &entry, const QString &searchedText, WallTime now) const
{
    const auto isOutcome
        = [&](const QString &text) { return !entry.outcome && has(auditOutcomeText(entry, now, nullptr), text); };
    return std::ranges::all_of(m_terms, [&](const Term &term) {
        switch (term.place) {
        case Place::Anywhere:
            return (has(searchedText, term.text) || isOutcome(term.text)) != term.turned;
        case Place::Name:
            return has(namesOf(entry.lock), term.text) != term.turned;
        case Place::Holder:
            return has(whole(auditTarget(entry)), term.text) != term.turned;
        case Place::Kind:
            return (QString::fromStdString(entry.kind).compare(term.text, Qt::CaseInsensitive) == 0) != term.turned;
        }
        return false;
    });
}

} // namespace lockui
