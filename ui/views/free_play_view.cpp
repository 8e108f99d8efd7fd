// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_view.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/models/contender_text.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/views/empty_state.h"
#include "ui/views/free_play_card.h"
#include "ui/views/free_play_knobs.h"
#include "ui/views/free_play_place.h"
#include "ui/views/hand_bar.h"

#include <QApplication>
#include <QClipboard>
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
using lockcore::synchronizers::Kind;

FreePlayView::FreePlayView(const Theme &theme, const ViewClock &clock, MakeFreePlay make, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_make(std::move(make))
    , m_place(new FreePlayPlace(this))
    , m_preset(new QComboBox(this))
    , m_startStop(new QPushButton(this))
    , m_add(new QToolButton(this))
    , m_watch(new QPushButton(tr("Watch in the window"), this))
    , m_copy(new QToolButton(this))
    , m_note(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_knobs(new FreePlayKnobs(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_body(new QWidget(this))
    , m_cardLine(new QHBoxLayout)
    , m_hand(new HandBar(this))
{
    setProperty("role", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
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
    connect(m_hand, &HandBar::actRequested, this, [this](HandAct act) {
        if (const ContenderState *client = chosenClient())
            m_play->act(m_groups[m_chosen].id, client->name, act);
    });
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
    makeBar(*head);
    for (const FreePlayPreset &preset : m_presets) {
        m_preset->addItem(preset.title);
        m_preset->setItemData(m_preset->count() - 1, plainToolTip(preset.about), Qt::ToolTipRole);
    }
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(14);
    m_preset->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_preset->setMaximumWidth(230);
    m_preset->setAccessibleName(tr("What to begin with"));
    connect(m_place, &QComboBox::activated, this, &FreePlayView::placeChosen);
    m_copy->setText(tr("Copy address"));
    m_copy->setProperty("role", QStringLiteral("button"));
    m_copy->setToolTip(plainToolTip(tr("Copies the address of the private server, for redis-cli -u or lockctl --url")));
    connect(m_copy, &QToolButton::clicked, this, &FreePlayView::copyAddress);
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
    layout->addWidget(m_place, 2);
    layout->addWidget(m_preset, 2);
    layout->addWidget(m_startStop);
    layout->addWidget(m_add);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_copy);
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

bool FreePlayView::isRunning() const { return m_phase != FreePlayPhase::Stopped; }

bool FreePlayView::isOnConnected() const { return m_place->isOnConnected(); }

std::vector<lab::HandHold> FreePlayView::hands() const
{
    const bool isLeft = isOnConnected() && !m_place->connected().server;
    return isLeft ? std::vector<lab::HandHold>() : m_hands;
}

QString FreePlayView::whyNotStart() const { return whyNotBegin(m_groups, m_place->chosen()); }

/// Clients that write by themselves on a server that others use are asked about.
void FreePlayView::start()
{
    if (m_phase != FreePlayPhase::Stopped || !whyNotStart().isEmpty())
        return;
    m_mayContend = !isOnConnected();
    if (m_mayContend || !contend(m_groups))
        return begin();
    const ConnectedPlace &place = m_place->connected();
    auto *dialog = new ContentionDialog(place.title, place.isProduction, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, before = place] {
        if (m_place->connected() != before || m_phase != FreePlayPhase::Stopped)
            return;
        m_mayContend = true;
        begin();
    });
    dialog->open();
}

void FreePlayView::begin()
{
    if (!m_play) {
        m_play = m_make();
        connect(m_play.get(), &lab::FreePlay::stateChanged, this, &FreePlayView::setState);
        connect(m_play.get(), &lab::FreePlay::failed, this, &FreePlayView::setError);
        connect(m_play.get(), &lab::FreePlay::cutShort, this, &FreePlayView::tellCutShort);
        connect(m_play.get(), &lab::FreePlay::leftBehind, this, &FreePlayView::tellLeft);
        connect(m_play.get(), &lab::FreePlay::acted, this, &FreePlayView::tellOutcome);
    }
    setPhase(FreePlayPhase::Starting);
    m_hand->forgetSaid();
    m_shown.reset();
    m_endedAt.reset();
    m_failure.reset();
    m_isSomethingLeft = false;
    m_endedOn.clear();
    if (isOnConnected())
        m_play->start(
            m_groups, m_place->connected().server, m_place->connected().auditFile, m_place->connected().connection);
    else
        m_play->start(m_groups);
    showKnobs();
    showGroups();
}

void FreePlayView::stop()
{
    if (m_play)
        m_play->stop();
}

void FreePlayView::setConnected(const ConnectedPlace &place)
{
    if (place == m_place->connected())
        return;
    const ConnectedPlace before = m_place->connected();
    const bool isOther = place.server != before.server;
    m_place->setConnected(place);
    m_snapshot.reset();
    if (isOther && isOnConnected()) {
        if (m_phase == FreePlayPhase::Starting || m_phase == FreePlayPhase::Running) {
            m_endedOn = before.title;
            m_gaveBack = !m_hands.empty();
        }
        Q_EMIT handsChanged();
        stop();
    }
    showPlace();
}

/// Whoever has switched it to read-only looks at another page. What may be left there has been told by itself.
void FreePlayView::tellLeftPlace()
{
    if (m_endedOn.isEmpty() || !m_gaveBack || m_isSomethingLeft)
        return;
    auto *notice = new NoticeDialog(tr("Free play"), tr("Free play has ended"), noteText(), this);
    notice->show();
}

void FreePlayView::setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    showWarning();
}

void FreePlayView::lead(const lockcore::monitor::LockState *lock)
{
    const bool isElsewhere = isRunning() && !isOnConnected();
    if (isElsewhere || !m_place->connected().server)
        return;
    if (!isOnConnected()) { // what was played elsewhere is not of this place
        m_shown.reset();
        m_failure.reset();
    }
    m_place->chooseConnected(true);
    showPlace();
    const GroupSettings wanted
        = ledByHand(lock ? lock->name : lockcore::LockName(), lock ? lock->kind : Kind::Reentrant);
    const auto known
        = std::ranges::find_if(m_groups, [&](const GroupSettings &each) { return each.byHand == wanted.byHand; });
    if (known != m_groups.end() && lock) {
        chooseGroup(static_cast<std::size_t>(known - m_groups.begin()));
    } else if (!isRunning()) {
        m_preset->setCurrentIndex(static_cast<int>(m_presets.size()) - 1);
        take({ .title = {}, .about = m_presets.back().about, .groups = { wanted } });
    } else if (m_groups.size() < lab::MostGroups && lock) {
        takeUp(wanted);
        arrange();
        chooseGroup(m_groups.size() - 1);
    }
    if (!lock)
        m_knobs->enterName();
}

/// Where others are, one begins with what a hand does.
void FreePlayView::placeChosen()
{
    m_shown.reset();
    m_failure.reset();
    showPlace();
    if (isOnConnected() && contend(m_groups)) {
        m_preset->setCurrentIndex(static_cast<int>(m_presets.size()) - 1);
        take(m_presets.back());
    }
}

void FreePlayView::showPlace()
{
    showKnobs();
    showGroups();
}

void FreePlayView::showKnobs()
{
    const GroupSettings &group = m_groups[m_chosen];
    const bool isConnectedRun = isRunning() && isOnConnected();
    m_knobs->setOfOthers(isOnConnected());
    m_knobs->setTitle(groupTitles(m_groups)[static_cast<qsizetype>(m_chosen)]);
    m_knobs->setRunning(isRunning());
    m_knobs->setMayContend(!isConnectedRun || m_mayContend,
        tr("Stop first: that clients contend by themselves on the connected server is asked about at the start"));
    const GroupState *state = stateOf(group.id);
    m_knobs->setBound(isRunning() && group.byHand && state
        && std::ranges::any_of(state->clients,
            [](const ContenderState &client) { return client.holds > 0 || client.phase == ClientPhase::Waiting; }));
    showWarning();
}

void FreePlayView::showWarning()
{
    const bool isKnown = isOnConnected() && m_snapshot;
    m_knobs->setWarning(isKnown ? kindWarning(m_groups[m_chosen], *m_snapshot) : QString());
}

void FreePlayView::copyAddress() const
{
    if (m_shown)
        QGuiApplication::clipboard()->setText(QString::fromStdString(m_shown->server));
}

const GroupState *FreePlayView::stateOf(GroupId id) const
{
    if (!m_shown)
        return nullptr;
    const auto found = std::ranges::find(m_shown->groups, id, [](const GroupState &each) { return each.settings.id; });
    return found == m_shown->groups.end() ? nullptr : &*found;
}

void FreePlayView::take(const FreePlayPreset &preset)
{
    m_failure.reset();
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

/// The next one takes its place, and its button to close it: whoever has pressed that one with a key means no other.
void FreePlayView::removeGroup(std::size_t index)
{
    takeFocusFrom(*m_body, *m_stack);
    m_groups.erase(m_groups.begin() + static_cast<std::ptrdiff_t>(index));
    arrange();
    chooseGroup(std::min(m_chosen, m_groups.size() - 1));
    if (m_stack->hasFocus())
        m_hand->setFocus(Qt::OtherFocusReason);
}

void FreePlayView::chooseGroup(std::size_t index)
{
    m_chosen = index;
    m_hand->setFocusProxy(m_cards[index]);
    if (m_knobs->settings() != m_groups[index])
        m_knobs->setSettings(m_groups[index]);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setChosen(i == index && m_cards.size() > 1);
        if (i != index)
            m_cards[i]->chooseNone();
    }
    showKnobs();
    showHand();
}

void FreePlayView::turned()
{
    const GroupSettings before = m_groups[m_chosen];
    m_groups[m_chosen] = m_knobs->settings();
    for (GroupSettings &group : m_groups) {
        if (m_knobs->turnsAll() && group.id != before.id && !group.byHand && !before.byHand)
            changeAlike(group, before, m_knobs->settings());
    }
    arrange();
}

/// A card for each group, and the groups to whoever plays.
void FreePlayView::arrange()
{
    m_chosen = std::min(m_chosen, m_groups.size() - 1);
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
    if (m_play && isRunning() && (m_mayContend || !contend(m_groups)))
        m_play->setGroups(m_groups);
    showKnobs();
    showGroups();
}

void FreePlayView::setPhase(FreePlayPhase phase)
{
    const FreePlayPhase before = std::exchange(m_phase, phase);
    if (phase == before)
        return;
    if (before == FreePlayPhase::Running) {
        m_endedAt = lockcore::transport::wallNow();
        Q_EMIT ended();
    }
    if (phase == FreePlayPhase::Stopped)
        tellLeftPlace();
    Q_EMIT phaseChanged();
}

void FreePlayView::setState(const std::shared_ptr<const FreePlayState> &state)
{
    setPhase(state->phase);
    if (m_phase == FreePlayPhase::Running)
        m_shown = state;
    if (auto hands = handHolds(*state); hands != m_hands) {
        m_hands = std::move(hands);
        Q_EMIT handsChanged();
    }
    showKnobs();
    showGroups();
}

void FreePlayView::setError(const lockcore::Error &error)
{
    m_failure = Failure{ .error = error, .hadBegun = m_shown && !m_shown->groups.empty() };
    setPhase(FreePlayPhase::Stopped);
    m_shown.reset();
    showGroups();
}

/// What comes after it is seen already.
void FreePlayView::tellOutcome(const lab::HandOutcome &outcome)
{
    const GroupState *group = stateOf(outcome.group);
    if (group == nullptr)
        return;
    const auto client = std::ranges::find(group->clients, outcome.client, &ContenderState::name);
    if (client != group->clients.end())
        m_hand->setSaid(outcome, *client);
}

void FreePlayView::tellCutShort(const lockcore::Error &error)
{
    auto *notice = new NoticeDialog(tr("Free play"), tr("Free play has ended"), errorReason(error), this);
    notice->show();
}

/// Others use that server: it must not go by unseen.
void FreePlayView::tellLeft(const lockcore::Error &error)
{
    m_isSomethingLeft = true;
    auto *notice = new NoticeDialog(
        tr("Free play"), tr("Something of free play may be left on the server"), errorReason(error), this);
    notice->show();
    showHead();
}

void FreePlayView::showEmpty()
{
    if (m_phase == FreePlayPhase::Starting)
        return m_empty->setContent({ tr("Starting…"), tr("The server, and the clients of each group."), {}, {}, {} });
    if (m_failure)
        return m_empty->setContent({ m_failure->hadBegun ? tr("Free play has ended") : tr("Free play could not begin"),
            errorDetail(m_failure->error), {}, tr("Try again"), {} });
    const QString whyNot = whyNotStart();
    m_empty->setContent({ tr("Play freely with contention"),
        m_presets[static_cast<std::size_t>(std::max(0, m_preset->currentIndex()))].about + QStringLiteral("\n\n")
            + m_place->about(),
        whyNot, whyNot.isEmpty() ? tr("Start") : QString(), {} });
}

void FreePlayView::showGroups()
{
    showHead();
    // The page that comes would give it to its first control, such as one that closes a group.
    if ((m_stack->currentWidget() == m_body) != (m_shown != nullptr))
        takeFocusFrom(*m_stack, *m_stack);
    if (!m_shown) {
        m_stack->setCurrentIndex(0);
        showSafely(*m_hand, false, *m_stack);
        return showEmpty();
    }
    m_stack->setCurrentWidget(m_body);
    m_hand->show();
    FreePlayCard::Scale scale{ .endedAt = m_endedAt };
    for (const GroupState &group : m_shown->groups)
        scale.include(group);
    const QStringList titles = groupTitles(m_groups);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        const GroupState *state = stateOf(m_groups[i].id);
        // One that has just been added is told of with the next state.
        GroupState begun;
        begun.settings = m_groups[i];
        m_cards[i]->setGroup(state ? *state : begun, titles[static_cast<qsizetype>(i)], m_shown->at, scale);
        m_cards[i]->setRemovable(m_cards.size() > 1);
    }
    showHand();
}

void FreePlayView::showHead()
{
    const bool isStopped = m_phase == FreePlayPhase::Stopped;
    const bool isPrivateRun = m_phase == FreePlayPhase::Running && !isOnConnected();
    const QString whyNot = isStopped ? whyNotStart() : QString();
    QWidget &harmless = m_shown ? static_cast<QWidget &>(*m_hand) : *m_stack;
    const QString text = isStopped ? tr("Start") : tr("Stop");
    if (isStopped && text != m_startStop->text())
        takeFocusFrom(*m_startStop, harmless); // whoever goes there now wants to end it
    m_startStop->setText(text);
    enableSafely(*m_startStop, whyNot.isEmpty() && m_phase != FreePlayPhase::Stopping, harmless);
    m_startStop->setToolTip(plainToolTip(whyNot));
    setStyleProperty(*m_startStop, "role", isStopped ? QStringLiteral("primary") : QString());
    enableSafely(*m_place, isStopped, harmless);
    enableSafely(*m_preset, isStopped || !isOnConnected(), harmless);
    showSafely(*m_watch, isPrivateRun, harmless);
    showSafely(*m_copy, isPrivateRun, harmless);
    enableSafely(*m_add, m_groups.size() < lab::MostGroups, harmless);
    m_note->setText(noteText());
    m_note->setExplanation(tr("Other programs on this computer can look at it there. Hold and think times are kept by "
                              "Lockscope; each step of a client costs the way to its process and back."));
}

QString FreePlayView::noteText() const
{
    switch (m_phase) {
    case FreePlayPhase::Stopped:
        return m_shown ? m_place->stoppedText(m_endedOn, m_isSomethingLeft) : QString();
    case FreePlayPhase::Starting:
        return tr("Starting…");
    case FreePlayPhase::Stopping:
        return tr("Stopping: what clients hold is given back, and what they wrote is removed…");
    case FreePlayPhase::Running:
        break;
    }
    if (!m_shown)
        return m_place->runningText({}, {});
    return m_place->runningText(m_shown->server, contend(m_groups) ? m_shown->prefix : std::string());
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
    const GroupSettings &group = m_groups[std::min(m_chosen, m_groups.size() - 1)];
    const ContenderState *client = chosenClient();
    m_hand->setSubject({ .client = client ? std::optional(*client) : std::nullopt,
        .group = group,
        .title = groupTitles(m_groups)[static_cast<qsizetype>(m_chosen)],
        .now = m_shown ? m_shown->at : lockcore::MonoTime(),
        .isOfOthers = isOnConnected() && group.byHand,
        .isRunning = m_phase != FreePlayPhase::Stopped });
}

} // namespace lockui
