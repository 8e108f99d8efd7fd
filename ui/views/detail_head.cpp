// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_head.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/lock_tone.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/look_alikes.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

QString toneName(Lease lease)
{
    switch (lease) {
    case Lease::Watchdog:
        return QStringLiteral("accent");
    case Lease::Fixed:
        return QStringLiteral("fixed");
    case Lease::Unknown:
        return {};
    }
    return {};
}

} // namespace

DetailHead::DetailHead(const ViewClock &clock, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_title(new ElidedLabel(QStringLiteral("lockTitle"), this))
    , m_kindPill(plainLabel(QStringLiteral("pill"), this))
    , m_leasePill(plainLabel(QStringLiteral("pill"), this))
    , m_quorumPill(plainLabel(QStringLiteral("pill"), this))
    , m_hiddenPill(plainLabel(QStringLiteral("pill"), this))
    , m_read(plainLabel(QStringLiteral("muted"), this))
    , m_where(new ElidedLabel(QStringLiteral("mutedLine"), this))
    , m_copy(new QPushButton(tr("Copy"), this))
    , m_copyAs(new QToolButton(this))
    , m_renew(new QPushButton(tr("Renew…"), this))
    , m_forceRelease(new QPushButton(tr("Force release…"), this))
    , m_return(new QPushButton(tr("Return a permit…"), this))
{
    m_title->setElideMode(Qt::ElideMiddle);
    m_hiddenPill->setText(tr("hidden by the filter"));
    setStyleProperty(*m_hiddenPill, "tone", QStringLiteral("warning"));
    m_hiddenPill->hide();
    m_copy->setToolTip(
        tr("Copies the whole name; control characters and bytes that are no text as they are shown here"));
    m_forceRelease->setProperty("role", QStringLiteral("danger"));
    connect(m_copy, &QPushButton::clicked, this, &DetailHead::copyRequested);
    connect(m_renew, &QPushButton::clicked, this, &DetailHead::renewRequested);
    connect(m_forceRelease, &QPushButton::clicked, this, &DetailHead::forceReleaseRequested);
    connect(m_return, &QPushButton::clicked, this, &DetailHead::returnRequested);
    // A shortcut of the button itself would press it only a moment later, when another lock may be shown.
    auto *key = new QShortcut(Qt::CTRL | Qt::Key_Delete, this);
    connect(key, &QShortcut::activated, this, &DetailHead::releaseByKey);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addSpacing(4);
    for (QLabel *pill : { m_kindPill, m_leasePill, m_quorumPill, m_hiddenPill })
        layout->addWidget(pill, 0, Qt::AlignVCenter);
    layout->addSpacing(4);
    layout->addWidget(m_read);
    layout->addWidget(m_where, 1);
    layout->addWidget(m_copy);
    layout->addWidget(m_copyAs);
    for (QPushButton *button : { m_renew, m_return, m_forceRelease })
        layout->addWidget(button);
}

void DetailHead::setHidden(bool hidden) { m_hiddenPill->setVisible(hidden); }

void DetailHead::show(
    const LockState &lock, const std::optional<LockEnd> &end, const std::optional<lockcore::MonoTime> &lostSince)
{
    m_title->setExplanation(lookAlikeText(lock.name));
    m_title->setText(lockNameText(lock.name));
    // By the real time: what is shown stands still while stale or paused, and grows old.
    m_read->setText(knownSinceText(lock, m_clock, lostSince));
    m_read->setVisible(!end);
    showPills(lock, end.has_value());
    if (end) {
        m_where->setText(endedText(*end));
        return;
    }
    const QString slot = m_inCluster ? tr("slot %1 · ").arg(countText(lock.slot)) : QString();
    m_where->setText(QString(QStringLiteral("· ") + slot + whereText(lock)));
}

/// In words, with the last that was seen of it below.
QString DetailHead::endedText(const LockEnd &end) const
{
    const QString at = clockText(m_clock.wallAt(end.at), m_clock.wallAt(m_clock.realNow()));
    const QString ago = agoText(end.at, m_clock.realNow());
    if (end.how && end.upheaval)
        return tr("%1, right after: %2, at %3 · %4").arg(endText(*end.how, m_names), eventText(*end.upheaval), at, ago);
    return end.how ? tr("%1, at %2 · %3").arg(endText(*end.how, m_names), at, ago)
                   : tr("gone at %1 at the latest, %2; how it ended was not seen").arg(at, ago);
}

void DetailHead::showPills(const LockState &lock, bool isGone)
{
    m_kindPill->setText((m_isNarrow ? kindText(lock.kind) : kindText(lock)).toLower());
    m_kindPill->setToolTip(kindText(lock));
    showQuorum(lock, isGone);
    setStyleProperty(*m_kindPill, "tone", lock.kind == Kind::Fair ? QStringLiteral("waiting") : QString());
    m_leasePill->setVisible(isGone || !isCounter(lock.kind)); // a counter is neither free nor leased as a whole
    if (isGone || isFree(lock)) {
        m_leasePill->setText(isGone ? tr("gone") : tr("free"));
        m_leasePill->setToolTip({});
        setStyleProperty(*m_leasePill, "tone", isGone ? QStringLiteral("warning") : QStringLiteral("good"));
        return;
    }
    const QString proof = leaseProof(lock);
    m_leasePill->setToolTip(proof);
    m_leasePill->setText(!m_isNarrow       ? proof
            : lock.lease == Lease::Unknown ? tr("lease unknown")
                                           : leaseText(lock.lease));
    setStyleProperty(*m_leasePill, "tone", toneName(lock.lease));
}

void DetailHead::showQuorum(const LockState &lock, bool isGone)
{
    const auto &quorum = lock.quorum;
    m_quorumPill->setVisible(quorum && !isGone && !isFree(lock));
    if (!quorum)
        return;
    m_quorumPill->setText(quorumText(*quorum));
    m_quorumPill->setToolTip(quorumMeaning(lock));
    setStyleProperty(
        *m_quorumPill, "tone", toneOf(*quorum) == Tone::Good ? QStringLiteral("good") : QStringLiteral("warning"));
}

void DetailHead::showActions(const LockState *lock, const QString &whyNot, bool permitChosen)
{
    const bool counts = lock && isCounter(lock->kind);
    const bool held = lock && !isFree(*lock);
    const bool hasPermits = lock && lock->permits && !lock->permits->leases.empty();
    const QString nobody = tr("Nobody holds it.");
    m_renew->setVisible(!counts); // a counter has no holder and no time to live
    m_forceRelease->setVisible(!counts);
    m_return->setVisible(hasPermits);
    m_renew->setEnabled(held && whyNot.isEmpty());
    m_renew->setToolTip(!whyNot.isEmpty() ? whyNot
            : held ? tr("Renews it for a time that you choose, while it is held by whom you see here")
                   : nobody);
    m_forceRelease->setEnabled(held && whyNot.isEmpty());
    m_forceRelease->setToolTip(!whyNot.isEmpty() ? whyNot
            : held                               ? tr("Frees the lock if it is still held by whom you see here")
                                                 : nobody);
    m_return->setEnabled(hasPermits && permitChosen && whyNot.isEmpty());
    m_return->setToolTip(!whyNot.isEmpty() ? whyNot
            : permitChosen
            ? tr("Gives the chosen permit back in place of whoever has it, if it is still out as you see it")
            : tr("Choose a permit in the list first."));
}

/// Where that cannot be, the key says why.
void DetailHead::releaseByKey()
{
    if (m_forceRelease->isEnabled() && !m_forceRelease->isHidden())
        return m_forceRelease->click();
    const QString why = m_forceRelease->isHidden()
        ? tr("It is not held by anybody as a whole: there is nothing to force-release.")
        : m_forceRelease->toolTip();
    QToolTip::showText(mapToGlobal(QPoint(width() / 2, height())), plainToolTip(why), this);
}

void DetailHead::sayCopied()
{
    constexpr std::chrono::milliseconds Seen{ 1'500 };
    m_copy->setText(tr("Copied"));
    QTimer::singleShot(Seen, m_copy, [this] { m_copy->setText(tr("Copy")); });
}

} // namespace lockui
