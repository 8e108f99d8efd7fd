// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard_tiles.h"

#include "lockcore/monitor/analysis.h"
#include "lockcore/service/rights/missing_rights.h"
#include "ui/charts/sparkline.h"
#include "ui/models/attention.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <vector>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int TileSpacing = 10;
constexpr std::chrono::seconds Lately{ 10 };

QString signedText(std::int64_t number)
{
    const QString sign = number < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return sign + countText(std::abs(number));
}

QString joinedNotes(const QString &first, const QString &second)
{
    const QString between = first.isEmpty() || second.isEmpty() ? QString() : QStringLiteral(" · ");
    return first + between + second;
}

/// The mean of what was seen; absent: nothing was.
std::optional<double> meanOf(const std::vector<Activity::Step> &steps, std::int64_t ActivitySample::*value)
{
    double sum = 0;
    int seen = 0;
    for (const Activity::Step &step : steps) {
        if (!step.sample)
            continue;
        sum += double((*step.sample).*value);
        ++seen;
    }
    return seen > 0 ? std::optional(sum / seen) : std::nullopt;
}

} // namespace

std::optional<QString> changeText(double now, double before)
{
    if (before <= 0)
        return std::nullopt;
    const auto change = qRound64((now - before) * 100 / before);
    return DashboardTiles::tr("%1 %").arg(change == 0 ? QStringLiteral("±0") : signedText(change));
}

/// All that is shown at one time.
struct DashboardTiles::Shown {
    const Activity &activity;
    const Snapshot &snapshot;
    const DashboardRange &range;
    WallTime now;
    std::optional<WallTime> comparesWith;
    std::vector<Activity::Step> steps;
    std::vector<Activity::Step> before; // empty: it is not compared
    bool isLost = false; // nothing is seen now: what was counted last is of then

    /// Of the locks that are counted, so many are on servers that are lost.
    QString lostText(std::int64_t count, const std::optional<SeenLast> &seen) const
    {
        if (isLost)
            return DashboardTiles::tr("when it was last seen");
        if (seen)
            return DashboardTiles::tr("%1 of them as seen %2")
                .arg(countText(count),
                    agoText(seen->first, seen->last, snapshot.takenAt.mono + (now - snapshot.takenAt.wall)));
        return isAllSeen(snapshot) ? QString() : notAllSeenText();
    }
    static QString notAllSeenText() { return DashboardTiles::tr("not all servers are seen"); }

    QString compared(std::int64_t ActivitySample::*value) const
    {
        const auto mean = meanOf(steps, value);
        const auto was = meanOf(before, value);
        const auto change = mean && was ? changeText(*mean, *was) : std::nullopt;
        return change ? DashboardTiles::tr("mean %1").arg(*change) : QString();
    }

    /// The mean over what was seen of the range.
    QString mean(std::int64_t ActivityCounts::*count) const
    {
        const Millis counted = activity.seen(now - range.length, now);
        const auto sum = activity.sum(now - range.length, now).*count;
        if (counted < std::chrono::seconds(1))
            return {};
        QString text = DashboardTiles::tr("mean %1").arg(
            seenRateText(double(sum) * 1'000 / double(counted.count()), snapshot.status));
        if (comparesWith && counted >= range.length) {
            const auto was = activity.sum(now - 2 * range.length, now - range.length).*count;
            text = joinedNotes(text, changeText(double(sum), double(was)).value_or(QString()));
        }
        return text;
    }

    /// Where a recording begins, its events come after the figures of its first moment.
    QString lately(std::int64_t ActivityCounts::*count, double Rates::*recorded) const
    {
        const Millis seen = activity.seen(now - Lately, now);
        if (!isFresh(snapshot))
            return QStringLiteral("?");
        if (snapshot.status.recordedAt && seen < Lately)
            return latelyText(recorded, snapshot.status);
        return seen >= std::chrono::seconds(1) ? seenRateText(
                   double(activity.sum(now - Lately, now).*count) * 1'000 / double(seen.count()), snapshot.status)
                                               : QStringLiteral("?");
    }
};

DashboardTiles::DashboardTiles(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(TileSpacing);
    m_tiles = { buildTile(tr("Held"), Tone::Accent), buildTile(tr("Waiting"), Tone::Waiting),
        buildTile(tr("Acquires / s"), Tone::Accent), buildTile(tr("Renewals / s"), Tone::Fixed),
        buildTile(tr("Ran out unreleased"), Tone::Warning), buildTile(tr("Suspects"), Tone::Danger) };
    m_tiles[Held].card->setToolTip(plainToolTip(heldMeaning()));
    setInRow(TileCount);
}

DashboardTiles::Tile DashboardTiles::buildTile(const QString &title, Tone tone)
{
    Tile tile;
    tile.card = new QWidget(this);
    tile.card->setProperty("role", QStringLiteral("card"));
    tile.card->setAttribute(Qt::WA_StyledBackground);
    tile.figure = plainLabel(QStringLiteral("figure"), tile.card);
    tile.figure->setAccessibleName(title);
    tile.note = new ElidedLabel(QStringLiteral("statusLine"), tile.card);
    tile.curve = new Sparkline(m_theme, tone, tile.card);
    QLabel *name = plainLabel(QStringLiteral("section"), tile.card);
    name->setText(title);
    auto *layout = new QVBoxLayout(tile.card);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(2);
    layout->addWidget(name);
    layout->addWidget(tile.figure);
    layout->addWidget(tile.note);
    layout->addWidget(tile.curve);
    return tile;
}

void DashboardTiles::setInRow(int count)
{
    for (int i = 0; i < TileCount; ++i)
        m_grid->addWidget(m_tiles[static_cast<std::size_t>(i)].card, i / count, i % count);
    for (int column = 0; column < TileCount; ++column)
        m_grid->setColumnStretch(column, column < count ? 1 : 0);
}

template <typename ValueOf>
void DashboardTiles::fill(
    TileName name, const QString &figure, const QString &note, const Shown &shown, ValueOf valueOf)
{
    std::vector<std::optional<double>> values;
    for (const Activity::Step &each : shown.steps)
        values.push_back(valueOf(each));
    Tile &tile = m_tiles[name];
    tile.figure->setText(figure);
    tile.note->setText(note);
    tile.figure->setAccessibleDescription(note.isEmpty() ? figure : figure + QStringLiteral(", ") + note);
    tile.curve->setValues(std::move(values));
}

void DashboardTiles::show(const Activity &activity, const Snapshot &snapshot, const DashboardRange &range, WallTime now,
    std::optional<WallTime> comparesWith)
{
    Shown shown{ activity, snapshot, range, now, comparesWith, activity.steps(now, range.step, range.steps()), {},
        !isFresh(snapshot) };
    if (comparesWith)
        shown.before = activity.steps(now - range.length, range.step, range.steps());
    showCounts(shown);
    showRates(shown);
    showSuspects(shown);
}

QString DashboardTiles::waitingNote(const Shown &shown, const LockCounts &locks)
{
    const auto busiest = locks.busiest && !shown.isLost ? shown.snapshot.locks.find(*locks.busiest) : nullptr;
    const QString most = busiest
        ? tr("%1 at %2").arg(waitingText(*busiest, &shown.snapshot), lockNameText(*locks.busiest, 60))
        : QString();
    const QString ghosts
        = locks.ghosts > 0 ? tr("%1 ghosts", nullptr, pluralOf(locks.ghosts)).arg(countText(locks.ghosts)) : QString();
    return joinedNotes(joinedNotes(shown.lostText(locks.waitingLost, locks.waitingSeen), ghosts), most);
}

void DashboardTiles::showCounts(const Shown &shown)
{
    const LockCounts &locks = m_counter.count(shown.snapshot.locks, losses(shown.snapshot)); // as the table shows them
    const auto sampled = [](auto value) {
        return [value](const Activity::Step &each) {
            return each.sample ? std::optional<double>(double((*each.sample).*value)) : std::nullopt;
        };
    };
    const auto isSampled = [](const Activity::Step &each) { return each.sample.has_value(); };
    const auto first = std::ranges::find_if(shown.steps, isSampled);
    // At a moment of a recording nothing is known of how many there were before.
    const bool isWhole = areAllKnown(shown.snapshot);
    const bool isKnown = isWhole && std::ranges::count_if(shown.steps, isSampled) > 1;
    const QString change = !isKnown         ? QString()
        : locks.held == first->sample->held ? tr("no change")
                                            : tr("%1 in this range").arg(signedText(locks.held - first->sample->held));
    const QString lost = shown.lostText(locks.heldLost, locks.heldSeen);
    fill(Held, seenCountText(locks.held, isWhole),
        joinedNotes(lost.isEmpty() ? change : lost, shown.compared(&ActivitySample::held)), shown,
        sampled(&ActivitySample::held));
    fill(Waiting,
        waitingSumText(
            locks.waiting, !isWhole || !locks.allKnown, locks.atChannels > 0 && sharesChannels(shown.snapshot)),
        joinedNotes(waitingNote(shown, locks), shown.compared(&ActivitySample::waiting)), shown,
        sampled(&ActivitySample::waiting));
    setStyleProperty(*m_tiles[Waiting].figure, "tone", locks.waiting > 0 ? QStringLiteral("waiting") : QString());
}

QString DashboardTiles::lastExpiryText(const Shown &shown)
{
    const auto &last = shown.activity.lastExpiry();
    if (!last)
        return tr("none was seen");
    const QString text = last->certainty == Certainty::Seen ? tr("last %1 ago: %2") : tr("last, probably, %1 ago: %2");
    return text.arg(durationText(std::max(Millis(0), shown.now - last->at)), lockNameText(last->lock, 60));
}

void DashboardTiles::showRates(const Shown &shown)
{
    const auto counted = [step = shown.range.step](auto value) {
        return [value, step](const Activity::Step &each) {
            return each.isSeen ? std::optional<double>(double(each.counts.*value) / double(step.count()))
                               : std::nullopt;
        };
    };
    const auto fillRate = [&](TileName name, std::int64_t ActivityCounts::*count, double Rates::*recorded) {
        fill(name, shown.lately(count, recorded), shown.mean(count), shown, counted(count));
    };
    fillRate(Acquires, &ActivityCounts::acquires, &Rates::acquires);
    fillRate(Renewals, &ActivityCounts::renewals, &Rates::renewals);
    const auto length = shown.range.length;
    const WallTime end = shown.now + std::chrono::seconds(1); // with the second that runs: the note tells of it
    const ActivityCounts counts = shown.activity.sum(end - length, end);
    QString others;
    if (shown.comparesWith) {
        const auto before = shown.activity.sum(end - 2 * length, end - length).expiries;
        if (before > 0 || counts.expiries > 0)
            others = tr("%1 before").arg(countText(before));
    }
    if (counts.likelyExpiries > 0)
        others = joinedNotes(tr("and %1 probably").arg(countText(counts.likelyExpiries)), others);
    m_tiles[Expiries].note->setShorterTexts(others.isEmpty() ? QStringList() : QStringList{ others });
    const bool isCounted
        = counts.expiries > 0 || shown.activity.seen(shown.now - length, shown.now) >= std::chrono::seconds(1);
    fill(Expiries, isCounted ? countText(counts.expiries) : QStringLiteral("?"),
        joinedNotes(others, lastExpiryText(shown)), shown, counted(&ActivityCounts::expiries));
    setStyleProperty(*m_tiles[Expiries].figure, "tone",
        counts.expiries + counts.likelyExpiries > 0 ? QStringLiteral("warning") : QString());
}

void DashboardTiles::showSuspects(const Shown &shown)
{
    const auto &analysis = shown.snapshot.analysis;
    // What is lost is not judged: that nothing looks wrong would be made up.
    const bool isJudged = analysis && !shown.isLost;
    const auto suspects = isJudged ? foundCount(*analysis) : 0;
    const auto deadlocks = analysis ? static_cast<int>(analysis->graph->cycles.size()) : 0;
    const bool mayHide = lockcore::service::mayHideLocks(shown.snapshot.status);
    const bool isWhole = isAllSeen(shown.snapshot);
    const bool isOfNow = deadlocks == 0 || std::ranges::none_of(analysis->graph->cycles, [&](const WaitCycle &cycle) {
        return lostSince(shown.snapshot, cycle).has_value();
    });
    const QString found = tr("%n deadlocks (inferred)", nullptr, deadlocks);
    const QString note = deadlocks > 0 ? (isOfNow ? found : tr("%1, as last seen").arg(found))
        : shown.isLost                 ? tr("nothing is seen now")
        : !analysis                    ? tr("not looked for yet")
        : mayHide                      ? tr("not all locks are seen")
        : !isWhole                     ? Shown::notAllSeenText()
                                       : tr("no deadlock");
    // What was found is counted, and several things may be found of one lock.
    const auto locks = suspects > 0 ? std::ssize(needyLocks(*analysis)) : 0;
    const bool areAllListed = !analysis || analysis->moreSuspects == 0;
    const QString where
        = locks > 0 ? tr("at %1 locks", nullptr, pluralOf(locks)).arg(seenCountText(locks, areAllListed)) : QString();
    fill(Suspects, isJudged ? seenCountText(suspects, !mayHide && isWhole) : QStringLiteral("?"),
        joinedNotes(note, where), shown, [](const Activity::Step &each) {
            return each.sample && each.sample->suspects ? std::optional<double>(double(*each.sample->suspects))
                                                        : std::nullopt;
        });
    setStyleProperty(*m_tiles[Suspects].figure, "tone", suspects > 0 ? QStringLiteral("danger") : QString());
}

} // namespace lockui
