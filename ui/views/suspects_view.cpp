// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/suspects_view.h"

#include "ui/models/wait_groups.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/suspect_text.h"

#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

/// In a low window the queue and who holds it come first.
qsizetype mostLines(const QWidget &view)
{
    constexpr int LowWindow = 850;
    return view.window()->height() < LowWindow ? 1 : 3;
}

} // namespace

SuspectsView::SuspectsView(QWidget *parent)
    : QWidget(parent)
    , m_suspects(new BulletList(QStringLiteral("small"), this, QStringLiteral("warning")))
    , m_figures(new ElidedLabel(QStringLiteral("mutedLine"), this))
{
    m_suspects->setAccessibleName(tr("Suspects"));
    setCountedSince({});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_suspects);
    layout->addWidget(m_figures);
    // A lock has no figures for a moment when it comes, and none once it has ended: what is below stays where it is.
    for (QWidget *part : std::initializer_list<QWidget *>{ m_figures, this }) {
        QSizePolicy keepsRoom = part->sizePolicy();
        keepsRoom.setRetainSizeWhenHidden(true);
        part->setSizePolicy(keepsRoom);
    }
}

void SuspectsView::setCountedSince(const QString &moment)
{
    m_countedSince = moment;
    m_figures->setExplanation(
        (moment.isEmpty() ? tr("What was seen since the connection was opened")
                          : tr("What the recording tells from %1 on, and not what was before").arg(moment))
        + QStringLiteral(". ")
        + tr("A hold is measured when its beginning was seen, also where it is only concluded how it ended; a queued "
             "wait when its beginning and end were both seen. Only fair locks tell who waits."));
}

namespace {

/// The gravest first, and of waiters the one who is next: nobody gets past it.
std::vector<Suspect> inOrder(std::vector<Suspect> suspects, const LockState *seen)
{
    const auto placeOf = [seen](const Suspect &suspect) {
        std::size_t place = 0;
        if (seen != nullptr)
            for (const Waiter &waiter : seen->waiters) {
                if (toString(waiter.owner) == suspect.subject)
                    break;
                ++place;
            }
        return place;
    };
    std::ranges::stable_sort(suspects, [&](const Suspect &a, const Suspect &b) {
        return a.kind != b.kind ? a.kind < b.kind : placeOf(a) < placeOf(b);
    });
    return suspects;
}

} // namespace

void SuspectsView::show(const Analysis *analysis, const LockName &lock, const LockInSight &seen)
{
    QStringList lines;
    std::optional<Figures> figures;
    if (analysis != nullptr) {
        for (const Suspect &suspect : inOrder(suspectsOf(*analysis, lock), seen.lock))
            lines << BulletList::warning(
                suspectTitle(suspect.kind) + QStringLiteral(" – ") + suspectText(suspect, m_names));
        if (lines.isEmpty() && analysis->moreSuspects > 0)
            lines << tr("Whether something looks wrong with it is not known: so much does that only the gravest is "
                        "listed.");
        if (const LockStatistics *numbers = statisticsOf(*analysis, lock))
            figures = Figures{ *numbers, analysis->at, numbers->blocked, MonoTime::min() };
    }
    const bool isSame = figures && m_shown && m_shown->numbers.lock == lock && m_shown->countedAt == figures->countedAt;
    if (isSame) {
        figures->waited = m_shown->waited;
        figures->seenUntil = m_shown->seenUntil;
    }
    m_shown = std::move(figures);
    m_suspects->setToolTip(plainToolTip(lines.join(QLatin1Char('\n'))));
    if (const auto most = mostLines(*this); lines.size() > most) {
        const QString more = tr("and %1 more").arg(countText(lines.size() - most));
        lines = lines.first(most);
        lines.last() += QStringLiteral("  · ") + more;
    }
    m_suspects->setText(lines.join(QLatin1Char('\n')));
    m_suspects->setVisible(!lines.isEmpty());
    refresh(seen);
}

void SuspectsView::refresh(const LockInSight &seen)
{
    QStringList texts;
    if (m_shown) {
        auto numbers = m_shown->numbers;
        const Millis waited = waitedInAll(numbers, m_shown->countedAt, seen.lock, seen.until);
        const MonoTime before = std::max(m_shown->seenUntil, numbers.blockedUntil.value_or(MonoTime::min()));
        const bool wasLostBefore = seen.lock != nullptr && seen.until < before;
        m_shown->waited = wasLostBefore ? waited : std::max(m_shown->waited, waited);
        if (seen.lock != nullptr)
            m_shown->seenUntil = seen.until;
        numbers.blocked = m_shown->waited;
        if (!seen.tellsOfRenewals)
            numbers.renewalGapMean = Millis(0);
        texts = statisticsTexts(numbers);
    }
    if (!texts.isEmpty() && !m_countedSince.isEmpty()) // a chart beside it may show what was before
        texts.first()
            = tr("since %1: %2", "a moment, and what was counted since then").arg(m_countedSince, texts.first());
    const QString between = QStringLiteral(" · ");
    m_figures->setText(texts.join(between));
    m_figures->setVisible(!texts.isEmpty());
    QStringList shorter; // a figure that is cut would be another one
    while (texts.size() > 1) {
        texts.removeLast();
        shorter << texts.join(between);
    }
    m_figures->setShorterTexts(shorter);
    setVisible(!m_suspects->isHidden() || !m_figures->isHidden());
    if (isHidden()) // the layout of what is hidden stays as it was, and the room that is kept with it
        layout()->activate();
}

} // namespace lockui
