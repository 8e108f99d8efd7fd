// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/scenario_dialogs.h"

#include "ui/support/widgets.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockui {

namespace {

QVBoxLayout *dialogLayout(QDialog &dialog, const QString &question)
{
    dialog.setMinimumWidth(440);
    auto *layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    QLabel *heading = plainLabel(QStringLiteral("dialogTitle"), &dialog);
    heading->setText(question);
    heading->setWordWrap(true);
    layout->addWidget(heading);
    return layout;
}

} // namespace

ScenarioNameDialog::ScenarioNameDialog(
    const lab::OwnScenarios &store, const Words &words, const std::string &suggested, QWidget *parent)
    : QDialog(parent)
    , m_store(store)
    , m_name(new QLineEdit(QString::fromStdString(suggested), this))
    , m_problem(plainLabel(QStringLiteral("fieldError"), this))
    , m_choose(new QPushButton(words.action, this))
{
    setWindowTitle(words.title);
    QVBoxLayout *layout = dialogLayout(*this, words.title);
    m_name->setAccessibleName(tr("Name of the scenario"));
    m_name->selectAll();
    m_problem->setWordWrap(true);
    QLabel *hint = plainLabel(QStringLiteral("hint"), this);
    hint->setText(tr("It is kept under this name, and lockctl run plays it by it."));
    hint->setWordWrap(true);
    m_choose->setProperty("role", QStringLiteral("primary"));
    m_choose->setDefault(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_choose);
    layout->addWidget(m_name);
    layout->addWidget(hint);
    layout->addWidget(m_problem);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_name, &QLineEdit::textChanged, this, &ScenarioNameDialog::check);
    connect(m_choose, &QPushButton::clicked, this, [this] {
        const std::string name = m_name->text().toStdString();
        accept();
        Q_EMIT chosen(name);
    });
    check();
}

void ScenarioNameDialog::check()
{
    const std::string name = m_name->text().toStdString();
    QString problem = lab::OwnScenarios::nameProblem(name);
    if (problem.isEmpty() && QFileInfo::exists(m_store.fileOf(name)))
        problem = tr("There is a scenario of this name already.");
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_choose->setEnabled(problem.isEmpty());
    if (isVisible())
        fitHeight(*this);
}

void ScenarioNameDialog::show()
{
    setAttribute(Qt::WA_DeleteOnClose);
    fitHeight(*this);
    m_name->setFocus();
    open();
}

QuestionDialog::QuestionDialog(const QString &question, const QString &details, QWidget *parent)
    : QDialog(parent)
    , m_buttons(new QHBoxLayout)
{
    setWindowTitle(tr("Scenario"));
    QVBoxLayout *layout = dialogLayout(*this, question);
    QLabel *text = plainLabel(QStringLiteral("muted"), this);
    text->setText(details);
    text->setWordWrap(true);
    text->setVisible(!details.isEmpty());
    layout->addWidget(text);
    layout->addSpacing(4);
    layout->addLayout(m_buttons);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setDefault(true);
    m_buttons->addStretch();
    m_buttons->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void QuestionDialog::addAnswer(const QString &text, const QString &role, std::function<void()> then)
{
    auto *button = new QPushButton(text, this);
    button->setProperty("role", role);
    button->setAutoDefault(false);
    m_buttons->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, then = std::move(then)] {
        accept();
        then();
    });
}

void QuestionDialog::show()
{
    setAttribute(Qt::WA_DeleteOnClose);
    fitHeight(*this);
    open();
}

} // namespace lockui
