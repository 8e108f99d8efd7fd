// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/guarded_dialog.h"

#include "ui/dialogs/fit_height.h"
#include "ui/support/display_text.h"
#include "ui/support/error_text.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <limits>

namespace lockui {

using namespace lockcore;

namespace {

/// What has to be typed: the name as it is shown, whole.
QString wholeName(const LockName &name) { return displayText(name, std::numeric_limits<qsizetype>::max()); }

QLabel *addNote(QVBoxLayout &layout, const QString &role, QWidget *parent)
{
    QLabel *label = plainLabel(role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    layout.addWidget(label);
    return label;
}

} // namespace

GuardedDialog::GuardedDialog(Words words, Lock seen, bool typesName, QWidget *parent)
    : QDialog(parent)
    , m_words(std::move(words))
    , m_seen(std::move(seen))
    , m_current(m_seen)
    , m_typesName(typesName)
{
}

void GuardedDialog::build(QWidget *subject, const QString &warning)
{
    setWindowTitle(m_words.title);
    setMinimumWidth(560);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 18);
    layout->setSpacing(8);
    auto *name = plainLabel(QStringLiteral("lockTitle"), this);
    name->setText(displayText(m_seen->name));
    name->setWordWrap(true);
    name->setAccessibleName(tr("Lock %1").arg(name->text()));
    layout->addWidget(name);
    layout->addWidget(subject);
    auto *warnings = plainLabel(QStringLiteral("warningBox"), this);
    warnings->setText(warning);
    warnings->setWordWrap(true);
    layout->addWidget(warnings);

    m_questions = new QWidget(this);
    auto *inner = new QVBoxLayout(m_questions);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    m_reason = addQuestion(*inner, tr("&Reason, for the audit log"));
    m_reason->setPlaceholderText(tr("ticket, who asked for it, why now"));
    if (m_typesName) {
        m_typedName = addQuestion(*inner, tr("Type the lock's &name to confirm"));
        m_typedName->setPlaceholderText(displayText(m_seen->name));
    }
    layout->addWidget(m_questions);
    m_note = addNote(*layout, {}, this);
    m_trouble = addNote(*layout, QStringLiteral("dangerBox"), this);
    layout->addStretch();

    m_why = plainLabel(QStringLiteral("fieldError"), this);
    m_why->setWordWrap(true);
    m_close = new QPushButton(tr("Cancel"), this);
    m_close->setAutoDefault(false);
    m_confirm = new QPushButton(m_words.action, this);
    m_confirm->setProperty("role", QStringLiteral("danger"));
    m_confirm->setAutoDefault(false); // not by Enter in a field
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &GuardedDialog::confirm);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_why, 1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_confirm);
    layout->addLayout(buttons);
    m_reason->setFocus();
    refresh();
}

QLineEdit *GuardedDialog::addQuestion(QVBoxLayout &layout, const QString &question)
{
    auto *edit = new QLineEdit(this);
    edit->setAccessibleName(QString(question).remove(QLatin1Char('&')));
    auto *title = plainLabel(QStringLiteral("section"), this);
    title->setText(question);
    title->setBuddy(edit);
    layout.addWidget(title);
    layout.addWidget(edit);
    connect(edit, &QLineEdit::textChanged, this, &GuardedDialog::refresh);
    return edit;
}

void GuardedDialog::setCurrent(Lock lock)
{
    if (m_step == Step::Done || lock == m_current)
        return;
    m_current = std::move(lock);
    refresh();
}

void GuardedDialog::setStatus(const SourceStatus &status)
{
    m_live = status.phase == SourcePhase::Live || status.phase == SourcePhase::Sweeping;
    refresh();
}

/// Why it cannot be done now; empty: it can.
QString GuardedDialog::obstacle() const
{
    if (m_step != Step::Asking)
        return {};
    if (!m_live)
        return tr("The connection is lost: nobody knows what is there now.");
    if (!m_current)
        return tr("The lock is no longer in Redis.");
    if (QString change = changed(); !change.isEmpty())
        return change;
    if (m_reason->text().trimmed().isEmpty())
        return tr("A reason is needed.");
    if (m_typedName && m_typedName->text() != wholeName(m_seen->name))
        return tr("The lock's name is not typed yet, letter for letter.");
    return {};
}

void GuardedDialog::refresh()
{
    const QString why = obstacle();
    m_why->setText(why);
    m_confirm->setEnabled(why.isEmpty() && m_step == Step::Asking);
    m_confirm->setAccessibleDescription(why);
    fitHeight(*this);
}

void GuardedDialog::confirm()
{
    if (m_step != Step::Asking || !obstacle().isEmpty())
        return;
    m_step = Step::Sent;
    m_questions->setEnabled(false);
    say(m_note, tr("Sent. Waiting for the server's answer …"));
    refresh();
    Q_EMIT confirmed(command(toBytes(m_reason->text().trimmed())));
}

void GuardedDialog::setOutcome(const Result<CommandOutcome> &outcome)
{
    m_questions->setEnabled(true);
    m_step = outcome && outcome->done ? Step::Done : Step::Asking;
    if (!outcome) {
        say(m_trouble, errorText(outcome.error().code) + QLatin1Char('\n') + errorDetail(outcome.error()));
    } else if (!outcome->done) {
        say(m_trouble, tr("Refused, and nothing was changed.") + QLatin1Char('\n') + refusal(*outcome));
    } else {
        say(m_note, QStringLiteral("✓ ") + m_words.done);
        m_questions->hide();
        m_confirm->hide();
        m_close->setText(tr("Close"));
        m_close->setFocus();
    }
    refresh();
}

void GuardedDialog::say(QLabel *label, const QString &text)
{
    m_note->setVisible(label == m_note);
    m_trouble->setVisible(label == m_trouble);
    label->setText(text);
}

} // namespace lockui
