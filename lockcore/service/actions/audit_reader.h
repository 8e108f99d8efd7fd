// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/service/actions/audit_entry.h"

#include <QString>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

class QFile;

namespace lockcore::service {

/// What became known by reading on.
struct AuditNews {
    std::vector<AuditEntryPtr> begun; // in the order of the log
    std::vector<AuditEntryPtr> ended; // known before without an outcome, in the place of what they were
};

/// Adds what is new to the entries that were read before, which stand by their numbers.
LOCKCORE_EXPORT void addNews(std::vector<AuditEntryPtr> &entries, const AuditNews &news);

/// Makes entries of the bytes of an audit log, in whatever pieces they come.
/// Units:  times are WallTime.
/// Errors: none; a line that is not one of the log is counted.
/// Thread: any, one at a time.
/// Source: AuditLog.
class LOCKCORE_EXPORT AuditParser {
public:
    /// The first bytes are in the midst of the log: the rest of a line, and outcomes of what is not read.
    void startInside();
    AuditNews take(std::string_view bytes);
    AuditNews finish(); // what stands behind the last end of a line is one, too
    std::int64_t damagedLines() const { return m_damaged; }

private:
    struct Open {
        std::shared_ptr<AuditEntry> entry;
        std::uint64_t turn = 0; // in which it was begun: from the next one on others have it, and it stays as it is
    };

    void takeLine(std::string_view line, AuditNews &news);

    std::unordered_map<std::string, Open> m_open; // without an outcome, by their ids
    std::string m_rest; // of a line whose end has not come yet
    bool m_passesOver = false; // the rest of a line that is too long or began before
    bool m_startedInside = false;
    std::size_t m_number = 0;
    std::uint64_t m_turn = 0;
    std::int64_t m_damaged = 0;
};

/// Reads the audit log, and later what was written behind it. A file that took its place, or was cut, is read anew. Of
/// a very long one only the end is read.
/// Units:  bytes.
/// Errors: local/file-failed when the file is not there or cannot be read.
/// Thread: any, one at a time.
/// Source: AuditLog.
class LOCKCORE_EXPORT AuditReader {
public:
    static constexpr std::int64_t Whole = 0;

    /// `most`: at the end of the file when it is read first; Whole: all of it.
    explicit AuditReader(QString file, std::int64_t most = Whole);

    struct Step {
        bool restarted = false; // what was read before is no longer true
        bool hasMore = false;
        AuditNews news;
    };
    [[nodiscard]] Result<Step> read(std::int64_t most); // so many bytes of what is new

    std::int64_t damagedLines() const { return m_parser.damagedLines(); }
    std::int64_t passedOver() const { return m_passedOver; } // at the beginning of the file

private:
    bool goesOn(QFile &file) const;
    void restart(QFile &file);

    QString m_file;
    std::int64_t m_most;
    AuditParser m_parser;
    std::int64_t m_offset = 0;
    std::int64_t m_passedOver = 0;
    std::pair<std::uint64_t, std::uint64_t> m_identity; // device and number of the file; zero: nothing was read yet
    std::string m_before; // the bytes before the offset: another file may get the number of one that is gone
};

} // namespace lockcore::service
