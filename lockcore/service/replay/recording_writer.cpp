// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/recording_writer.h"

#include "lockcore/client/clock.h"

namespace lockcore {

namespace {

using namespace std::chrono_literals;

/// A crash loses no more than this and what one writing takes.
constexpr auto WriteEvery = 400ms;

} // namespace

RecordingWriter::RecordingWriter(
    const QString &file, const RecordingLimits &limits, std::shared_ptr<RecordingQueue> queue, Sink sink)
    : m_queue(std::move(queue))
    , m_sink(std::move(sink))
{
    auto recorder = Recorder::open(file, limits, readClocks());
    if (!recorder) {
        m_sink.failed(recorder.error());
        return;
    }
    m_recorder = std::move(*recorder);
    connect(&m_timer, &QTimer::timeout, this, &RecordingWriter::write);
    m_timer.start(WriteEvery);
    write();
}

RecordingWriter::~RecordingWriter() { write(); }

bool RecordingWriter::write()
{
    if (!m_recorder)
        return false;
    const Now now = readClocks();
    if (const auto written = m_recorder->write(m_queue->take(now), now); !written) {
        m_timer.stop();
        m_recorder.reset();
        m_sink.failed(written.error());
        return false;
    }
    m_sink.progress(m_recorder->progress(now));
    return true;
}

} // namespace lockcore
