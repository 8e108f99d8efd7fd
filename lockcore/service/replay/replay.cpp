// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/replay.h"

#include "lockcore/recording/player.h"
#include "lockcore/service/replay/replay_figures.h"
#include "lockcore/service/threads/worker_thread.h"
#include "lockcore/transport/clock.h"

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace lockcore::service {

using namespace transport;
using namespace monitor;
using namespace recording;

namespace {

using namespace std::chrono_literals;

constexpr auto FrameEvery = 50ms;
constexpr int DensityParts = 2'000;
constexpr int EventsOfJump = 10'000;
constexpr int EventsOfFrame = 20'000;

WallTime toWall(MonoTime line) { return WallTime(std::chrono::duration_cast<Millis>(line.time_since_epoch())); }

/// A recording, and what is in it.
struct OpenedRecording {
    std::unique_ptr<Player> player;
    std::shared_ptr<const ReplayOverview> overview;
};

/// Only if its first moment can be shown: all others are told from there on.
Result<OpenedRecording> openToShow(const QString &file)
{
    auto player = Player::open(file);
    if (!player)
        return tl::unexpected(player.error());
    Player &recording = **player;
    const RecordedSpan &span = recording.span();
    if (const auto first = recording.at(span.first); !first)
        return tl::unexpected(first.error());
    auto overview = std::make_shared<const ReplayOverview>(ReplayOverview{ toWall(span.first), toWall(span.last),
        recording.wallAt(span.last), recording.eventCount(), recording.density(DensityParts), recording.gaps() });
    return OpenedRecording{ std::move(*player), std::move(overview) };
}

/// A recording that is played: publishes what was seen at the moment it is at.
/// Thread: that of the object; so are the calls of the sink.
class ReplaySession : public QObject {
public:
    struct Sink {
        std::function<void(std::shared_ptr<const monitor::Snapshot>)> publish;
        std::function<void(monitor::EventList, monitor::WaitCountList)> report;
        /// Before the events that led to another moment are reported, all since then.
        std::function<void(WallTime since, WallTime countedSince, EarlierEvents earlier)> jumped;
        std::function<void(WallTime moment, const std::string &node)> lookedAtAll; // before the events
        std::function<void(const ReplayState &)> changed;
        std::function<void(const std::vector<Error> &)> warned; // it is shown all the same
        std::function<void(const Error &)> failed;
    };

    ReplaySession(const QString &file, Sink sink);

    void seek(MonoTime moment); // of many in a row the last
    void seekNextEvent();
    void seekPreviousEvent();
    void play(double speed);
    void pause();

private:
    void open(const QString &file);
    void seekTo(std::optional<MonoTime> moment);
    void jump();
    void advance();
    bool show(MonoTime moment, MonoTime eventsAfter);
    void publish(MonoTime moment, std::shared_ptr<const monitor::Snapshot> snapshot,
        const std::vector<RecordedEvent> &events, std::vector<monitor::WaitCount> waits);
    void tellLooks(const std::vector<RecordedEvent> &events);
    void tellDamage();
    void setPlaying(bool playing);
    void fail(const Error &error);

    Sink m_sink;
    std::unique_ptr<recording::Player> m_player; // null: it could not be opened
    ReplayFigures m_figures;
    ReplayState m_state;
    using GapEnd = std::pair<MonoTime, std::string>; // and whose keys are looked at
    std::map<GapEnd, std::optional<MonoTime>> m_looks; // at all keys, each the first after a gap
    MonoTime m_at;
    bool m_hasShown = false; // any moment
    std::optional<Error> m_warning; // that is not told yet; absent: there is none
    std::size_t m_toldDamage = 0; // places
    std::optional<MonoTime> m_wanted;
    QElapsedTimer m_sinceShown; // m_at; nothing is played while the computer sleeps
    QTimer m_jumpTimer;
    QTimer m_playTimer;
};

ReplaySession::ReplaySession(const QString &file, Sink sink)
    : m_sink(std::move(sink))
{
    m_state.file = file;
    m_jumpTimer.setSingleShot(true);
    m_playTimer.setTimerType(Qt::PreciseTimer);
    m_playTimer.setInterval(FrameEvery);
    connect(&m_jumpTimer, &QTimer::timeout, this, &ReplaySession::jump);
    connect(&m_playTimer, &QTimer::timeout, this, &ReplaySession::advance);
    open(file);
}

void ReplaySession::open(const QString &file)
{
    auto opened = openToShow(file);
    if (!opened)
        return fail(opened.error());
    m_player = std::move(opened->player);
    m_state.overview = std::move(opened->overview);
    m_figures.setRecording(
        m_player->sessionFrames(), [this](MonoTime moment) { return m_player->at(moment).value_or(nullptr); });
    m_warning = m_player->warning();
    seek(m_player->span().first);
    jump();
}

void ReplaySession::seek(MonoTime moment)
{
    // Who seeks says whole milliseconds: the last of them is the end.
    const bool isEnd = m_player && toWall(moment) >= toWall(m_player->span().last);
    m_wanted = isEnd ? m_player->span().last : moment;
    m_jumpTimer.start(0);
}

void ReplaySession::seekNextEvent()
{
    if (m_player)
        seekTo(m_player->nextEvent(m_at));
}

void ReplaySession::seekPreviousEvent()
{
    if (m_player)
        seekTo(m_player->previousEvent(m_at));
}

void ReplaySession::seekTo(std::optional<MonoTime> moment)
{
    if (!moment)
        return;
    setPlaying(false);
    m_wanted = moment;
    jump(); // from there to the one after it
}

void ReplaySession::jump()
{
    m_jumpTimer.stop();
    if (!m_player || !m_wanted)
        return;
    const RecordedSpan &span = m_player->span();
    const MonoTime moment = std::clamp(*m_wanted, span.first, span.last);
    m_wanted.reset();
    const auto snapshot = m_player->at(moment);
    if (!snapshot) // before anything is told: what is shown stays whole
        return fail(snapshot.error());
    const auto [events, after, isDamaged] = m_player->told({}, moment, EventsOfJump);
    EarlierEvents earlier = EarlierEvents::None;
    MonoTime since = span.first;
    WallTime known = m_player->wallAt(since);
    if (after > since) { // of that second there may be more
        known = std::chrono::ceil<std::chrono::seconds>(m_player->wallAt(after));
        since = std::min(after + (known - m_player->wallAt(after)), moment);
        earlier = EarlierEvents::TooMany;
    }
    if (isDamaged)
        earlier = EarlierEvents::Damaged;
    MonoTime counted = since;
    auto waits = m_player->waitCounts(counted, moment);
    m_sink.jumped(known, counted > since ? m_player->wallAt(counted) : known, earlier);
    if (const auto look = m_player->lookFrom(since).value_or(std::nullopt)) // what is damaged fails where it is shown
        m_sink.lookedAtAll(m_player->wallAt(*look), {});
    m_figures.restart(since);
    publish(moment, *snapshot, events, std::move(waits));
}

void ReplaySession::play(double speed)
{
    if (!m_player)
        return;
    m_state.speed = speed;
    if (m_at >= m_player->span().last) {
        seek(m_player->span().first);
        jump();
    }
    m_sinceShown.start();
    setPlaying(true);
}

void ReplaySession::pause() { setPlaying(false); }

void ReplaySession::setPlaying(bool playing)
{
    m_state.playing = playing;
    if (playing)
        m_playTimer.start();
    else
        m_playTimer.stop();
    m_sink.changed(m_state);
}

void ReplaySession::advance()
{
    const auto passed = std::chrono::duration<double, std::nano>(m_sinceShown.nsecsElapsed()) * m_state.speed;
    m_sinceShown.start();
    const MonoTime last = m_player->span().last;
    const MonoTime moment = std::min(m_at + std::chrono::duration_cast<MonoTime::duration>(passed), last);
    if (show(moment, m_at) && moment == last)
        setPlaying(false);
}

bool ReplaySession::show(MonoTime moment, MonoTime eventsAfter)
{
    const auto snapshot = m_player->at(moment);
    if (!snapshot) {
        fail(snapshot.error());
        return false;
    }
    const Player::Told told = m_player->told(eventsAfter, moment, EventsOfFrame);
    if (told.after != eventsAfter) { // what is told begins anew there
        m_wanted = moment;
        jump();
        return m_at == moment;
    }
    publish(moment, *snapshot, told.events, m_player->waitChanges(eventsAfter, moment));
    return true;
}

void ReplaySession::publish(MonoTime moment, std::shared_ptr<const Snapshot> snapshot,
    const std::vector<RecordedEvent> &events, std::vector<WaitCount> waits)
{
    std::vector<Event> told;
    for (const auto &[at, event] : events) {
        m_figures.heard(event, at);
        told.push_back(event);
    }
    m_at = moment;
    m_hasShown = true;
    m_state.at = toWall(moment);
    m_state.wall = m_player->wallAt(moment);
    m_state.hasNextEvent = m_player->nextEvent(moment).has_value();
    tellLooks(events);
    if (!events.empty() || !waits.empty()) // first, as a server's: the picture is what they led to
        m_sink.report(std::make_shared<const std::vector<Event>>(std::move(told)),
            std::make_shared<const std::vector<WaitCount>>(std::move(waits)));
    m_sink.publish(m_figures.in(std::move(snapshot), moment));
    m_sink.changed(m_state);
    tellDamage();
}

/// All at once: a file that was cut short is damaged as well.
void ReplaySession::tellDamage()
{
    const std::vector<Error> &damage = m_player->damage();
    const auto told = static_cast<std::ptrdiff_t>(std::exchange(m_toldDamage, damage.size()));
    std::vector<Error> found(damage.begin() + told, damage.end());
    if (const auto warning = std::exchange(m_warning, std::nullopt))
        found.insert(found.begin(), *warning);
    if (!found.empty())
        m_sink.warned(found);
}

/// After a gap what goes on is not told: it is seen by the next look at all keys of its server. Of looks a picture
/// knows the last one alone.
void ReplaySession::tellLooks(const std::vector<RecordedEvent> &events)
{
    std::map<std::string, MonoTime> looks; // the last, by server
    for (const auto &[end, event] : events) {
        if (event.kind != EventKind::Gap)
            continue;
        for (const std::string &node : std::set<std::string>{ {}, event.node }) {
            MonoTime &look = looks[node];
            if (look >= end)
                continue; // the one before is the first after this gap as well, or there is none any more
            const auto [known, isNew] = m_looks.try_emplace({ end, node });
            if (isNew) // what is damaged fails where it is shown
                known->second = m_player->lookFrom(end, node).value_or(std::nullopt);
            look = known->second.value_or(MonoTime::max());
            if (known->second) // of the same millisecond the gap may tell one more
                m_sink.lookedAtAll(std::max(m_player->wallAt(look), event.at), node);
        }
    }
}

/// What was shown before stays; where there was nothing, that is said.
void ReplaySession::fail(const Error &error)
{
    if (m_state.playing)
        setPlaying(false);
    if (!m_hasShown) {
        auto nothing = std::make_shared<Snapshot>();
        nothing->takenAt = readClocks();
        nothing->status.phase = SourcePhase::Failed;
        nothing->status.error = error;
        nothing->status.recordedAt = nothing->takenAt.wall;
        m_sink.publish(std::move(nothing));
    }
    m_sink.failed(error);
}

} // namespace

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
    int checkNumber = 0; // likewise
    std::unique_ptr<WorkerThread<QObject>> checking; // null: no file is looked at
    std::unique_ptr<WorkerThread<ReplaySession>> session; // last: its end must find the rest
};

Replay::Replay(Stage stage, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->stage = std::move(stage);
}

Replay::~Replay() = default;

void Replay::check(const QString &file)
{
    if (!d->checking)
        d->checking = std::make_unique<WorkerThread<QObject>>(
            QStringLiteral("check"), [] { return std::make_unique<QObject>(); });
    d->checking->run([this, file, number = ++d->checkNumber](QObject &) {
        const auto opened = openToShow(file);
        const auto whyNot = opened ? std::nullopt : std::optional(opened.error());
        QMetaObject::invokeMethod(
            this,
            [this, file, number, whyNot] {
                if (number != d->checkNumber)
                    return;
                d->checking.reset();
                Q_EMIT checked(file, whyNot);
            },
            Qt::QueuedConnection);
    });
}

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
    sink.report = [this, later](const EventList &events, const WaitCountList &waits) {
        later([this, events, waits] {
            if (!waits->empty())
                Q_EMIT waitsCounted(waits);
            if (!events->empty())
                d->stage.report(events);
        });
    };
    sink.jumped = [this, later](WallTime since, WallTime countedSince, EarlierEvents earlier) {
        later([this, since, countedSince, earlier] { Q_EMIT jumped(since, countedSince, earlier); });
    };
    sink.lookedAtAll = [this, later](WallTime moment, const std::string &node) {
        later([this, moment, node] { Q_EMIT lookedAtAll(moment, node); });
    };
    sink.changed = [this, later](const ReplayState &state) {
        later([this, state] {
            d->state = state;
            Q_EMIT changed();
        });
    };
    sink.warned = [this, later](const std::vector<Error> &about) { later([this, about] { Q_EMIT warned(about); }); };
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
