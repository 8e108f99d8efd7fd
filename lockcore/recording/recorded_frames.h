// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/recording/frame.h"
#include "lockcore/recording/recording.h"

#include <QVariant>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::recording {

class RecordingDatabase;

/// The pictures of a recording, as they were written: what was noticed later is not in them.
/// Errors: local/file-failed, and where in the recording it is damaged.
/// Thread: that of the database.
class RecordedFrames {
public:
    /// How far what was recorded until a moment can be read.
    struct Reached {
        Result<void> read; // failed: a picture after `frame` could not be
        std::optional<MonoTime> frame; // when the last one that could be read was; absent: none could
        std::shared_ptr<monitor::Snapshot> picture; // at the moment, or where reading failed at `frame`; null: none
    };

    explicit RecordedFrames(RecordingDatabase &database);

    Reached reach(MonoTime moment);
    std::optional<MonoTime> firstFrom(MonoTime moment); // when the first one then or later is
    std::optional<MonoTime> lastBefore(MonoTime moment);
    /// See Player.
    [[nodiscard]] Result<std::optional<MonoTime>> lookFrom(
        MonoTime moment, const std::string &node, const std::vector<RecordedSpan> &sessions);

private:
    Result<void> goTo(MonoTime moment);
    Result<void> take(const QVariantList &row, const QVariant &sum);
    Result<void> checkNext(MonoTime moment);

    RecordingDatabase &m_database;
    Replayed m_replayed;
    std::optional<MonoTime> m_loaded; // the frame that m_replayed is at; absent: a whole one has to come first
    std::int64_t m_loadedSum = 0; // its checksum
};

} // namespace lockcore::recording
