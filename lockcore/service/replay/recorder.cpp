// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/recorder.h"

#include "lockcore/recording/player.h"
#include "lockcore/recording/recording_writer.h"
#include "lockcore/service/threads/worker_thread.h"
#include "lockcore/transport/clock.h"

#include <QTimer>
#include <mutex>
#include <utility>

namespace lockcore::service {

using namespace transport;
using namespace monitor;
using namespace recording;

namespace {

using namespace std::chrono_literals;

/// A crash loses no more than this and what one writing takes.
constexpr auto WriteEvery = 400ms;
constexpr auto AwaitEvery = 10ms; // for what it begins with

/// One recording is of one server: the locks of two would be taken for each other's. Where the file cannot be opened,
/// the writer says why, or it is new.
std::optional<Error> refusal(const QString &file, const std::string &server)
{
    const auto player = Player::open(file);
    if (!player)
        return std::nullopt;
    const std::string recorded = (*player)->server();
    if (recorded == server)
        return std::nullopt;
    if (recorded.empty()) {
        const auto &damage = (*player)->damage();
        return damage.empty() ? std::nullopt : std::optional(damage.front());
    }
    return errorOf(ErrorCode::Cancelled, { Phrase::RecordingOfAnother, { recorded, server } },
        { Phrase::RecordingTo, { file.toStdString() } });
}

/// Empties a queue into a file, on a thread of its own.
class QueueWriter : public QObject {
public:
    // Called on that thread.
    struct Sink {
        std::function<void(const RecordingProgress &)> progress;
        std::function<void(const Error &)> failed; // nothing more is written
    };

    QueueWriter(const QString &file, const RecordingLimits &limits, std::shared_ptr<RecordingQueue> queue, Sink sink)
        : m_file(file)
        , m_limits(limits)
        , m_queue(std::move(queue))
        , m_sink(std::move(sink))
    {
        connect(&m_timer, &QTimer::timeout, this, &QueueWriter::write);
        m_timer.start(AwaitEvery);
    }
    ~QueueWriter() override
    {
        write(); // what is left
        if (!m_writer && !m_failed)
            m_sink.failed(errorOf(
                ErrorCode::FileFailed, { Phrase::NothingRecorded }, { Phrase::RecordingTo, { m_file.toStdString() } }));
    }

private:
    /// What is told while the first snapshot is under way may be of after it: that waits, too.
    void write()
    {
        if (m_failed || (!m_writer && !m_queue->hasSnapshot()))
            return;
        const Now now = readClocks();
        if (const auto written = writeContent(m_queue->take(now), now); !written) {
            m_timer.stop();
            m_writer.reset();
            m_failed = true;
            m_sink.failed(written.error());
            return;
        }
        m_sink.progress(m_writer->progress(now));
    }
    Result<void> writeContent(const RecordingQueue::Content &content, Now now)
    {
        if (!m_writer) {
            const Snapshot &first = *content.snapshots.front();
            if (const auto refused = refusal(m_file, first.status.server))
                return tl::unexpected(*refused);
            const bool isOfNoServer = first.takenAt.mono == MonoTime(); // none is open yet
            auto writer = RecordingWriter::open(m_file, m_limits, isOfNoServer ? now : first.takenAt);
            if (!writer)
                return tl::unexpected(writer.error());
            m_writer = std::move(*writer);
            m_timer.start(WriteEvery);
        }
        return m_writer->write(content, now);
    }

    const QString m_file;
    const RecordingLimits m_limits;
    std::shared_ptr<RecordingQueue> m_queue;
    Sink m_sink;
    std::unique_ptr<RecordingWriter> m_writer; // null: nothing is written yet, or it failed
    bool m_failed = false;
    QTimer m_timer;
};

} // namespace

class Recorder::Private {
public:
    /// From a snapshot on that tells of all before: what was shown last may lack what was told since.
    bool beginQueue(const std::shared_ptr<RecordingQueue> &newQueue)
    {
        {
            const std::lock_guard guard(queueMutex);
            nextQueue = newQueue;
        }
        return begin([this, newQueue] {
            const std::lock_guard guard(queueMutex);
            if (nextQueue == newQueue) // else it has ended already
                queue = newQueue;
        });
    }
    void closeQueue()
    {
        const std::lock_guard guard(queueMutex);
        queue.reset();
        nextQueue.reset();
    }
    void put(std::shared_ptr<const Snapshot> snapshot)
    {
        const std::lock_guard guard(queueMutex);
        if (queue)
            queue->put(withKnownWaits(std::move(snapshot)));
    }
    void put(EventList events, Now now)
    {
        const std::lock_guard guard(queueMutex);
        if (queue)
            queue->put(std::move(events), now);
    }
    void setKnownWaits(std::vector<KnownWait> waits, std::vector<KnownHold> holds)
    {
        const std::lock_guard guard(queueMutex);
        if (!knownWaits && waits.empty() && holds.empty())
            return;
        if (!knownWaits || *knownWaits != waits)
            knownWaits = std::make_shared<const std::vector<KnownWait>>(std::move(waits));
        if (!knownHolds || *knownHolds != holds)
            knownHolds = std::make_shared<const std::vector<KnownHold>>(std::move(holds));
    }
    std::shared_ptr<const Snapshot> withKnownWaits(std::shared_ptr<const Snapshot> snapshot) const
    {
        if (!knownWaits)
            return snapshot;
        auto whole = std::make_shared<Snapshot>(*snapshot);
        whole->knownWaits = knownWaits;
        whole->knownHolds = knownHolds;
        return whole;
    }

    Begin begin;
    std::optional<RecordingState> state;
    int number = 0; // of the recording: a word of an earlier one comes too late
    std::mutex queueMutex;
    std::shared_ptr<RecordingQueue> queue; // null: nothing is recorded
    std::shared_ptr<RecordingQueue> nextQueue; // that or the one that is to be
    std::shared_ptr<const std::vector<KnownWait>> knownWaits; // null: there never were any of both
    std::shared_ptr<const std::vector<KnownHold>> knownHolds;
    std::unique_ptr<WorkerThread<QueueWriter>> writer; // last: its end must find the rest
};

Recorder::Recorder(Begin begin, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->begin = std::move(begin);
}

Recorder::~Recorder() = default;

void Recorder::start(const QString &file, const RecordingLimits &limits)
{
    const auto onOwnThread
        = [this](auto call) { QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection); };
    stop();
    auto queue = std::make_shared<RecordingQueue>();
    if (!d->beginQueue(queue)) {
        const Error error
            = errorOf(ErrorCode::NotSupported, { Phrase::NothingNew }, { Phrase::RecordingTo, { file.toStdString() } });
        return onOwnThread([this, error] { Q_EMIT failed(error); });
    }
    d->state = RecordingState{ file, {} };
    const int number = ++d->number;
    const auto progressed = [this, onOwnThread, number](const RecordingProgress &progress) {
        onOwnThread([this, number, progress] {
            if (d->number != number)
                return;
            d->state->progress = progress;
            Q_EMIT changed();
        });
    };
    const auto ended = [this, onOwnThread, number](const Error &error) {
        d->closeQueue();
        onOwnThread([this, number, error] { // also of what was left to be written at its end
            if (d->number == number)
                stop();
            Q_EMIT failed(error);
        });
    };
    d->writer = std::make_unique<WorkerThread<QueueWriter>>(QStringLiteral("recording"), [=, queue = std::move(queue)] {
        return std::make_unique<QueueWriter>(file, limits, queue, QueueWriter::Sink{ progressed, ended });
    });
    Q_EMIT changed();
}

void Recorder::stop()
{
    if (!d->state)
        return;
    d->closeQueue();
    ++d->number;
    d->writer.reset();
    d->state.reset();
    Q_EMIT changed();
}

std::optional<RecordingState> Recorder::state() const { return d->state; }

void Recorder::setKnownWaits(std::vector<KnownWait> waits, std::vector<KnownHold> holds)
{
    d->setKnownWaits(std::move(waits), std::move(holds));
}

void Recorder::put(std::shared_ptr<const Snapshot> snapshot) { d->put(std::move(snapshot)); }

void Recorder::put(EventList events, Now now) { d->put(std::move(events), now); }

} // namespace lockcore::service
