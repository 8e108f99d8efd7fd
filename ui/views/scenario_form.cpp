// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_form.h"

#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/scenario_head_form.h"
#include "ui/views/scenario_list_delegate.h"
#include "ui/views/scenario_step_form.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>

namespace lockui {

namespace {

constexpr int WidestForm = 760; // longer lines are not easier to read

const lab::JsonPath StepsPath{ std::string("steps") };

/// `A lock invoice`
QString stepSummary(const JsonValue &step)
{
    QStringList words;
    for (const char *member : { "client", "do", "lock" }) {
        if (const std::string text = lab::textOf(step, member); !text.empty())
            words << displayText(text, 60);
    }
    const JsonValue *locks = lab::memberOf(step, "locks");
    for (std::size_t i = 0; locks && locks->is_array() && i < locks->size(); ++i) {
        if (locks->at(i).is_string())
            words << displayText(locks->at(i).get<std::string>(), 60);
    }
    return words.join(u' ');
}

/// A column of fields that is scrolled where it is too high.
template <typename Form>
Form *addScrolled(QStackedWidget &pages)
{
    auto *area = new QScrollArea(&pages);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(area->viewport());
    content->setProperty("role", QStringLiteral("page"));
    content->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *form = new Form(content);
    form->setMaximumWidth(WidestForm);
    layout->addWidget(form, 1);
    layout->addStretch(0);
    area->setWidget(content);
    pages.addWidget(area);
    return form;
}

} // namespace

ScenarioForm::ScenarioForm(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_open(new QStackedWidget(this))
    , m_steps(new QListWidget(this))
{
    auto *across = new QSplitter(m_open);
    across->addWidget(buildSteps()); // first: its buttons come before the fields
    m_pages = new QStackedWidget(across);
    m_head = addScrolled<ScenarioHeadForm>(*m_pages);
    m_step = addScrolled<ScenarioStepForm>(*m_pages);
    across->setChildrenCollapsible(false);
    across->setStretchFactor(1, 1);
    across->setSizes({ 230, 600 });
    auto *closed = plainLabel(QStringLiteral("emptyText"), m_open);
    closed->setAlignment(Qt::AlignCenter);
    closed->setWordWrap(true);
    closed->setMargin(24);
    closed->setText(tr("The form is closed: the text is no JSON at the moment. Mend the place that is marked in the "
                       "text, and the form opens again."));
    m_open->addWidget(across);
    m_open->addWidget(closed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_open);
    connect(m_head, &ScenarioHeadForm::changeWanted, this, &ScenarioForm::changeWanted);
    connect(m_step, &ScenarioStepForm::changeWanted, this, &ScenarioForm::changeWanted);
    connect(m_step, &ScenarioStepForm::textWanted, this, &ScenarioForm::textWanted);
    connect(&theme, &Theme::changed, m_steps->viewport(), qOverload<>(&QWidget::update));
    m_open->setCurrentWidget(closed);
}

QWidget *ScenarioForm::buildSteps()
{
    auto *side = new QWidget(this);
    side->setProperty("role", QStringLiteral("side"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setMinimumWidth(180);
    m_steps->setProperty("role", QStringLiteral("cards"));
    m_steps->setAccessibleName(tr("Steps"));
    m_steps->setItemDelegate(new ScenarioListDelegate(m_theme, m_steps));
    m_steps->setMouseTracking(true);
    m_steps->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_showing && row >= 0)
            chooseStep(row - 1);
    });
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    const auto add = [&](const QString &sign, const QString &name, const QKeySequence &key, auto &&act) {
        auto *button = new QToolButton(side);
        button->setText(sign);
        button->setAccessibleName(name);
        button->setToolTip(plainToolTip(name + QStringLiteral(" (%1)").arg(key.toString(QKeySequence::NativeText))));
        button->setProperty("role", QStringLiteral("button"));
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        buttons->addWidget(button);
        connect(button, &QToolButton::clicked, this, act);
        auto *shortcut = new QShortcut(key, m_steps, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, button, &QToolButton::click);
        return button;
    };
    add(QStringLiteral("+"), tr("Add a step"), Qt::Key_Insert, [this] { addStep(); });
    m_stepButtons = {
        add(QStringLiteral("×2"), tr("Duplicate the step"), Qt::CTRL | Qt::Key_D, [this] { duplicateStep(); }),
        add(QStringLiteral("↑"), tr("Move the step up"), Qt::ALT | Qt::Key_Up, [this] { moveStep(-1); }),
        add(QStringLiteral("↓"), tr("Move the step down"), Qt::ALT | Qt::Key_Down, [this] { moveStep(1); }),
        add(QStringLiteral("✕"), tr("Delete the step"), Qt::Key_Delete, [this] { removeStep(); }),
    };
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_steps, 1);
    layout->addLayout(buttons);
    return side;
}

void ScenarioForm::setText(const std::string &json, const std::vector<lab::ScenarioError> &errors)
{
    m_draft = lab::draftOf(json, errors);
    m_open->setCurrentIndex(isOpen() ? 0 : 1);
    if (!isOpen())
        return;
    showSteps();
    chooseStep(m_chosen);
}

void ScenarioForm::chooseStep(int step)
{
    m_chosen = std::clamp(step, -1, static_cast<int>(m_draft.stepCount()) - 1);
    const QScopedValueRollback showing(m_showing, true);
    m_steps->setCurrentRow(m_chosen + 1);
    for (QToolButton *button : m_stepButtons)
        button->setEnabled(m_chosen >= 0);
    m_pages->setCurrentIndex(m_chosen < 0 ? 0 : 1);
    if (m_chosen < 0)
        m_head->setDraft(m_draft);
    else
        m_step->setDraft(m_draft, static_cast<std::size_t>(m_chosen));
}

void ScenarioForm::showSteps()
{
    const QScopedValueRollback showing(m_showing, true);
    const int rows = static_cast<int>(m_draft.stepCount()) + 1;
    while (m_steps->count() > rows)
        delete m_steps->takeItem(m_steps->count() - 1);
    while (m_steps->count() < rows)
        m_steps->addItem(QString());
    for (int row = 0; row < rows; ++row) {
        const auto step = row == 0 ? std::nullopt : std::optional(static_cast<std::size_t>(row - 1));
        const auto wrong = std::ranges::find_if(
            m_draft.errors, [&](const lab::ScenarioError &error) { return lab::stepOf(error.path) == step; });
        const bool isWrong = wrong != m_draft.errors.end();
        QListWidgetItem &item = *m_steps->item(row);
        item.setText(
            step ? QStringLiteral("%1  %2").arg(row).arg(stepSummary(m_draft.step(*step))) : tr("The scenario"));
        item.setData(ScenarioListDelegate::IsBroken, isWrong);
        item.setToolTip(plainToolTip(isWrong ? item.text() + u'\n' + wrong->message : item.text()));
    }
}

void ScenarioForm::addStep()
{
    const JsonValue *steps = lab::memberOf(m_draft.value, "steps");
    if (steps && !steps->is_array())
        return Q_EMIT textWanted(StepsPath);
    const std::vector<std::string> clients = m_draft.clients();
    const std::vector<std::string> locks = m_draft.locks();
    const JsonValue step{ { "client", clients.empty() ? "A" : clients.front() }, { "do", "lock" },
        { "lock", locks.empty() ? "orders" : locks.front() } };
    m_chosen += 1;
    const auto index = static_cast<std::size_t>(m_chosen);
    if (steps)
        Q_EMIT changeWanted(lab::insertElement(m_draft.json, StepsPath, index, lab::lineOf(step)), {});
    else
        Q_EMIT changeWanted(lab::setMember(m_draft.json, {}, "steps", JsonValue::array({ step })), {});
}

/// An id is unique: that of the copy gets a number.
void ScenarioForm::duplicateStep()
{
    if (m_chosen < 0)
        return;
    const auto index = static_cast<std::size_t>(m_chosen);
    std::string copy = lab::textAt(m_draft.json, lab::stepPath(index));
    if (const std::string id = lab::textOf(m_draft.step(index), "id"); !id.empty()) {
        const std::vector<std::string> taken = m_draft.idsBefore(m_draft.stepCount());
        int number = 2;
        while (std::ranges::find(taken, id + " " + std::to_string(number)) != taken.end())
            ++number;
        copy = lab::changed(copy, lab::setMember(copy, {}, "id", id + " " + std::to_string(number)));
    }
    m_chosen += 1;
    Q_EMIT changeWanted(lab::insertElement(m_draft.json, StepsPath, index + 1, copy), {});
}

void ScenarioForm::moveStep(int by)
{
    const int to = m_chosen + by;
    if (m_chosen < 0 || to < 0 || to >= static_cast<int>(m_draft.stepCount()))
        return;
    const auto first = static_cast<std::size_t>(std::min(m_chosen, to));
    m_chosen = to;
    Q_EMIT changeWanted(lab::swapWithNext(m_draft.json, StepsPath, first), {});
}

void ScenarioForm::removeStep()
{
    if (m_chosen < 0)
        return;
    const auto index = static_cast<std::size_t>(m_chosen);
    m_chosen = std::min(m_chosen, static_cast<int>(m_draft.stepCount()) - 2);
    Q_EMIT changeWanted(lab::removeElement(m_draft.json, StepsPath, index), {});
}

} // namespace lockui
