// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/notice_dialog.h"

#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace lockui {

NoticeDialog::NoticeDialog(const QString &title, const QString &what, const QString &details, QWidget *parent)
    : QDialog(parent)
    , m_buttons(new QHBoxLayout)
{
    setWindowTitle(title);
    setMinimumWidth(460);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    QLabel *heading = plainLabel(QStringLiteral("dialogTitle"), this);
    heading->setText(what);
    heading->setWordWrap(true);
    layout->addWidget(heading);
    auto *text = new BulletList(QStringLiteral("muted"), this);
    text->setObjectName(QStringLiteral("details"));
    text->setText(details);
    text->setVisible(!details.isEmpty());
    layout->addWidget(text);
    layout->addSpacing(4);
    layout->addLayout(m_buttons);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    m_buttons->addStretch();
    m_buttons->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
}

QPushButton *NoticeDialog::addAction(const QString &text)
{
    auto *button = new QPushButton(text, this);
    button->setAutoDefault(false);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

void NoticeDialog::show()
{
    setAttribute(Qt::WA_DeleteOnClose);
    fitHeight(*this);
    open();
}

WritableDialog::WritableDialog(const ConnectionProfile &profile, QWidget *parent)
    : QDialog(parent)
    , m_switch(new QPushButton(tr("Switch to writable"), this))
{
    setWindowTitle(tr("Switch to writable"));
    setMinimumWidth(460);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    QLabel *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(tr("Make “%1” writable?").arg(profile.titleWithPlace()));
    title->setWordWrap(true);
    QLabel *text = plainLabel(QStringLiteral("muted"), this);
    text->setWordWrap(true);
    text->setText(
        tr("Then locks can be released by force, and manual clients can take locks there. "
           "Every action still asks for a reason and is written to the audit log. "
           "It ends when you switch back, disconnect or connect elsewhere; a connection that is lost and comes "
           "back stays writable."));
    layout->addWidget(title);
    layout->addWidget(text);
    m_switch->setProperty("role", QStringLiteral("primary"));
    if (profile.isProduction()) {
        m_word = new QLineEdit(this);
        m_word->setPlaceholderText(tr("This is production: type PROD"));
        m_word->setAccessibleName(tr("Type PROD to confirm"));
        m_switch->setProperty("role", QStringLiteral("danger"));
        m_switch->setEnabled(false);
        connect(m_word, &QLineEdit::textChanged, m_switch,
            [this](const QString &word) { m_switch->setEnabled(word.trimmed() == QStringLiteral("PROD")); });
        layout->addWidget(m_word);
    }
    auto *cancel = new QPushButton(tr("Stay read-only"), this);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_switch);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    // Enter presses the button that a person has gone to, and no other: in the field of the word it does nothing.
    m_switch->setAutoDefault(false);
    cancel->setAutoDefault(false);
    if (!m_word)
        cancel->setFocus();
    for (QPushButton *each : { cancel, m_switch }) {
        for (const auto key : { Qt::Key_Return, Qt::Key_Enter })
            connect(new QShortcut(key, each, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, each,
                &QPushButton::click);
    }
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_switch, &QPushButton::clicked, this, &QDialog::accept);
}

} // namespace lockui
