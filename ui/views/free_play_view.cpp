// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_view.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/models/contender_text.h"
#include "ui/support/widgets.h"
#include "ui/text/error_text.h"
#include "ui/views/empty_state.h"
#include "ui/views/free_play_cards.h"
#include "ui/views/free_play_hands.h"
#include "ui/views/free_play_head.h"
#include "ui/views/free_play_knobs.h"
#include "ui/views/free_play_place.h"
#include "ui/views/hand_bar.h"

#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace lockui {

namespace {

constexpr int SideWidth = 268;

/// A narrow window does not get wider for it.
QScrollArea *scrolling(QWidget *content)
{
    auto *scroll = new QScrollArea(content->parentWidget());
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    return scroll;
}

/// What one of them did is not what the other would do.
bool isSameGroup(const lab::GroupSettings &one, const lab::GroupSettings &other)
{
    return one.byHand == other.byHand && one.kind == other.kind && one.variant == other.variant;
}

} // namespace

using lab::ContenderState;
using lab::FreePlayPhase;
using lab::GroupSettings;
using lab::GroupState;
using lab::HandAct;
using lockcore::synchronizers::Kind;

FreePlayView::FreePlayView(const Theme &theme, const ViewClock &clock, FreePlayRun::MakeFreePlay make, QWidget *parent)
    : QWidget(parent)
    , m_run(new FreePlayRun(std::move(make), this))
    , m_head(new FreePlayHead(m_presets, this))
    , m_knobs(new FreePlayKnobs(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_body(new QWidget(this))
    , m_cards(new FreePlayCards(theme, clock, this))
    , m_hand(new HandBar(this))
    , m_hands(new FreePlayHands(*this))
{
    setProperty("role", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    build();
    connectAll();
    setFocusProxy(m_head);
    take(m_presets.front());
}

/// Cards tell whom the focus went to, also as they go.
FreePlayView::~FreePlayView() { m_cards->disconnect(this); }

/// Cards are beside each other as long as there is room; a narrow window scrolls.
void FreePlayView::build()
{
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(8, 8, 8, 8);
    body->setSpacing(8);
    body->addWidget(scrolling(m_cards), 1);
    m_empty->setProperty("role", QStringLiteral("page"));
    m_empty->setAttribute(Qt::WA_StyledBackground);
    m_stack->addWidget(scrolling(m_empty));
    m_stack->addWidget(m_body);

    QScrollArea *side = scrolling(m_knobs);
    side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->setFixedWidth(SideWidth);
    auto *across = new QHBoxLayout;
    across->setSpacing(0);
    across->addWidget(side);
    across->addWidget(m_stack, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addLayout(across, 1);
    layout->addWidget(m_hand);
}

void FreePlayView::connectAll()
{
    connect(m_head, &FreePlayHead::placeChosen, this, &FreePlayView::placeChosen);
    connect(m_head, &FreePlayHead::presetChosen, this, [this](std::size_t preset) { take(m_presets[preset]); });
    connect(m_head, &FreePlayHead::startRequested, this, &FreePlayView::start);
    connect(m_head, &FreePlayHead::stopRequested, m_run, &FreePlayRun::stop);
    connect(m_head, &FreePlayHead::addRequested, this, [this] { addGroup(m_groups.chosen()); });
    connect(m_head, &FreePlayHead::watchRequested, this, &FreePlayView::watchRequested);
    connect(m_knobs, &FreePlayKnobs::changed, this, [this] {
        m_groups.turn(m_knobs->settings(), m_knobs->turnsAll());
        arrange();
    });
    connect(m_hand, &HandBar::actRequested, this, [this](HandAct act) {
        if (const ContenderState *client = chosenClient())
            m_run->act(m_groups.chosen().id, client->name, act);
    });
    connect(m_run, &FreePlayRun::changed, this, [this](const lab::FreePlayState &state) {
        m_hands->setState(state);
        showPlace();
    });
    connect(m_run, &FreePlayRun::failed, this, &FreePlayView::showGroups);
    connect(m_run, &FreePlayRun::ended, this, &FreePlayView::ended);
    connect(m_run, &FreePlayRun::phaseChanged, this, &FreePlayView::tellPhase);
    connect(m_run, &FreePlayRun::acted, this, &FreePlayView::tellOutcome);
    connect(m_run, &FreePlayRun::cutShort, m_hands, &FreePlayHands::tellCutShort);
    connect(m_run, &FreePlayRun::leftBehind, this, [this](const lockcore::Error &error) {
        m_hands->tellLeft(error);
        showHead();
    });
    connect(m_hands, &FreePlayHands::changed, this, &FreePlayView::handsChanged);
    connect(m_empty, &EmptyState::primaryChosen, this, &FreePlayView::start);
    connect(m_cards, &FreePlayCards::groupChosen, this, &FreePlayView::chooseGroup);
    connect(m_cards, &FreePlayCards::removeRequested, this, &FreePlayView::removeGroup);
}

FreePlayPlace &FreePlayView::where() const { return m_head->place(); }

bool FreePlayView::isRunning() const { return m_run->isOn(); }

bool FreePlayView::isOnConnected() const { return where().isOnConnected(); }

std::vector<lab::HandHold> FreePlayView::hands() const
{
    const bool isLeft = isOnConnected() && !where().connected().server;
    return isLeft ? std::vector<lab::HandHold>() : m_hands->holds();
}

QString FreePlayView::whyNotStart() const { return whyNotBegin(m_groups.all(), where().chosen()); }

/// Clients that write by themselves on a server that others use are asked about.
void FreePlayView::start()
{
    if (isRunning() || !whyNotStart().isEmpty())
        return;
    m_mayContend = !isOnConnected();
    if (m_mayContend || !contend(m_groups.all()))
        return begin();
    const ConnectedPlace &place = where().connected();
    auto *dialog = new ContentionDialog(place.title, place.isProduction, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, before = place] {
        if (where().connected() != before || isRunning())
            return;
        m_mayContend = true;
        begin();
    });
    dialog->open();
}

void FreePlayView::begin()
{
    m_hand->forgetSaid();
    m_hands->begin();
    m_run->begin(m_groups.all(), where().chosen());
    showPlace();
}

void FreePlayView::stop() { m_run->stop(); }

void FreePlayView::setConnected(const ConnectedPlace &place)
{
    if (place == where().connected())
        return;
    const ConnectedPlace before = where().connected();
    const bool isOther = place.server != before.server;
    where().setConnected(place);
    if (isOther)
        m_snapshot.reset();
    if (isOther && isOnConnected()) {
        if (!isRunning())
            m_run->forgetFailure();
        if (m_run->goesOn())
            m_hands->leave(before.title);
        Q_EMIT handsChanged();
        stop();
    }
    showPlace();
}

void FreePlayView::setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    showWarning();
    if (isOnConnected() && m_run->shown() != nullptr)
        showGroups();
}

/// Snapshots come only while it is shown.
void FreePlayView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_witness.lookAway();
}

void FreePlayView::askMonitor()
{
    if (isOnConnected() && m_snapshot && m_run->phase() == FreePlayPhase::Running)
        m_witness.look(*m_run->shown(), *m_snapshot);
    else if (!isOnConnected())
        m_witness.forget();
}

void FreePlayView::lead(const lockcore::monitor::LockState *lock)
{
    const bool isElsewhere = isRunning() && !isOnConnected();
    if (isElsewhere || !where().connected().server)
        return;
    if (!isOnConnected())
        m_run->forget(); // what was played elsewhere is not of this place
    where().chooseConnected(true);
    showPlace();
    const GroupSettings wanted
        = ledByHand(lock ? lock->name : lockcore::LockName(), lock ? lock->kind : Kind::Reentrant);
    const auto known = m_groups.ledTo(wanted.byHand);
    if (known && lock) {
        chooseGroup(*known);
    } else if (!isRunning()) {
        m_head->choosePreset(m_presets.size() - 1);
        take({ .title = {}, .about = m_presets.back().about, .groups = { wanted } });
    } else if (lock) {
        addGroup(wanted);
    }
    if (!lock)
        m_knobs->enterName();
}

/// Where others are, one begins with what a hand does.
void FreePlayView::placeChosen()
{
    m_run->forget();
    showPlace();
    if (isOnConnected() && contend(m_groups.all())) {
        m_head->choosePreset(m_presets.size() - 1);
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
    const GroupSettings &group = m_groups.chosen();
    const bool isConnectedRun = isRunning() && isOnConnected();
    m_knobs->setOfOthers(isOnConnected());
    m_knobs->setTitle(m_groups.chosenTitle());
    m_knobs->setRunning(isRunning());
    m_knobs->setMayContend(!isConnectedRun || m_mayContend,
        tr("Stop first: that clients contend by themselves on the connected server is asked about at the start"));
    m_knobs->setBound(isRunning() && group.byHand && m_run->isHeld(group.id));
    showWarning();
}

void FreePlayView::showWarning()
{
    const bool isKnown = isOnConnected() && m_snapshot;
    m_knobs->setWarning(isKnown ? kindWarning(m_groups.chosen(), *m_snapshot) : QString());
}

void FreePlayView::take(const FreePlayPreset &preset)
{
    if (isRunning())
        m_run->forgetFailure();
    else
        m_run->forget(); // the end of what was played before is none of these
    m_groups.set(preset.groups);
    m_head->setAbout(preset.about);
    arrange();
    chooseGroup(0);
}

/// Clients that do not reach their server as they begin end the whole play.
bool FreePlayView::mayAddGroup() const
{
    const bool isAway = isOnConnected() && !where().connected().whyNot.isEmpty();
    return m_groups.mayGrow() && !(isRunning() && isAway);
}

void FreePlayView::addGroup(const GroupSettings &group)
{
    if (!mayAddGroup())
        return;
    m_groups.add(group);
    arrange();
    chooseGroup(m_groups.all().size() - 1);
}

/// The next one takes its place, and its button to close it: whoever has pressed that one with a key means no other.
void FreePlayView::removeGroup(std::size_t index)
{
    takeFocusFrom(*m_body, *m_stack);
    m_groups.remove(index);
    arrange();
    chooseGroup(m_groups.chosenIndex());
    if (m_stack->hasFocus())
        m_hand->setFocus(Qt::OtherFocusReason);
}

void FreePlayView::chooseGroup(std::size_t index)
{
    m_groups.choose(index);
    m_hand->setFocusProxy(&m_cards->at(index));
    if (m_knobs->settings() != m_groups.chosen())
        m_knobs->setSettings(m_groups.chosen());
    m_cards->choose(index);
    showKnobs();
    showHand();
}

/// A card for each group, and the groups to whoever plays.
void FreePlayView::arrange()
{
    m_cards->setCount(m_groups.all().size());
    if (m_mayContend || !contend(m_groups.all()))
        m_run->setGroups(m_groups.all());
    showKnobs();
    showGroups();
}

void FreePlayView::tellPhase()
{
    if (!isRunning())
        m_hands->tellEnd(noteTexts().front());
    Q_EMIT phaseChanged();
}

/// What comes after it is seen already.
void FreePlayView::tellOutcome(const lab::HandOutcome &outcome)
{
    if (const ContenderState *client = m_run->client(outcome.group, outcome.client))
        m_hand->setSaid(outcome, *client);
}

void FreePlayView::showEmpty()
{
    if (m_run->phase() == FreePlayPhase::Starting)
        return m_empty->setContent({ tr("Starting…"), tr("The server, and the clients of each group."), {}, {}, {} });
    const QString whyNot = whyNotStart();
    if (const auto &failure = m_run->failure())
        return m_empty->setContent({ failure->hadBegun ? tr("Free play has ended") : tr("Free play could not begin"),
            errorDetail(failure->error), whyNot, whyNot.isEmpty() ? tr("Try again") : QString(), {} });
    m_empty->setContent({ tr("Play freely with contention"),
        m_presets[m_head->preset()].about + QStringLiteral("\n\n") + where().about(), whyNot,
        whyNot.isEmpty() ? tr("Start") : QString(), {} });
}

void FreePlayView::showGroups()
{
    showHead();
    const lab::FreePlayState *shown = m_run->shown();
    // The page that comes would give it to its first control, such as one that closes a group.
    if ((m_stack->currentWidget() == m_body) != (shown != nullptr))
        takeFocusFrom(*m_stack, *m_stack);
    if (shown == nullptr) {
        m_stack->setCurrentIndex(0);
        showSafely(*m_hand, false, *m_stack);
        return showEmpty();
    }
    m_stack->setCurrentWidget(m_body);
    m_hand->show();
    askMonitor();
    const auto lostSince = isOnConnected() && isRunning() ? where().connected().lostSince : std::nullopt;
    std::vector<GroupState> groups;
    for (const GroupSettings &each : m_groups.all()) {
        const GroupState *state = m_run->group(each.id);
        const bool isKnown = state != nullptr && (isRunning() || isSameGroup(state->settings, each));
        groups.push_back(isKnown ? *state : GroupState{ .settings = each }); // just added: the next state tells of it
        m_witness.tell(groups.back());
        if (lostSince)
            tellLost(groups.back(), *lostSince);
    }
    m_cards->setGroups(groups, groupTitles(m_groups.all()), shown->at, { .endedAt = m_run->endedAt() });
    showHand();
}

void FreePlayView::showHead()
{
    const lab::FreePlayState *shown = m_run->shown();
    m_head->setShown({ .phase = m_run->phase(),
                         .whyNotStart = isRunning() ? QString() : whyNotStart(),
                         .server = shown ? shown->server : std::string(),
                         .mayAdd = mayAddGroup(),
                         .notes = noteTexts() },
        shown ? static_cast<QWidget &>(*m_hand) : *m_stack);
}

QStringList FreePlayView::noteTexts() const
{
    return where().noteTexts(m_run->phase(), m_run->shown(), contend(m_groups.all()), *m_hands);
}

const ContenderState *FreePlayView::chosenClient() const
{
    return m_run->phase() == FreePlayPhase::Running ? m_cards->chosenClient(m_groups.chosenIndex()) : nullptr;
}

void FreePlayView::showHand()
{
    const GroupSettings &group = m_groups.chosen();
    const ContenderState *client = chosenClient();
    m_hand->setSubject({ .client = client ? std::optional(*client) : std::nullopt,
        .group = group,
        .title = m_groups.chosenTitle(),
        .now = m_run->shown() ? m_run->shown()->at : lockcore::MonoTime(),
        .isOfOthers = isOnConnected() && group.byHand,
        .isRunning = isRunning() });
}

} // namespace lockui
