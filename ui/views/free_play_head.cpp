// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_head.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/free_play_place.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace lockui {

using lab::FreePlayPhase;

FreePlayHead::FreePlayHead(const std::vector<FreePlayPreset> &presets, QWidget *parent)
    : QWidget(parent)
    , m_place(new FreePlayPlace(this))
    , m_preset(new QComboBox(this))
    , m_startStop(new QPushButton(this))
    , m_add(new QToolButton(this))
    , m_watch(new QPushButton(tr("Watch in the window"), this))
    , m_copy(new QToolButton(this))
    , m_note(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_presses(new PressGuard({ m_startStop, m_add, m_watch, m_copy }, this))
{
    build(presets);
    connectAll();
    setFocusProxy(m_startStop);
}

void FreePlayHead::build(const std::vector<FreePlayPreset> &presets)
{
    constexpr int Height = 40; // the same whichever of its buttons are there
    makeBar(*this);
    setFixedHeight(Height);
    for (const FreePlayPreset &preset : presets) {
        m_preset->addItem(preset.title);
        m_preset->setItemData(m_preset->count() - 1, plainToolTip(preset.about), Qt::ToolTipRole);
    }
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(14);
    m_preset->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_preset->setMaximumWidth(290);
    m_preset->setAccessibleName(tr("What to begin with"));
    m_copy->setText(tr("Copy address"));
    m_copy->setProperty("role", QStringLiteral("button"));
    m_copy->setToolTip(plainToolTip(tr("Copies the address of the private server, for redis-cli -u or lockctl --url")));
    m_add->setText(tr("Add a group"));
    m_add->setProperty("role", QStringLiteral("button"));
    m_add->setToolTip(plainToolTip(
        tr("One more beside the others, with the knobs as they are; up to %1 in all").arg(lab::MostGroups)));
    m_watch->setToolTip(
        plainToolTip(tr("Connects the window to the private server, read-only, until it stops: its locks, "
                        "timeline and dashboard are then those of the players")));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 5, 12, 5);
    layout->setSpacing(8);
    layout->addWidget(m_place, 2);
    layout->addWidget(m_preset, 2);
    layout->addWidget(m_startStop);
    layout->addWidget(m_add);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_copy);
    layout->addWidget(m_watch);
}

void FreePlayHead::connectAll()
{
    connect(m_place, &QComboBox::activated, this, &FreePlayHead::placeChosen);
    connect(m_preset, &QComboBox::activated, this,
        [this](int index) { Q_EMIT presetChosen(static_cast<std::size_t>(index)); });
    connect(m_startStop, &QPushButton::clicked, this, [this] {
        if (m_shown.phase == FreePlayPhase::Stopped)
            Q_EMIT startRequested();
        else
            Q_EMIT stopRequested();
    });
    connect(m_add, &QToolButton::clicked, this, &FreePlayHead::addRequested);
    connect(m_copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(m_shown.server)); });
    connect(m_watch, &QPushButton::clicked, this, [this] {
        if (const auto server = lockcore::transport::parseDeployment(m_shown.server))
            Q_EMIT watchRequested(*server);
    });
}

std::size_t FreePlayHead::preset() const { return static_cast<std::size_t>(std::max(0, m_preset->currentIndex())); }

void FreePlayHead::choosePreset(std::size_t preset) { m_preset->setCurrentIndex(static_cast<int>(preset)); }

void FreePlayHead::setAbout(const QString &about) { m_preset->setToolTip(plainToolTip(about)); }

void FreePlayHead::setShown(const Shown &shown, QWidget &harmless)
{
    if (shown.phase != m_shown.phase)
        m_presses->begin(); // they say something else, or move as others come and go
    m_shown = shown;
    const bool isStopped = shown.phase == FreePlayPhase::Stopped;
    const bool isPrivateRun
        = shown.phase == FreePlayPhase::Running && !m_place->isOnConnected() && !shown.server.empty();
    const QString text = isStopped ? tr("Start") : tr("Stop");
    if (isStopped && text != m_startStop->text())
        takeFocusFrom(*m_startStop, harmless); // whoever goes there now wants to end it
    m_startStop->setText(text);
    enableSafely(*m_startStop, shown.whyNotStart.isEmpty() && shown.phase != FreePlayPhase::Stopping, harmless);
    m_startStop->setToolTip(plainToolTip(shown.whyNotStart));
    setStyleProperty(*m_startStop, "role", isStopped ? QStringLiteral("primary") : QString());
    enableSafely(*m_place, isStopped, harmless);
    enableSafely(*m_preset, isStopped || !m_place->isOnConnected(), harmless);
    showSafely(*m_watch, isPrivateRun, harmless);
    showSafely(*m_copy, isPrivateRun, harmless);
    enableSafely(*m_add, shown.mayAdd, harmless);
    m_note->setShorterTexts(shown.notes.mid(1));
    m_note->setText(shown.notes.value(0));
    m_note->setExplanation(tr("Other programs on this computer can look at it there. Hold and think times are kept by "
                              "Lockscope; each step of a client costs the way to its process and back."));
}

} // namespace lockui
