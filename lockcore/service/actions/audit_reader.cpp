// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/audit_reader.h"

#include "lockcore/service/actions/audit_fields.h"
#include "lockcore/synchronizers/catalog.h"

#include <QByteArray>
#include <QDateTime>
#include <QFile>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace lockcore::service {

using namespace synchronizers;

namespace field = audit_field;

namespace {

using AuditJson = nlohmann::json;

/// A line of the log is as long as the names in it. Nothing of Redis that is longer than this names a lock.
constexpr std::size_t LongestLine = std::size_t{ 16 } * 1024 * 1024;
constexpr std::size_t Remembered = 128; // bytes before the offset, by which the file is known again

const AuditJson *find(const AuditJson &object, const std::string &key)
{
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

/// The bytes of a text; those that are not UTF-8 stand beside it.
std::string bytesOf(const AuditJson &object, const std::string &key)
{
    const AuditJson *exact = find(object, key + field::Base64);
    if (exact != nullptr && exact->is_string())
        return QByteArray::fromBase64(QByteArray::fromStdString(exact->get_ref<const std::string &>())).toStdString();
    const AuditJson *text = find(object, key);
    return text != nullptr && text->is_string() ? text->get<std::string>() : std::string();
}

std::optional<std::int64_t> numberOf(const AuditJson &object, const std::string &key)
{
    const AuditJson *number = find(object, key);
    return number != nullptr && number->is_number_integer() ? std::optional(number->get<std::int64_t>()) : std::nullopt;
}

bool isTrue(const AuditJson &object, const std::string &key)
{
    const AuditJson *flag = find(object, key);
    return flag != nullptr && flag->is_boolean() && flag->get<bool>();
}

std::optional<WallTime> momentOf(const AuditJson &object, const char *key)
{
    const QString text = QString::fromStdString(bytesOf(object, key));
    const QDateTime at = QDateTime::fromString(text, Qt::ISODateWithMs);
    return at.isValid() ? std::optional(WallTime(Millis(at.toMSecsSinceEpoch()))) : std::nullopt;
}

std::optional<AuditedEnd> auditedEnd(const AuditJson &object, const char *key)
{
    const auto at = momentOf(object, key);
    return at || bytesOf(object, key) == field::Never ? std::optional(AuditedEnd{ at }) : std::nullopt;
}

OwnerId ownerOf(const AuditJson &object) { return { bytesOf(object, field::Client), bytesOf(object, field::Thread) }; }

std::optional<HoldMode> auditedMode(const AuditJson &object) { return named(HoldModes, bytesOf(object, field::Mode)); }

/// Calls `use` for each object of an array, which may be missing.
template <typename Use>
void forEach(const AuditJson &object, const std::string &key, Use use)
{
    const AuditJson *array = find(object, key);
    if (array == nullptr || !array->is_array())
        return;
    for (const AuditJson &each : *array) {
        if (each.is_object())
            use(each);
    }
}

AuditEntry toEntry(const AuditJson &object)
{
    AuditEntry entry;
    entry.id = bytesOf(object, field::Id);
    entry.begunAt = momentOf(object, field::At);
    entry.user = bytesOf(object, field::User);
    entry.host = bytesOf(object, field::Host);
    entry.program = bytesOf(object, field::Program);
    entry.process = numberOf(object, field::Pid);
    entry.action = bytesOf(object, field::Action);
    entry.endpoint = bytesOf(object, field::Endpoint);
    entry.connection = { bytesOf(object, field::Connection), bytesOf(object, field::Environment) };
    entry.lock = bytesOf(object, field::Lock);
    entry.kind = bytesOf(object, field::Kind);
    forEach(object, field::Expected, [&](const AuditJson &each) {
        entry.expected.push_back({ ownerOf(each), auditedMode(each) });
    });
    entry.onlyThese = isTrue(object, field::OnlyThese);
    entry.seenEnd = auditedEnd(object, field::SeenEnd);
    if (const auto ttl = numberOf(object, field::TtlMs))
        entry.ttl = Millis(*ttl);
    if (const AuditJson *waiter = find(object, field::Waiter); waiter != nullptr && waiter->is_object())
        entry.waiter = ownerOf(*waiter);
    if (find(object, field::Permit) != nullptr)
        entry.permit = bytesOf(object, field::Permit);
    if (const AuditJson *client = find(object, field::ByHand); client != nullptr && client->is_object())
        entry.byHand = ExpectedHolder{ ownerOf(*client), auditedMode(*client) };
    entry.reason = bytesOf(object, field::Reason);
    forEach(object, field::NotAsked,
        [&](const AuditJson &each) { entry.notAsked.push_back(bytesOf(each, field::Endpoint)); });
    return entry;
}

AuditOutcome toOutcome(const AuditJson &object)
{
    AuditOutcome outcome;
    outcome.at = momentOf(object, field::At);
    outcome.end = bytesOf(object, field::Outcome);
    outcome.endpoint = bytesOf(object, field::Endpoint);
    outcome.published = isTrue(object, field::Published);
    forEach(object, field::Found, [&](const AuditJson &each) {
        HolderReading reading;
        reading.owner = ownerOf(each);
        reading.mode = auditedMode(each);
        reading.count = numberOf(each, field::Count).value_or(reading.count);
        outcome.found.push_back(std::move(reading));
    });
    forEach(object, field::Waiting, [&](const AuditJson &each) { outcome.waiting.push_back(ownerOf(each)); });
    outcome.isAnew = isTrue(object, field::Anew);
    outcome.foundEnd = auditedEnd(object, field::FoundEnd);
    outcome.isUnsent = isTrue(object, field::Unsent);
    outcome.code = bytesOf(object, field::Code);
    outcome.error = bytesOf(object, field::Error);
    return outcome;
}

std::string_view trimmed(std::string_view line)
{
    constexpr std::string_view Blank = " \t\r\n";
    const auto first = line.find_first_not_of(Blank);
    return first == line.npos ? std::string_view() : line.substr(first, line.find_last_not_of(Blank) - first + 1);
}

} // namespace

void addNews(std::vector<AuditEntryPtr> &entries, const AuditNews &news)
{
    for (const AuditEntryPtr &ended : news.ended) {
        if (ended->number < entries.size())
            entries[ended->number] = ended;
    }
    entries.insert(entries.end(), news.begun.begin(), news.begun.end());
}

void AuditParser::startInside()
{
    m_passesOver = true;
    m_startedInside = true;
}

AuditNews AuditParser::take(std::string_view bytes)
{
    AuditNews news;
    ++m_turn;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        if (!m_passesOver && m_rest.size() + part.size() > LongestLine) {
            m_passesOver = true;
            ++m_damaged;
            m_rest = {};
        }
        bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
        if (end == bytes.npos) {
            m_rest += m_passesOver ? std::string_view() : part;
        } else if (std::exchange(m_passesOver, false)) {
            m_rest.clear();
        } else if (m_rest.empty()) {
            takeLine(part, news);
        } else {
            takeLine(m_rest.append(part), news);
            m_rest.clear();
        }
    }
    return news;
}

AuditNews AuditParser::finish()
{
    AuditNews news;
    ++m_turn;
    takeLine(std::exchange(m_rest, {}), news);
    return news;
}

void AuditParser::takeLine(std::string_view text, AuditNews &news)
{
    const std::string_view line = trimmed(text);
    if (line.empty())
        return;
    const AuditJson object = AuditJson::parse(line, nullptr, false);
    const std::string phase = object.is_object() ? bytesOf(object, field::Phase) : std::string();
    if (phase == field::Intent) {
        auto entry = std::make_shared<AuditEntry>(toEntry(object));
        entry->number = m_number++;
        entry->lines.emplace_back(line);
        news.begun.push_back(entry);
        m_open[entry->id] = { entry, m_turn };
        return;
    }
    const auto open = phase == field::Outcome ? m_open.find(bytesOf(object, field::Id)) : m_open.end();
    if (open == m_open.end()) {
        const bool isOfWhatWasPassedOver = phase == field::Outcome && m_startedInside;
        m_damaged += isOfWhatWasPassedOver ? 0 : 1;
        return;
    }
    auto entry = open->second.entry;
    if (open->second.turn != m_turn) {
        entry = std::make_shared<AuditEntry>(*entry);
        news.ended.push_back(entry);
    }
    entry->outcome = toOutcome(object);
    entry->lines.emplace_back(line);
    m_open.erase(open);
}

AuditReader::AuditReader(QString file, std::int64_t most)
    : m_file(std::move(file))
    , m_most(most)
{
}

namespace {

std::pair<std::uint64_t, std::uint64_t> identityOf(const QFile &file)
{
    struct stat found = {};
    return ::fstat(file.handle(), &found) == 0 ? std::pair<std::uint64_t, std::uint64_t>(found.st_dev, found.st_ino)
                                               : std::pair<std::uint64_t, std::uint64_t>();
}

} // namespace

bool AuditReader::goesOn(QFile &file) const
{
    if (identityOf(file) != m_identity || file.size() < m_offset)
        return false;
    const auto known = static_cast<qint64>(m_before.size());
    return file.seek(m_offset - known) && file.read(known) == QByteArray::fromStdString(m_before);
}

void AuditReader::restart(QFile &file)
{
    m_identity = identityOf(file);
    m_parser = {};
    m_before.clear();
    m_passedOver = m_most == Whole ? 0 : std::max<std::int64_t>(0, file.size() - m_most);
    m_offset = m_passedOver;
    if (m_passedOver > 0)
        m_parser.startInside();
}

Result<AuditReader::Step> AuditReader::read(std::int64_t most)
{
    const auto failed = [this](const QFile &file) {
        return failure(ErrorCode::FileFailed, { Phrase::Words, { file.errorString().toStdString() } },
            { Phrase::ReadingAudit, { m_file.toStdString() } });
    };
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return failed(file);
    Step step;
    if (!goesOn(file)) {
        step.restarted = true;
        restart(file);
    }
    if (!file.seek(m_offset))
        return failed(file);
    const QByteArray bytes = file.read(most);
    if (bytes.isEmpty() && m_offset < file.size())
        return failed(file);
    const std::string_view taken(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    step.news = m_parser.take(taken);
    m_offset += bytes.size();
    m_before.append(taken.substr(taken.size() - std::min(taken.size(), Remembered)));
    m_before.erase(0, m_before.size() - std::min(m_before.size(), Remembered));
    step.hasMore = m_offset < file.size();
    return step;
}

} // namespace lockcore::service
