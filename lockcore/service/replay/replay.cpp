// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/replay.h"

#include "lockcore/service/replay/replay_session.h"
#include "lockcore/service/threads/worker_thread.h"

#include <utility>

namespace lockcore::service {

using namespace monitor;

class Replay::Private {
public:
    template <typename Call>
    void run(Call call)
    {
        if (session)
            session->run(std::move(call));
    }

    Stage stage;
    std::optional<ReplayState> state;
    int number = 0; // of the recording: a word of an earlier one comes too late
    std::unique_ptr<WorkerThread<ReplaySession>> session; // last: its end must find the rest
};

Replay::Replay(Stage stage, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->stage = std::move(stage);
}

Replay::~Replay() = default;

void Replay::open(const QString &file)
{
    close();
    d->stage.entered();
    d->state = ReplayState{ file, nullptr, {}, {} };
    const auto later = [this, number = ++d->number](auto call) {
        QMetaObject::invokeMethod(
            this,
            [this, number, call = std::move(call)] {
                if (d->number == number)
                    call();
            },
            Qt::QueuedConnection);
    };
    ReplaySession::Sink sink;
    sink.publish = d->stage.publish;
    sink.report = [this, later](const EventList &events) { later([this, events] { d->stage.report(events); }); };
    sink.jumped = [this, later](WallTime since) { later([this, since] { Q_EMIT jumped(since); }); };
    sink.changed = [this, later](const ReplayState &state) {
        later([this, state] {
            d->state = state;
            Q_EMIT changed();
        });
    };
    sink.warned = [this, later](const Error &about) { later([this, about] { Q_EMIT warned(about); }); };
    sink.failed = [this, later](const Error &error) { later([this, error] { Q_EMIT failed(error); }); };
    d->session = std::make_unique<WorkerThread<ReplaySession>>(QStringLiteral("replay"),
        [file, sink = std::move(sink)] { return std::make_unique<ReplaySession>(file, sink); });
}

void Replay::close()
{
    if (!d->state)
        return;
    ++d->number;
    d->session.reset();
    d->state.reset();
    d->stage.left();
}

std::optional<ReplayState> Replay::state() const { return d->state; }

void Replay::seek(WallTime moment)
{
    d->run([moment](ReplaySession &session) { session.seek(MonoTime(moment.time_since_epoch())); });
}

void Replay::seekNextEvent()
{
    d->run([](ReplaySession &session) { session.seekNextEvent(); });
}

void Replay::seekPreviousEvent()
{
    d->run([](ReplaySession &session) { session.seekPreviousEvent(); });
}

void Replay::play(double speed)
{
    d->run([speed](ReplaySession &session) { session.play(speed); });
}

void Replay::pause()
{
    d->run([](ReplaySession &session) { session.pause(); });
}

} // namespace lockcore::service
