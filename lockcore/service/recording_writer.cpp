// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/recording_writer.h"

#include "lockcore/client/clock.h"
#include "lockcore/recording/player.h"

namespace lockcore {

namespace {

using namespace std::chrono_literals;

/// A crash loses no more than this and what one writing takes.
constexpr auto WriteEvery = 400ms;

/// One recording is of one server: the locks of two would be taken for each other's. Where the file cannot be read, the
/// recorder says why, or it is new.
std::optional<Error> refusal(const QString &file, const std::string &server)
{
    const auto player = Player::open(file);
    const auto last = player ? (*player)->at((*player)->span().last) : tl::unexpected(player.error());
    const std::string recorded = last ? (*last)->status.server : std::string();
    if (recorded.empty() || recorded == server)
        return std::nullopt;
    return Error{ ErrorCode::Cancelled,
        "the file is a recording of " + recorded + ", not of " + server + ": record to another file",
        "recording to " + file.toStdString() };
}

} // namespace

RecordingWriter::RecordingWriter(
    const QString &file, const RecordingLimits &limits, std::shared_ptr<RecordingQueue> queue, Sink sink)
    : m_queue(std::move(queue))
    , m_sink(std::move(sink))
{
    const Now now = readClocks();
    const auto content = m_queue->take(now);
    const auto refused
        = content.snapshots.empty() ? std::nullopt : refusal(file, content.snapshots.front()->status.server);
    if (refused) {
        m_sink.failed(*refused);
        return;
    }
    auto recorder = Recorder::open(file, limits, now);
    if (!recorder) {
        m_sink.failed(recorder.error());
        return;
    }
    m_recorder = std::move(*recorder);
    connect(&m_timer, &QTimer::timeout, this, &RecordingWriter::write);
    m_timer.start(WriteEvery);
    writeContent(content, now);
}

RecordingWriter::~RecordingWriter() { write(); }

bool RecordingWriter::write()
{
    if (!m_recorder)
        return false;
    const Now now = readClocks();
    return writeContent(m_queue->take(now), now);
}

bool RecordingWriter::writeContent(const RecordingQueue::Content &content, Now now)
{
    if (const auto written = m_recorder->write(content, now); !written) {
        m_timer.stop();
        m_recorder.reset();
        m_sink.failed(written.error());
        return false;
    }
    m_sink.progress(m_recorder->progress(now));
    return true;
}

} // namespace lockcore
