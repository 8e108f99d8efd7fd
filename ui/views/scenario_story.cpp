// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_story.h"

#include "ui/lab/play_text.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

namespace {

constexpr double PlaySpeeds[]{ 0.25, 0.5, 1, 2, 5, 10 };
const QKeySequence RunKey(Qt::Key_F9);
const QKeySequence StepKey(Qt::Key_F10);
const QKeySequence StopKey(Qt::SHIFT | Qt::Key_F9);

QLabel *paragraph(QWidget *parent, const QString &role)
{
    QLabel *label = plainLabel(role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString withKey(const QString &text, const QKeySequence &key)
{
    return QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText));
}

} // namespace

ScenarioStory::ScenarioStory(lab::LabSession &session, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_harmless(this)
{
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 12, 10);
    layout->setSpacing(8);
    layout->addLayout(buildControls()); // where they stay, however long the text of a scenario is
    layout->addWidget(buildOrigin());
    layout->addWidget(buildText(), 1);
    m_facts = new ElidedLabel(QStringLiteral("statusLine"), this);
    layout->addWidget(m_facts);
}

QWidget *ScenarioStory::buildOrigin()
{
    m_originLine = new QWidget(this);
    m_back = new QPushButton(tr("‹ My scenarios"), m_originLine);
    m_back->setProperty("role", QStringLiteral("compact"));
    m_back->setToolTip(tr("Back to where it is written; what is played goes on"));
    connect(m_back, &QPushButton::clicked, this, &ScenarioStory::backRequested);
    m_origin = new ElidedLabel(QStringLiteral("statusLine"), m_originLine);
    auto *layout = new QHBoxLayout(m_originLine);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(8);
    layout->addWidget(m_back);
    layout->addWidget(m_origin, 1);
    return m_originLine;
}

QWidget *ScenarioStory::buildText()
{
    auto *text = new QWidget(this);
    text->setProperty("role", QStringLiteral("panel"));
    m_text = text;
    m_title = paragraph(text, QStringLiteral("dialogTitle"));
    m_about = paragraph(text, QStringLiteral("muted"));
    m_codeTitle = plainLabel(QStringLiteral("strong"), text);
    m_codeTitle->setText(tr("For your code"));
    m_code = paragraph(text, QStringLiteral("muted"));
    auto *layout = new QVBoxLayout(text);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addWidget(m_about);
    layout->addSpacing(2);
    layout->addWidget(m_codeTitle);
    layout->addWidget(m_code);
    layout->addStretch(1);
    auto *scroll = new QScrollArea(this);
    m_scroll = scroll;
    scroll->setWidget(text);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("About this scenario"));
    // A stop of the tab key only where keys move something.
    scroll->setFocusPolicy(Qt::NoFocus);
    connect(scroll->verticalScrollBar(), &QScrollBar::rangeChanged, scroll,
        [scroll](int, int most) { scroll->setFocusPolicy(most > 0 ? Qt::StrongFocus : Qt::NoFocus); });
    return scroll;
}

QLayout *ScenarioStory::buildControls()
{
    m_run = new QPushButton(this);
    m_run->setProperty("role", QStringLiteral("primary"));
    m_step = new QPushButton(tr("Step"), this);
    m_step->setToolTip(withKey(tr("Begins the next step, and holds back those behind it"), StepKey));
    m_stop = new QPushButton(tr("Stop"), this);
    m_stop->setToolTip(withKey(tr("Ends it in the middle: servers and clients are gone then"), StopKey));
    m_presses = new PressGuard({ m_run, m_step, m_stop }, this);
    m_speed = new QComboBox(this);
    m_speed->setAccessibleName(tr("Speed"));
    for (const double speed : PlaySpeeds)
        m_speed->addItem(tr("%1×").arg(QLocale().toString(speed)), speed);
    m_speed->setCurrentIndex(2);
    auto *layout = new QHBoxLayout;
    layout->setSpacing(8);
    for (QWidget *each : std::initializer_list<QWidget *>{ m_run, m_step, m_stop, m_speed })
        layout->addWidget(each);
    layout->addStretch(1);
    connect(m_run, &QPushButton::clicked, this, &ScenarioStory::goOn);
    connect(m_step, &QPushButton::clicked, this, &ScenarioStory::step);
    connect(m_stop, &QPushButton::clicked, &m_session, &lab::LabSession::stop);
    const auto onKey = [this](const QKeySequence &key, QPushButton *button) {
        connect(new QShortcut(key, this), &QShortcut::activated, button, &QPushButton::click);
    };
    onKey(RunKey, m_run);
    onKey(StepKey, m_step);
    onKey(StopKey, m_stop);
    connect(m_speed, &QComboBox::currentIndexChanged, this,
        [this] { m_session.setSpeed(m_speed->currentData().toDouble()); });
    return layout;
}

void ScenarioStory::setScenario(const lab::Scenario &scenario, const ScenarioOrigin &origin)
{
    m_scenario = scenario;
    m_origin->setText(origin.text);
    m_originLine->setVisible(!origin.text.isEmpty());
    m_back->setVisible(origin.isOwn);
    m_title->setText(displayText(scenario.title));
    QStringList about;
    for (const std::string &each : scenario.about)
        about << displayText(each, 4'000);
    m_about->setText(about.join(QStringLiteral("\n\n")));
    m_about->setVisible(!about.isEmpty());
    m_code->setText(displayText(scenario.forYourCode, 4'000));
    m_code->setVisible(!scenario.forYourCode.empty());
    m_codeTitle->setVisible(!scenario.forYourCode.empty());
    m_facts->setText(lab::factsText(scenario));
    const bool canScale = std::ranges::any_of(scenario.steps, &lab::Step::isScalable);
    m_speed->setEnabled(canScale);
    m_speed->setToolTip(canScale
            ? tr("Of the pauses between steps that no lease depends on. Leases, renewals and waits take the time they "
                 "take.")
            : tr("Nothing here can be made faster or slower: each time depends on a lease or on a wait."));
    showState();
}

void ScenarioStory::showState()
{
    const bool isOurs = m_session.playing() == m_scenario.name;
    const bool isOther = m_session.isPlaying() && !isOurs;
    const bool isPaused = isOurs && m_session.isPaused();
    if (!isOurs && m_isPlaying)
        takeFocusFrom(*m_run, *m_harmless); // it says something else from now on
    m_isPlaying = isOurs;
    const QString text = !isOurs ? tr("Run") : isPaused ? tr("Resume") : tr("Pause");
    if (text != m_run->text())
        m_presses->begin();
    m_run->setText(text);
    enableSafely(*m_run, isOurs || (!isOther && m_session.canPlay()), *m_harmless);
    enableSafely(*m_step, isOurs ? isPaused : !isOther && m_session.canPlay(), *m_harmless);
    enableSafely(*m_stop, isOurs, *m_harmless);
    const QString does = !isOurs ? tr("Plays it from the beginning")
        : isPaused               ? tr("Goes on")
                                 : tr("Holds back the next step: what has begun goes on");
    m_run->setToolTip(isOther ? tr("Another scenario is running: stop it first") : withKey(does, RunKey));
}

int ScenarioStory::fullHeight() const
{
    const int text = m_text->layout()->totalHeightForWidth(m_scroll->viewport()->width());
    return text + height() - m_scroll->viewport()->height();
}

void ScenarioStory::goOn()
{
    if (m_session.playing() == m_scenario.name)
        m_session.setPaused(!m_session.isPaused());
    else
        Q_EMIT runRequested(false);
}

void ScenarioStory::step()
{
    if (m_session.playing() != m_scenario.name)
        Q_EMIT runRequested(true);
    m_session.step();
}

} // namespace lockui
