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

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

constexpr int Gap = 6;
constexpr int LeastLetters = 5; // of what it is, where there is no room

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
    , m_buttons(new QWidget(this))
{
    m_title->setElideMode(Qt::ElideMiddle);
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

    for (QLabel *pill : { m_kindPill, m_leasePill, m_quorumPill, m_hiddenPill })
        m_pills.push_back({ pill, {}, {} });
    setPill(*m_hiddenPill, tr("hidden by the filter"), {});
    auto *buttons = new QHBoxLayout(m_buttons);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->setSpacing(Gap);
    for (QWidget *button : std::initializer_list<QWidget *>{ m_copy, m_copyAs, m_renew, m_return, m_forceRelease })
        buttons->addWidget(button);
    m_line = new QHBoxLayout;
    m_line->setSpacing(Gap);
    m_line->addWidget(m_title);
    for (const Pill &pill : m_pills)
        m_line->addWidget(pill.label, 0, Qt::AlignVCenter);
    m_line->addWidget(m_read);
    m_where->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // what the others leave
    m_line->addWidget(m_where, 1);
    m_line->addWidget(m_buttons);
    m_lineBelow = new QHBoxLayout;
    m_lineBelow->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_line);
    layout->addLayout(m_lineBelow);
}

void DetailHead::setPill(QLabel &label, const QString &text, const QString &tip)
{
    const auto pill = std::ranges::find(m_pills, &label, &Pill::label);
    pill->text = text;
    pill->tip = tip;
}

void DetailHead::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

bool DetailHead::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        arrange();
    return QWidget::event(event);
}

/// With what stands beside it.
int DetailHead::widthOf(const Pill &pill, const QString &text) const
{
    if (pill.label->isHidden())
        return 0;
    pill.label->ensurePolished();
    const QFontMetrics metrics = pill.label->fontMetrics();
    const int around = pill.label->sizeHint().width() - metrics.horizontalAdvance(pill.label->text());
    return around + metrics.horizontalAdvance(text) + Gap;
}

/// A word stays whole, and why nothing can be done to the lock.
QString DetailHead::cut(const Pill &pill, int by) const
{
    if (by <= 0 || pill.text.size() <= LeastLetters || pill.label == m_hiddenPill)
        return pill.text;
    const QFontMetrics metrics = pill.label->fontMetrics();
    const int least = LeastLetters * metrics.averageCharWidth();
    return metrics.elidedText(pill.text, Qt::ElideRight, std::max(metrics.horizontalAdvance(pill.text) - by, least));
}

void DetailHead::arrange()
{
    constexpr int All = 1'000'000;
    m_readRoom = m_read->isHidden() ? 0 : std::max(m_readRoom, m_read->sizeHint().width() + Gap);
    const int others = m_title->sizeHint().width() + m_readRoom + m_where->minimumSizeHint().width() + Gap;
    const int beside = m_buttons->sizeHint().width() + Gap;
    int whole = 0;
    int least = 0;
    for (const Pill &pill : m_pills) {
        whole += widthOf(pill, pill.text);
        least += widthOf(pill, cut(pill, All));
    }
    const bool areBelow = others + least + beside > width();
    int over = whole - (width() - others - (areBelow ? 0 : beside));
    for (auto pill = m_pills.rbegin(); pill != m_pills.rend(); ++pill) {
        const QString text = cut(*pill, over);
        over -= widthOf(*pill, pill->text) - widthOf(*pill, text);
        if (text != pill->label->text()) // else the layout would be due again, and again
            pill->label->setText(text);
        pill->label->setToolTip(pill->tip.isEmpty() && text != pill->text ? plainToolTip(pill->text) : pill->tip);
    }
    setButtonsBelow(areBelow);
}

void DetailHead::setButtonsBelow(bool areBelow)
{
    QHBoxLayout &line = areBelow ? *m_lineBelow : *m_line;
    if (line.indexOf(m_buttons) >= 0)
        return;
    (areBelow ? m_line : m_lineBelow)->removeWidget(m_buttons);
    line.addWidget(m_buttons);
}

void DetailHead::setHidden(bool hidden) { m_hiddenPill->setVisible(hidden); }

void DetailHead::show(
    const LockState &lock, const std::optional<LockEnd> &end, const std::optional<lockcore::MonoTime> &lostSince)
{
    m_title->setExplanation(lookAlikeText(lock.name));
    if (const QString name = lockNameText(lock.name); name != m_title->text()) {
        m_title->setText(name);
        m_readRoom = 0;
    }
    // By the real time: what is shown stands still while stale or paused, and grows old.
    m_read->setText(knownSinceText(lock, m_clock, lostSince));
    m_read->setVisible(!end);
    showPills(lock, end.has_value());
    const QString slot = m_inCluster ? tr("slot %1 · ").arg(countText(lock.slot)) : QString();
    m_where->setText(end ? endedText(*end) : QString(QStringLiteral("· ") + slot + whereText(lock)));
    QStringList said{ m_title->text(), m_read->isHidden() ? QString() : m_read->text(), m_where->text() };
    for (const Pill &pill : m_pills)
        said << (pill.label->isHidden() ? QString() : pill.text) << pill.tip;
    if (std::exchange(m_said, said) != said) // at each tick, the same is said nearly always
        arrange();
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
    setPill(*m_kindPill, (m_isNarrow ? kindText(lock.kind) : kindText(lock)).toLower(), kindText(lock));
    showQuorum(lock, isGone);
    setStyleProperty(*m_kindPill, "tone", lock.kind == Kind::Fair ? QStringLiteral("waiting") : QString());
    m_leasePill->setVisible(isGone || !isCounter(lock.kind)); // a counter is neither free nor leased as a whole
    if (isGone || isFree(lock)) {
        setPill(*m_leasePill, isGone ? tr("gone") : tr("free"), {});
        setStyleProperty(*m_leasePill, "tone", isGone ? QStringLiteral("warning") : QStringLiteral("good"));
        return;
    }
    const QString proof = leaseProof(lock);
    const QString shorter = lock.lease == Lease::Unknown ? tr("lease unknown") : leaseText(lock.lease);
    setPill(*m_leasePill, m_isNarrow ? shorter : proof, proof);
    setStyleProperty(*m_leasePill, "tone", toneName(lock.lease));
}

void DetailHead::showQuorum(const LockState &lock, bool isGone)
{
    const auto &quorum = lock.quorum;
    m_quorumPill->setVisible(quorum && !isGone && !isFree(lock));
    if (!quorum)
        return;
    setPill(*m_quorumPill, quorumText(*quorum), quorumMeaning(lock));
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
