// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/hand_bar.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/models/contender_text.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockui {

using lab::ClientPhase;
using lab::ContenderState;
using lab::HandAct;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::LockVariant;

namespace {

/// Nothing moves under the pointer when it says something else.
void keepRoomFor(QPushButton &button, const QStringList &texts)
{
    for (const QString &text : texts) {
        button.setText(text);
        button.ensurePolished();
        button.setMinimumWidth(std::max(button.minimumWidth(), button.sizeHint().width()));
    }
}

/// Nothing has become of it meanwhile that a person would call another state.
bool isAsBefore(const ContenderState &before, const ContenderState &now)
{
    const auto stateOf = [](const ContenderState &client) {
        return std::tie(client.id, client.phase, client.since, client.mode, client.holds, client.waitsForMore,
            client.hasLostIt, client.isPaused, client.isByHand, client.isLeaving);
    };
    return stateOf(before) == stateOf(now);
}

} // namespace

HandBar::HandBar(QWidget *parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(QStringLiteral("mutedLine"), this))
{
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("One client by hand"));
    const auto always = [](HandAct act) { return [act](const ContenderState &) { return act; }; };
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 12, 6);
    layout->setSpacing(6);
    layout->addWidget(m_title, 1);
    m_takeOver = newAct(*layout, {}, tr("In your hand a client does only what you tell it; left to itself it goes on"),
        [](const ContenderState &client) { return client.isByHand ? HandAct::LetGo : HandAct::Take; });
    m_lock
        = newAct(*layout, {}, {}, [this](const ContenderState &) { return waits() ? HandAct::GiveUp : HandAct::Lock; });
    m_lockToRead = newAct(*layout, tr("Read lock"), {}, always(HandAct::LockToRead));
    m_unlock = newAct(*layout, tr("Unlock"), {}, always(HandAct::Unlock));
    m_renew = newAct(*layout, tr("Renew"), {}, always(HandAct::Renew));
    m_countDown = newAct(*layout, tr("Count down"), {}, always(HandAct::CountDown));
    m_pause = newAct(*layout, {},
        tr("Its process stands still (SIGSTOP), and its watchdog with it, as in a long pause of a garbage collector"),
        [](const ContenderState &client) { return client.isPaused ? HandAct::Resume : HandAct::Pause; });
    m_crash = newAct(*layout, {}, {}, [](const ContenderState &client) {
        return client.phase == ClientPhase::Crashed ? HandAct::Start : HandAct::Crash;
    });
    keepRoomFor(*m_takeOver, { tr("Take by the hand"), tr("Let it go on") });
    keepRoomFor(*m_lock, { tr("Lock"), tr("Lock again"), tr("Give up"), tr("Write lock"), tr("Wait for it") });
    keepRoomFor(*m_pause, { tr("Stand still"), tr("Go on") });
    keepRoomFor(*m_crash, { tr("Crash"), tr("Start again") });
    setSubject({});
}

QPushButton *HandBar::newAct(QHBoxLayout &layout, const QString &text, const QString &toolTip,
    std::function<HandAct(const ContenderState &client)> act)
{
    auto *button = new QPushButton(text, this);
    button->setToolTip(plainToolTip(toolTip));
    connect(button, &QPushButton::clicked, this, [this, act = std::move(act)] {
        if (!m_subject.client)
            return;
        forgetSaid();
        Q_EMIT actRequested(act(*m_subject.client));
    });
    layout.addWidget(button);
    m_presses[button] = new PressGuard({ button }, this);
    return button;
}

/// A notice that comes or goes below moves them under the pointer.
void HandBar::moveEvent(QMoveEvent *event)
{
    QWidget::moveEvent(event);
    for (const auto &[button, presses] : m_presses)
        presses->begin();
}

void HandBar::setText(QPushButton &button, const QString &text)
{
    if (!m_isOther && text != button.text())
        m_presses.at(&button)->begin();
    button.setText(text);
}

void HandBar::setSubject(const Subject &subject)
{
    m_isOther = !m_subject.client || !subject.client || m_subject.client->name != subject.client->name
        || m_subject.group.id != subject.group.id;
    m_subject = subject;
    const auto &client = m_subject.client;
    if (m_said && isOfSubject(*m_said) && !isAsBefore(m_said->client, *client))
        m_said.reset();
    const bool isAlive = client && client->isAlive();
    const bool holds = isAwake() && client->phase == ClientPhase::Holding;
    const Kind kind = m_subject.group.kind;
    const bool isLatch = kind == Kind::CountDownLatch;
    setText(*m_takeOver, client && client->isByHand ? tr("Let it go on") : tr("Take by the hand"));
    enableSafely(*m_takeOver, isAlive && !client->isLeaving, *this);
    showSafely(*m_takeOver, !m_subject.group.byHand, *this);
    showLock();
    showSafely(*m_lockToRead, kind == Kind::ReadWrite, *this);
    offer(*m_lockToRead, m_lock->isEnabled() && !waits(), tr("Beside other readers"));
    showSafely(*m_unlock, !isLatch, *this);
    offer(*m_unlock, holds, tr("Gives one hold back"));
    showSafely(*m_renew, !isCounter(kind), *this);
    offer(*m_renew, holds, tr("Sets its time to live back to the lease, or to that of the watchdog"));
    showSafely(*m_countDown, isLatch, *this);
    offer(*m_countDown, isAwake(), tr("By one; at zero the latch opens for all who wait"));
    setText(*m_pause, client && client->isPaused ? tr("Go on") : tr("Stand still"));
    enableSafely(*m_pause, isAlive, *this);
    showCrash();
    showTitle();
}

void HandBar::setSaid(const lab::HandOutcome &outcome, const ContenderState &client)
{
    m_said = Said{ outcome.group, client, handText(outcome) };
    showTitle();
}

void HandBar::forgetSaid()
{
    m_said.reset();
    showTitle();
}

bool HandBar::isOfSubject(const Said &said) const
{
    return m_subject.client && m_subject.client->name == said.client.name && m_subject.group.id == said.group;
}

bool HandBar::isAwake() const { return m_subject.client && m_subject.client->isAwake(); }

bool HandBar::waits() const
{
    return isAwake() && (m_subject.client->phase == ClientPhase::Waiting || m_subject.client->waitsForMore);
}

/// What needs the server would be done at any later time when that is back.
void HandBar::offer(QPushButton &button, bool can, const QString &toolTip)
{
    const bool isAnswered = !m_subject.client || !m_subject.client->unansweredSince;
    enableSafely(button, can && isAnswered, *this);
    button.setToolTip(plainToolTip(isAnswered ? toolTip : unansweredText()));
}

void HandBar::showLock()
{
    const lab::GroupSettings &group = m_subject.group;
    const bool holds = isAwake() && m_subject.client->phase == ClientPhase::Holding;
    const bool isOnce = group.variant == LockVariant::NonReentrant || isTokenLock(group.kind);
    const bool isFree = isAwake() && m_subject.client->phase == ClientPhase::Thinking;
    QString text = holds && !isSemaphore(group.kind) ? tr("Lock again") : tr("Lock");
    QString toolTip = tr("Takes the lock, or waits for it; once more by its holder: re-entry");
    if (group.kind == Kind::ReadWrite)
        text = tr("Write lock");
    if (group.kind == Kind::CountDownLatch) {
        text = tr("Wait for it");
        toolTip = tr("Until it is counted down to zero");
    }
    if (waits()) {
        text = tr("Give up");
        toolTip = tr("Waits no longer, and leaves the queue");
    }
    setText(*m_lock, text);
    if (waits()) {
        m_lock->setToolTip(plainToolTip(toolTip));
        return enableSafely(*m_lock, true, *this);
    }
    offer(*m_lock, isFree || (holds && !isOnce), toolTip);
}

void HandBar::showCrash()
{
    const auto &client = m_subject.client;
    const bool isDead = client && client->phase == ClientPhase::Crashed;
    const bool isTooMuch = client && m_subject.isOfOthers && losesPermits(m_subject.group, *client);
    setText(*m_crash, isDead ? tr("Start again") : tr("Crash"));
    enableSafely(*m_crash, isDead || (client && client->phase != ClientPhase::Starting && !isTooMuch), *this);
    m_crash->setToolTip(
        plainToolTip(isTooMuch ? tr("A permit of this semaphore would be lost for good: nobody would ever give it back")
                               : tr("Its process is killed (kill -9): nothing is given back")));
    setStyleProperty(*m_crash, "role", isDead ? QString() : QStringLiteral("danger"));
}

void HandBar::showTitle()
{
    const auto &client = m_subject.client;
    const bool isLed = m_subject.group.byHand.has_value();
    if (!client && !m_subject.isRunning)
        return m_title->setText(tr("Nothing runs."));
    if (!client)
        return m_title->setText(
            isLed ? tr("Choose a client to lead it.") : tr("Choose a client to take it by the hand."));
    const QString title = (client->isByHand && !isLed ? tr("Client %1, %2, in your hand: %3") : tr("Client %1, %2: %3"))
                              .arg(displayText(client->name), m_subject.title, phaseText(*client, m_subject.now));
    QStringList parts{ title };
    if (m_said && isOfSubject(*m_said))
        parts << m_said->text;
    if (const QString replaced = replacedText(*client); !replaced.isEmpty())
        parts << replaced;
    m_title->setText(parts.join(QStringLiteral("   ·   ")));
}

} // namespace lockui
