// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/recording/recording.h"

#include <QVariant>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QSqlQuery;

namespace lockcore::recording {

class RecordingDatabase;

/// The events of a recording, as they were written.
/// Errors: local/file-failed, and where in the recording it is damaged.
/// Thread: that of the database.
class RecordedEvents {
public:
    /// As far back as they can be read.
    struct ReadBack {
        std::vector<RecordedEvent> events; // oldest first
        MonoTime after; // none between that and the first one is missing, but where there are too many
        std::optional<Error> damage; // what hindered from reading farther back
    };

    explicit RecordedEvents(RecordingDatabase &database)
        : m_database(database)
    {
    }

    std::int64_t count(); // as was written down when they were
    /// Those after `after` and not after `to`, oldest first; of too many the last.
    [[nodiscard]] Result<std::vector<RecordedEvent>> last(MonoTime after, MonoTime to, int most);
    /// The same; where some of them are damaged, those of the whole seconds after that.
    ReadBack lastUndamaged(MonoTime after, MonoTime to, int most);
    /// All of them that can be read, until `visit` says false. Failed: some could not be, the first of them there.
    [[nodiscard]] Result<void> visit(
        MonoTime after, MonoTime to, const std::function<bool(const RecordedEvent &)> &visit);
    /// The gaps that can be read, oldest first; what cannot goes to `damage`.
    std::vector<RecordedEvent> gaps(std::vector<Error> &damage);
    /// The changes of masters in that time that can be read, newest first.
    std::vector<monitor::Event> newMasters(const RecordedSpan &time);
    std::optional<MonoTime> nextAfter(MonoTime moment);
    std::optional<MonoTime> lastBefore(MonoTime moment); // or with one microsecond more, until then
    /// How many there were in each of so many equal parts of that time; of many, or of some that are damaged, to a
    /// second.
    [[nodiscard]] Result<std::vector<std::int64_t>> density(const RecordedSpan &time, int parts);

private:
    Result<void> checkCount(MonoTime after, MonoTime to);
    Result<bool> visitUndamaged(MonoTime &after, MonoTime to, const std::function<bool(const RecordedEvent &)> &visit);
    std::optional<std::int64_t> gapCount();
    std::vector<RecordedEvent> readGaps(const char *which, std::vector<Error> &damage);
    Result<std::vector<std::int64_t>> densityBy(const char *statement, const RecordedSpan &time, int parts);
    QSqlQuery *select(const char *which, const QVariantList &values = {});
    bool take(const QSqlQuery &row, RecordedEvent &event) const;

    RecordingDatabase &m_database;
    std::map<const char *, std::string> m_statements; // by what they select
};

} // namespace lockcore::recording
