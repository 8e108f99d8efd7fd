// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_charts.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/charts/count_chart.h"
#include "ui/charts/time_axis.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/durations_view.h"
#include "ui/views/export_button.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

/// Where not all have room, those that have are whole: half a line at the lower edge is neither read nor missed.
class KeyList : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        const int line = fontMetrics().lineSpacing();
        const int over = contentsRect().height() < line ? 0 : contentsRect().height() % line;
        if (viewportMargins().bottom() != over)
            setViewportMargins(0, 0, 0, over);
        QPlainTextEdit::resizeEvent(event);
    }
};

QString legendOf(const TtlChart &chart)
{
    const QString gaps = chart.gapText();
    return gaps.isEmpty() ? QString()
                          : QStringLiteral("●  ") + DetailCharts::tr("renewals") + QStringLiteral("   ") + gaps;
}

} // namespace

DetailCharts::DetailCharts(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_store(events)
    , m_title(plainLabel(QStringLiteral("section"), this))
    , m_legend(plainLabel(QStringLiteral("small"), this))
    , m_written(new WrittenNote(this))
    , m_ttl(new TtlChart(theme, clock, this))
    , m_counts(new CountChart(theme, this))
    , m_times(new QWidget(this))
    , m_holds(new DurationsView(theme, Tone::Fixed, tr("Hold times"), m_times))
    , m_waits(new DurationsView(theme, Tone::Waiting, tr("Waits in the queue"), m_times))
    , m_timesNote(plainLabel(QStringLiteral("small"), m_times))
    , m_keysTitle(plainLabel(QStringLiteral("section"), this))
    , m_keys(new KeyList(this))
{
    buildKeys();
    auto *both = new QHBoxLayout;
    both->setSpacing(16);
    both->addWidget(m_holds, 1);
    both->addWidget(m_waits, 1);
    auto *times = new QVBoxLayout(m_times);
    times->setContentsMargins(0, 4, 0, 0);
    times->setSpacing(0);
    times->addLayout(both, 1);
    times->addWidget(m_timesNote);

    auto *top = new QHBoxLayout;
    top->addWidget(m_title);
    top->addStretch();
    top->addWidget(m_written, 1);
    top->addWidget(m_legend);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_ttl, 3);
    layout->addWidget(m_counts, 3);
    layout->addWidget(m_times, 2);
    layout->addSpacing(6);
    layout->addWidget(m_keysTitle);
    layout->addWidget(m_keys);
}

const QWidget &DetailCharts::legend() const { return *m_legend; }

bool DetailCharts::tellsOfRenewals() const { return m_lock && !isCounter(m_lock->kind) && !m_ttl->gapText().isEmpty(); }

void DetailCharts::buildKeys()
{
    m_keys->setReadOnly(true);
    m_keys->setProperty("role", QStringLiteral("keys"));
    m_keys->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_keys->setTabChangesFocus(true);
    m_keys->document()->setDocumentMargin(0);
    m_keys->setMinimumHeight(18); // one key
    m_keys->setMaximumHeight(60);
}

MonoTime DetailCharts::now() const
{
    const MonoTime now = m_clock.now();
    return m_end ? m_end->at : std::min(now, m_seenUntil.value_or(now));
}

void DetailCharts::setLock(LockTableModel::Lock lock, const std::optional<LockEnd> &end)
{
    const bool another = !lock || !m_lock || lock->name != m_lock->name;
    m_lock = std::move(lock);
    m_end = end;
    m_ttl->setLock(m_lock, m_end ? std::optional(m_end->at) : std::nullopt,
        !m_end           ? QString()
            : m_end->how ? eventText(*m_end->how)
                         : tr("gone"));
    showPassedOver();
    m_legend->setText(legendOf(*m_ttl));
    if (!m_lock)
        return;
    if (another) {
        m_counted.reset();
        m_written->hide(); // it is of the other one
    }
    showKind();
    showCounts();
    showDurations();
    showKeys();
}

void DetailCharts::showKeys()
{
    QStringList keys;
    for (const std::string &key : keysOf(*m_lock))
        keys << lockNameText(key);
    if (const QString text = keys.join(QLatin1Char('\n')); text != m_keys->toPlainText()) {
        m_keys->setPlainText(text);
        arrange();
    }
    m_keysTitle->setText(m_end ? tr("Keys it had in Redis") : tr("Keys in Redis"));
    m_keys->setAccessibleName(m_keysTitle->text());
}

/// A counter has no time to live and nobody who holds it.
void DetailCharts::showKind()
{
    const bool counts = isCounter(m_lock->kind);
    m_ttl->setVisible(!counts);
    m_legend->setVisible(!counts);
    m_counts->setVisible(counts);
    m_waits->setVisible(m_lock->kind == Kind::Fair); // of no other it is written down who waits
    showTitle();
    arrange();
}

void DetailCharts::showTitle()
{
    const QString until = m_ttl->endText();
    if (!isCounter(m_lock->kind)) {
        return m_title->setText(m_end ? tr("Time to live, its last 90 s")
                : until.isEmpty()     ? tr("Time to live, last 90 s")
                                      : tr("Time to live, 90 s until %1").arg(until));
    }
    const bool isLatch = m_lock->kind == Kind::CountDownLatch;
    const QString title = m_end ? (isLatch ? tr("Count, its last %1") : tr("Free permits, its last %1"))
        : until.isEmpty()       ? (isLatch ? tr("Count, last %1") : tr("Free permits, last %1"))
        : isLatch               ? tr("Count, %1 until %2")
                                : tr("Free permits, %1 until %2");
    const QString window = windowText(countWindow());
    m_title->setText(m_end || until.isEmpty() ? title.arg(window) : title.arg(window, until));
    m_counts->setAccessibleName(m_title->text());
}

/// Of the hold there is now the lock itself tells, too: a recording has no event of what came before it.
void DetailCharts::setBeginnings(const std::vector<Event> &acquired, const ClientNames *names)
{
    constexpr Millis AtOnce{ 50 };
    std::vector<TtlChart::HandOver> handOvers;
    for (const Event &event : acquired)
        if (event.owner)
            handOvers.push_back({ m_clock.monoAt(event.at), namedOwner(*event.owner, names) });
    const auto since = m_lock ? heldSince(*m_lock) : std::nullopt;
    const auto isThen = [&](const TtlChart::HandOver &told) { return std::chrono::abs(told.at - since->at) < AtOnce; };
    if (since && since->exact && std::ranges::none_of(handOvers, isThen)) {
        const auto holder = std::ranges::find(m_lock->holders, *since, &Holder::since);
        handOvers.push_back({ since->at, namedOwner(holder->owner, names) });
    }
    m_ttl->setHandOvers(std::move(handOvers));
    m_ttl->setFreeSince(freeSince());
}

/// A lock that was gone begins with a new history: whether it was held before that the events tell.
std::optional<MonoTime> DetailCharts::freeSince() const
{
    const auto corners = m_lock ? ttlHistoryOf(*m_lock) : std::vector<TtlCorner>();
    const auto since = m_lock ? heldSince(*m_lock) : std::nullopt;
    if (corners.empty() && !since)
        return std::nullopt;
    const MonoTime begin = corners.empty() ? since->at : corners.front().at;
    const auto free = m_store.freeSince(m_lock->name, m_clock.wallAt(begin));
    return free ? std::optional(m_clock.monoAt(*free)) : std::nullopt;
}

void DetailCharts::setGaps(const std::vector<Event> &gaps)
{
    std::vector<UnseenTime> unseen;
    for (const Event &gap : gaps)
        unseen.push_back({ m_clock.monoAt(gap.at - *gap.ttl), m_clock.monoAt(gap.at) });
    m_ttl->setUnseen(std::move(unseen));
}

/// Of a hold that followed on the one that was looked at, no picture has shown the time to live here.
void DetailCharts::showPassedOver()
{
    const bool isLater = m_lock && m_end && m_end->wentOn;
    m_ttl->setPassedOver(isLater ? std::optional(UnseenTime{ m_lock->readAtMono, m_end->at }) : std::nullopt);
}

void DetailCharts::setWatchedSince(std::optional<MonoTime> since)
{
    m_watchedSince = since;
    m_ttl->setWatchedSince(since);
}

void DetailCharts::setRecordedSince(MonoTime since) { m_ttl->setRecordedSince(since); }

void DetailCharts::setStale(bool stale, std::optional<MonoTime> seenUntil)
{
    m_stale = stale;
    m_seenUntil = seenUntil;
    m_ttl->setStale(stale, seenUntil);
    if (!m_lock)
        return;
    showTitle();
    showCounts();
}

/// The longest that is full, so that what was seen is seen well.
std::chrono::seconds DetailCharts::countWindow() const
{
    using namespace std::chrono_literals;
    const auto since = m_watchedSince ? now() - *m_watchedSince : MonoTime::duration(0);
    return since < 90s ? 90s : since < 300s ? 300s : 900s;
}

void DetailCharts::showCounts()
{
    if (!isCounter(m_lock->kind))
        return;
    const bool isLatch = m_lock->kind == Kind::CountDownLatch;
    const auto window = countWindow();
    CountChart::Picture picture;
    picture.to = m_clock.wallAt(now());
    picture.from = picture.to - window;
    picture.curve = countCurve(m_store, *m_lock, m_clock.wallAt(m_lock->readAtMono), picture.from, picture.to);
    if (m_lock->permits && m_lock->permits->leased)
        picture.all = freePermits(*m_lock->permits) + *m_lock->permits->leased;
    picture.isLatch = isLatch;
    picture.isGrey = m_stale || m_end;
    picture.isGone = m_end.has_value();
    picture.end = m_ttl->endText();
    if (m_watchedSince)
        picture.watchedSince = m_clock.wallAt(*m_watchedSince);
    m_counts->show(std::move(picture));
}

/// Not with each event: a busy lock has many, and many were heard of it.
void DetailCharts::showDurations()
{
    const Kept kept(m_store.first(), m_store.shownEnd(),
        m_store.hasDamaged()); // a jump in a recording begins with another first one
    if (isCounter(m_lock->kind) || (m_counted && (m_counted == kept || !m_nextCount.hasExpired())))
        return;
    m_nextCount.setRemainingTime(ViewClock::FiguresEvery);
    m_counted = kept;
    const HoldTimes times = holdTimesOf(m_store, m_lock->name, !m_lock->members.empty());
    const QString none = m_store.hasDamaged() ? tr("none that can be read") : tr("none was seen to end");
    m_holds->setEmptyText(none);
    m_waits->setEmptyText(none);
    m_holds->show(times.holds);
    m_waits->show(times.waits);
    arrange();
    const WallTime now = m_clock.wallAt(m_clock.realNow());
    m_timesNote->setText(times.since
            ? tr("of those that ended since %1, as far as it was watched").arg(clockText(*times.since, now))
            : m_store.hasDamaged() ? tr("what was recorded of it until now cannot be read")
                                   : tr("nothing was heard of it yet"));
}

void DetailCharts::refresh()
{
    m_ttl->refresh();
    if (m_lock)
        showTitle();
    m_legend->setText(legendOf(*m_ttl));
    showCounts();
    showDurations();
}

void DetailCharts::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// The course of the time to live comes first: in a low window durations are words, in a lower one not there, and in
/// the lowest there are no keys either.
void DetailCharts::arrange()
{
    constexpr int LeastHeight = 270;
    const bool isRoom = height() >= LeastHeight;
    m_holds->setChartShown(isRoom);
    m_waits->setChartShown(isRoom);
    m_times->setSizePolicy(QSizePolicy::Preferred,
        m_holds->hasChart() || m_waits->hasChart() ? QSizePolicy::Preferred : QSizePolicy::Maximum);
    const bool counts = m_lock && isCounter(m_lock->kind);
    const int chart = m_title->sizeHint().height() + (counts ? m_counts->minimumHeight() : m_ttl->minimumHeight());
    const int keys = m_keysTitle->sizeHint().height() + m_keys->minimumHeight() + 4 * layout()->spacing();
    m_times->setVisible(m_lock && !counts && height() >= chart + m_times->minimumSizeHint().height() + keys);
    const bool hasKeys = !m_keys->document()->isEmpty(); // a semaphore that somebody waits for need not have one
    for (QWidget *part : std::initializer_list<QWidget *>{ m_keysTitle, m_keys })
        part->setVisible(hasKeys && height() >= chart + keys);
}

} // namespace lockui
