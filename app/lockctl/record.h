// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/requests.h"
#include "app/lockctl/status_note.h"
#include "lockcore/recording/player.h"
#include "lockcore/service/monitor.h"

#include <QTimer>
#include <functional>
#include <optional>

namespace lockctl {

/// Writes all that is seen to a file, from the first look at the servers on, until it is interrupted.
class Record : public Command {
public:
    Record(RecordRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override;
    void interrupt() override { finish(); }

private:
    void followConnection();
    void begin();
    void tellBegin();
    void finish();
    void tellEnd();
    void giveUp(const lockcore::Error &error);

    RecordRequest m_request;
    bool m_asJson;
    bool m_begun = false;
    bool m_told = false;
    bool m_over = false;
    StatusNote m_note;
    QTimer m_end;
    lockcore::service::Monitor m_monitor;
};

/// Absent: the recording has no such moment.
std::optional<lockcore::MonoTime> momentIn(const lockcore::recording::Player &player, const RecordedMoment &moment);
lockcore::Error noSuchMoment(const lockcore::recording::Player &player, const char *option);

/// All events, oldest first, with the gaps that no event tells of, until `visit` says false.
/// Errors: the first of those that hindered from reading some; all others are visited all the same.
lockcore::Result<void> visitRecorded(
    lockcore::recording::Player &player, const std::function<bool(const lockcore::monitor::Event &)> &visit);

/// On stderr, what of it could not be read so far.
void tellDamage(const lockcore::recording::Player &player);

/// Prints the events of a recording, or its locks at a moment. The exit status.
int printRecording(const ReplayRequest &request);

} // namespace lockctl
