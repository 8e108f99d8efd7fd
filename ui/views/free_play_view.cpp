// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_view.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/models/contender_text.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/views/empty_state.h"
#include "ui/views/free_play_card.h"
#include "ui/views/free_play_knobs.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockui {

namespace {

constexpr int SideWidth = 268;

/// A narrow window does not get wider for it.
QScrollArea *scrolling(QWidget *content)
{
    content->setProperty("role", QStringLiteral("page"));
    content->setAttribute(Qt::WA_StyledBackground);
    auto *scroll = new QScrollArea(content->parentWidget());
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    return scroll;
}

} // namespace

using lab::ClientPhase;
using lab::ContenderState;
using lab::FreePlayPhase;
using lab::FreePlayState;
using lab::GroupId;
using lab::GroupSettings;
using lab::GroupState;
using lab::HandAct;

FreePlayView::FreePlayView(const Theme &theme, const ViewClock &clock, MakeFreePlay make, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_make(std::move(make))
    , m_preset(new QComboBox(this))
    , m_startStop(new QPushButton(this))
    , m_add(new QToolButton(this))
    , m_watch(new QPushButton(tr("Watch in the window"), this))
    , m_note(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_knobs(new FreePlayKnobs(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_body(new QWidget(this))
    , m_cardLine(new QHBoxLayout)
    , m_hand(nullptr)
{
    setProperty("role", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    m_hand = buildHand();
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(8, 8, 8, 8);
    body->setSpacing(8);
    body->addWidget(buildCards(), 1);
    m_stack->addWidget(scrolling(m_empty));
    m_stack->addWidget(m_body);

    auto *side = new QScrollArea(this);
    side->setFrameShape(QFrame::NoFrame);
    side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->setWidgetResizable(true);
    side->setFocusPolicy(Qt::NoFocus);
    side->setFixedWidth(SideWidth);
    side->setWidget(m_knobs);
    auto *across = new QHBoxLayout;
    across->setSpacing(0);
    across->addWidget(side);
    across->addWidget(m_stack, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addLayout(across, 1);
    layout->addWidget(m_hand);

    connect(m_knobs, &FreePlayKnobs::changed, this, &FreePlayView::turned);
    connect(m_empty, &EmptyState::primaryChosen, this, &FreePlayView::start);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
        for (std::size_t i = 0; now != nullptr && i < m_cards.size(); ++i) {
            if (m_cards[i] == now || m_cards[i]->isAncestorOf(now))
                chooseGroup(i);
        }
    });
    setFocusProxy(m_startStop);
    take(m_presets.front());
}

/// The window tells of the focus that its parts lose as they go.
FreePlayView::~FreePlayView() { qApp->disconnect(this); }

QWidget *FreePlayView::buildHead()
{
    auto *head = new QWidget(this);
    head->setProperty("role", QStringLiteral("bar"));
    head->setAttribute(Qt::WA_StyledBackground);
    for (const FreePlayPreset &preset : m_presets) {
        m_preset->addItem(preset.title);
        m_preset->setItemData(m_preset->count() - 1, plainToolTip(preset.about), Qt::ToolTipRole);
    }
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(14);
    m_preset->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_preset->setMaximumWidth(260);
    m_preset->setAccessibleName(tr("What to begin with"));
    connect(
        m_preset, &QComboBox::activated, this, [this](int index) { take(m_presets[static_cast<std::size_t>(index)]); });
    connect(m_startStop, &QPushButton::clicked, this, [this] {
        if (m_phase == FreePlayPhase::Stopped)
            start();
        else
            stop();
    });
    m_add->setText(tr("Add a group"));
    m_add->setProperty("role", QStringLiteral("button"));
    m_add->setToolTip(plainToolTip(
        tr("One more beside the others, with the knobs as they are; up to %1 in all").arg(lab::MostGroups)));
    connect(m_add, &QToolButton::clicked, this, &FreePlayView::addGroup);
    m_watch->setToolTip(
        plainToolTip(tr("Connects the window to the private server, read-only, until it stops: its locks, "
                        "timeline and dashboard are then those of the players")));
    connect(m_watch, &QPushButton::clicked, this, [this] {
        if (const auto server = lockcore::transport::parseDeployment(m_shown->server))
            Q_EMIT watchRequested(*server);
    });
    m_note->setElideMode(Qt::ElideMiddle);
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(14, 5, 12, 5);
    layout->setSpacing(8);
    layout->addWidget(m_preset, 2);
    layout->addWidget(m_startStop);
    layout->addWidget(m_add);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_watch);
    return head;
}

/// Beside each other as long as there is room; a narrow window scrolls.
QWidget *FreePlayView::buildCards()
{
    auto *cards = new QWidget(this);
    m_cardLine->setContentsMargins(0, 0, 0, 0);
    m_cardLine->setSpacing(8);
    cards->setLayout(m_cardLine);
    return scrolling(cards);
}

QWidget *FreePlayView::buildHand()
{
    auto *bar = new QWidget(this);
    bar->setProperty("role", QStringLiteral("strip"));
    bar->setAttribute(Qt::WA_StyledBackground);
    bar->setAccessibleName(tr("One client by hand"));
    m_handTitle = new ElidedLabel(QStringLiteral("mutedLine"), bar);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(14, 6, 12, 6);
    layout->setSpacing(6);
    layout->addWidget(m_handTitle, 1);
    m_takeOver = newAct(*layout, {}, tr("In your hand a client does only what you tell it; left to itself it goes on"),
        [this] { return chosenClient()->isByHand ? HandAct::LetGo : HandAct::Take; });
    m_lock = newAct(*layout, {}, tr("Takes the lock, or waits for it; once more by its holder: re-entry"),
        [] { return HandAct::Lock; });
    m_lockToRead = newAct(*layout, tr("Read lock"), tr("Beside other readers"), [] { return HandAct::LockToRead; });
    m_unlock = newAct(*layout, tr("Unlock"), tr("Gives one hold back"), [] { return HandAct::Unlock; });
    m_pause = newAct(*layout, {},
        tr("Its process stands still (SIGSTOP), and its watchdog with it, as in a long pause "
           "of a garbage collector"),
        [this] { return chosenClient()->isPaused ? HandAct::Resume : HandAct::Pause; });
    m_crash = newAct(*layout, {}, tr("Its process is killed (kill -9): nothing is given back"),
        [this] { return chosenClient()->phase == ClientPhase::Crashed ? HandAct::Start : HandAct::Crash; });
    return bar;
}

QPushButton *FreePlayView::newAct(
    QHBoxLayout &layout, const QString &text, const QString &toolTip, std::function<HandAct()> act)
{
    auto *button = new QPushButton(text, this);
    button->setToolTip(plainToolTip(toolTip));
    connect(button, &QPushButton::clicked, this, [this, act = std::move(act)] {
        if (chosenClient() != nullptr)
            actOnChosen(act());
    });
    layout.addWidget(button);
    return button;
}

bool FreePlayView::isRunning() const { return m_phase != FreePlayPhase::Stopped; }

void FreePlayView::start()
{
    if (!m_play) {
        m_play = m_make();
        connect(m_play.get(), &lab::FreePlay::stateChanged, this, &FreePlayView::setState);
        connect(m_play.get(), &lab::FreePlay::failed, this, &FreePlayView::setError);
        connect(m_play.get(), &lab::FreePlay::acted, this, [this](const lab::HandOutcome &outcome) {
            m_handSaid = handText(outcome);
            showHand();
        });
    }
    setPhase(FreePlayPhase::Starting);
    m_handSaid.clear();
    m_shown.reset();
    m_play->start(m_groups);
    showGroups();
}

void FreePlayView::stop()
{
    if (m_play)
        m_play->stop();
}

void FreePlayView::take(const FreePlayPreset &preset)
{
    m_groups.clear();
    for (const GroupSettings &group : preset.groups)
        takeUp(group);
    m_preset->setToolTip(plainToolTip(preset.about));
    arrange();
    chooseGroup(0);
}

void FreePlayView::takeUp(GroupSettings settings)
{
    settings.id = GroupId{ ++m_lastGroup };
    m_groups.push_back(settings);
}

void FreePlayView::addGroup()
{
    if (m_groups.size() >= lab::MostGroups)
        return;
    takeUp(m_groups[m_chosen]);
    arrange();
    chooseGroup(m_groups.size() - 1);
}

void FreePlayView::removeGroup(std::size_t index)
{
    m_groups.erase(m_groups.begin() + static_cast<std::ptrdiff_t>(index));
    arrange();
    chooseGroup(std::min(m_chosen, m_groups.size() - 1));
}

void FreePlayView::chooseGroup(std::size_t index)
{
    m_chosen = index;
    if (m_knobs->settings() != m_groups[index])
        m_knobs->setSettings(m_groups[index]);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setChosen(i == index && m_cards.size() > 1);
        if (i != index)
            m_cards[i]->chooseNone();
    }
    showHand();
}

void FreePlayView::turned()
{
    const GroupSettings before = m_groups[m_chosen];
    m_groups[m_chosen] = m_knobs->settings();
    for (GroupSettings &group : m_groups) {
        if (m_knobs->turnsAll() && group.id != before.id)
            changeAlike(group, before, m_knobs->settings());
    }
    arrange();
}

/// A card for each group, and the groups to whoever plays.
void FreePlayView::arrange()
{
    while (m_cards.size() < m_groups.size()) {
        auto *card = m_cards.emplace_back(new FreePlayCard(m_theme, m_clock, this));
        m_cardLine->addWidget(card, 1);
        connect(card, &FreePlayCard::clientChosen, this, [this, card] {
            chooseGroup(static_cast<std::size_t>(std::ranges::find(m_cards, card) - m_cards.begin()));
        });
        connect(card, &FreePlayCard::removeRequested, this, [this, card] {
            removeGroup(static_cast<std::size_t>(std::ranges::find(m_cards, card) - m_cards.begin()));
        });
    }
    while (m_cards.size() > m_groups.size()) {
        m_cards.back()->deleteLater(); // it may be the one that asks for it
        m_cards.back()->hide();
        m_cardLine->removeWidget(m_cards.back());
        m_cards.pop_back();
    }
    if (m_play && m_phase != FreePlayPhase::Stopped)
        m_play->setGroups(m_groups);
    showGroups();
}

void FreePlayView::setPhase(FreePlayPhase phase)
{
    const FreePlayPhase before = std::exchange(m_phase, phase);
    if (phase == before)
        return;
    if (before == FreePlayPhase::Running)
        Q_EMIT ended();
    Q_EMIT phaseChanged();
}

void FreePlayView::setState(const std::shared_ptr<const FreePlayState> &state)
{
    setPhase(state->phase);
    if (m_phase == FreePlayPhase::Running)
        m_shown = state;
    showGroups();
}

void FreePlayView::setError(const lockcore::Error &error)
{
    setPhase(FreePlayPhase::Stopped);
    m_shown.reset();
    showGroups();
    m_empty->setContent(
        { tr("Free play could not begin"), errorReason(error), errorDetail(error), tr("Try again"), {} });
}

void FreePlayView::showGroups()
{
    showHead();
    if (!m_shown) {
        m_stack->setCurrentIndex(0);
        m_hand->hide();
        if (m_phase == FreePlayPhase::Starting)
            m_empty->setContent(
                { tr("Starting…"), tr("A private redis-server, and the clients of each group."), {}, {}, {} });
        else
            m_empty->setContent({ tr("Play freely with contention"),
                m_presets[static_cast<std::size_t>(std::max(0, m_preset->currentIndex()))].about
                    + QStringLiteral("\n\n")
                    + tr("Clients are real processes on a private server of their own. Turn the knobs while they run, "
                         "take "
                         "one by the hand, let it crash."),
                {}, tr("Start"), {} });
        return;
    }
    m_stack->setCurrentWidget(m_body);
    m_hand->show();
    FreePlayCard::Scale scale;
    for (const GroupState &group : m_shown->groups)
        scale.include(group);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        const auto state = std::ranges::find(
            m_shown->groups, m_groups[i].id, [](const GroupState &each) { return each.settings.id; });
        // One that has just been added is told of with the next state.
        GroupState begun;
        begun.settings = m_groups[i];
        m_cards[i]->setGroup(state == m_shown->groups.end() ? begun : *state, m_shown->at, scale);
        m_cards[i]->setRemovable(m_cards.size() > 1);
        m_cards[i]->setPast(m_phase == FreePlayPhase::Stopped);
    }
    showHand();
}

void FreePlayView::showHead()
{
    const bool isStopped = m_phase == FreePlayPhase::Stopped;
    m_startStop->setText(isStopped ? tr("Start") : tr("Stop"));
    setStyleProperty(*m_startStop, "role", isStopped ? QStringLiteral("primary") : QString());
    m_watch->setVisible(m_phase == FreePlayPhase::Running);
    m_add->setEnabled(m_groups.size() < lab::MostGroups);
    switch (m_phase) {
    case FreePlayPhase::Stopped:
        m_note->setText(
            m_shown ? tr("Stopped: server and clients are gone; the figures are those of its end") : QString());
        break;
    case FreePlayPhase::Starting:
        m_note->setText(tr("Starting…"));
        break;
    case FreePlayPhase::Running:
        m_note->setText(
            tr("Private server %1, gone when it stops").arg(m_shown ? displayText(m_shown->server) : QString()));
        break;
    }
    m_note->setExplanation(tr("Other programs on this computer can look at it there. Hold and think times are kept by "
                              "Lockscope; each step of a client costs the way to its process and back."));
}

const ContenderState *FreePlayView::chosenClient() const
{
    if (m_chosen >= m_cards.size() || m_phase != FreePlayPhase::Running)
        return nullptr;
    const auto name = m_cards[m_chosen]->chosenClient();
    return name ? m_cards[m_chosen]->client(*name) : nullptr;
}

void FreePlayView::showHand()
{
    const ContenderState *client = chosenClient();
    const bool isAlive = client && client->phase != ClientPhase::Crashed && client->phase != ClientPhase::Starting;
    const bool isAwake = isAlive && !client->isPaused && !client->isLeaving;
    const bool holds = client && client->phase == ClientPhase::Holding;
    const GroupSettings &group = m_groups[std::min(m_chosen, m_groups.size() - 1)];
    const bool hasReaders = group.kind == lockcore::synchronizers::Kind::ReadWrite;
    const bool reenters = holds && !isSemaphore(group.kind);
    m_takeOver->setText(client && client->isByHand ? tr("Let it go on") : tr("Take by the hand"));
    m_takeOver->setEnabled(isAlive && !client->isLeaving);
    m_lock->setText(hasReaders ? tr("Write lock") : reenters ? tr("Lock again") : tr("Lock"));
    m_lock->setEnabled(isAwake && (holds || client->phase == ClientPhase::Thinking));
    m_lockToRead->setVisible(hasReaders);
    m_lockToRead->setEnabled(m_lock->isEnabled());
    m_unlock->setEnabled(isAwake && holds);
    m_pause->setText(client && client->isPaused ? tr("Go on") : tr("Stand still"));
    m_pause->setEnabled(isAlive);
    const bool isDead = client && client->phase == ClientPhase::Crashed;
    m_crash->setText(isDead ? tr("Start again") : tr("Crash"));
    m_crash->setEnabled(isAlive || isDead);
    setStyleProperty(*m_crash, "role", isDead ? QString() : QStringLiteral("danger"));
    QString title = tr("Choose a client to take it by the hand.");
    if (client)
        title = (client->isByHand ? tr("Client %1, %2, in your hand: %3") : tr("Client %1, %2: %3"))
                    .arg(displayText(client->name), contendedText(group.kind, group.variant),
                        phaseText(*client, m_shown->at));
    else if (m_phase == FreePlayPhase::Stopped)
        title = tr("Nothing runs.");
    m_handTitle->setText(m_handSaid.isEmpty() || !client ? title : title + QStringLiteral("   ·   ") + m_handSaid);
}

void FreePlayView::actOnChosen(HandAct act) { m_play->act(m_groups[m_chosen].id, chosenClient()->name, act); }

} // namespace lockui
