// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/notice_dialog.h"

#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockui {

NoticeDialog::NoticeDialog(const QString &title, const QString &what, const QString &details, QWidget *parent)
    : QDialog(parent)
    , m_what(plainLabel(QStringLiteral("dialogTitle"), this))
    , m_details(new BulletList(QStringLiteral("muted"), this))
    , m_buttons(new QHBoxLayout)
{
    setWindowTitle(title);
    setMinimumWidth(460);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    m_what->setText(what);
    m_what->setWordWrap(true);
    layout->addWidget(m_what);
    m_details->setObjectName(QStringLiteral("details"));
    m_details->setText(details);
    m_details->setVisible(!details.isEmpty());
    layout->addWidget(m_details);
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

void NoticeDialog::add(const QString &what, const QString &details)
{
    QStringList lines = m_details->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    const QString said = what == m_what->text() ? details : what + QLatin1Char('\n') + details;
    for (const QString &line : said.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        if (!lines.contains(line))
            lines << line;
    m_details->setText(lines.join(QLatin1Char('\n')));
    m_details->setVisible(!lines.isEmpty());
    fitHeight(*this);
}

void NoticeDialog::show()
{
    setAttribute(Qt::WA_DeleteOnClose);
    fitHeight(*this);
    open();
}

void NoticeDialog::showBeside(bool takesKeys)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_ShowWithoutActivating, !takesKeys);
    fitHeight(*this);
    QDialog::show();
    if (takesKeys)
        activateWindow();
}

PermissionDialog::PermissionDialog(const Texts &texts, bool isProduction, QWidget *parent)
    : QDialog(parent)
    , m_yes(new QPushButton(texts.yes, this))
{
    setWindowTitle(texts.title);
    setMinimumWidth(460);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    QLabel *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(texts.question);
    title->setWordWrap(true);
    QLabel *text = plainLabel(QStringLiteral("muted"), this);
    text->setWordWrap(true);
    text->setText(texts.details);
    layout->addWidget(title);
    layout->addWidget(text);
    m_yes->setProperty("role", QStringLiteral("primary"));
    if (isProduction) {
        m_word = new QLineEdit(this);
        m_word->setAccessibleName(tr("Type PROD to confirm"));
        keepAltOut(*m_word);
        QLabel *asked = plainLabel({}, this);
        asked->setWordWrap(true);
        asked->setText(tr("This is production. To go on, type PROD, in capital letters:"));
        layout->addWidget(asked);
        m_yes->setProperty("role", QStringLiteral("danger"));
        m_yes->setEnabled(false);
        connect(m_word, &QLineEdit::textChanged, m_yes,
            [this](const QString &word) { m_yes->setEnabled(word.trimmed() == QStringLiteral("PROD")); });
        layout->addWidget(m_word);
        QLabel *hint = plainLabel(QStringLiteral("small"), this);
        hint->setWordWrap(true);
        hint->setText(enterHint(texts.yes));
        layout->addWidget(hint);
    }
    auto *cancel = new QPushButton(texts.no, this);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_yes);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    // Enter presses the button that a person has gone to, and no other: in the field of the word it does nothing.
    m_yes->setAutoDefault(false);
    cancel->setAutoDefault(false);
    if (!m_word)
        cancel->setFocus();
    for (QPushButton *each : { cancel, m_yes })
        pressByEnter(*each);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_yes, &QPushButton::clicked, this, &QDialog::accept);
}

WritableDialog::WritableDialog(const ConnectionProfile &profile, QWidget *parent)
    : PermissionDialog(
        { .title = tr("Switch to writable"),
            .question = tr("Make “%1” writable?").arg(profile.titleWithPlace()),
            .details = tr("Then locks can be released by force, and the lab's clients can take locks there. "
                          "Every action on locks of others still asks for a reason and is written to the audit "
                          "log. It ends when you switch back, disconnect or connect elsewhere; a connection that "
                          "is lost and comes back stays writable."),
            .yes = tr("Switch to writable"),
            .no = tr("Stay read-only") },
        profile.isProduction(), parent)
{
}

ContentionDialog::ContentionDialog(const QString &server, bool isProduction, QWidget *parent)
    : PermissionDialog(
        { .title = tr("Contend on the connected server"),
            .question = tr("Let clients contend on “%1”?").arg(server),
            .details = tr("They take locks of their own, under names that nobody else has, as fast as the knobs "
                          "say: that is load for whoever else uses this server. All keys with these names are "
                          "removed when it stops, also when Lockscope is closed or killed. Nothing else is "
                          "touched, except by clients that you lead by hand."),
            .yes = tr("Let them contend"),
            .no = tr("Leave it") },
        isProduction, parent)
{
}

WatchPlayDialog::WatchPlayDialog(const QString &connection, QWidget *parent)
    : PermissionDialog(
        { .title = tr("Watch the play"),
            .question = tr("Leave “%1” and watch the play in this window?").arg(connection),
            .details
            = tr("The window forgets the events and the timeline of the connection, and a recording of it ends. "
                 "When the play is over the connection is opened again, read-only. To watch both, copy the "
                 "address of the play's server, if it has one, and open it in a second window."),
            .yes = tr("Leave it and watch the play"),
            .no = tr("Stay connected") },
        false, parent)
{
}

ShowRecordingDialog::ShowRecordingDialog(const QString &connection, QWidget *parent)
    : PermissionDialog(
        { .title = tr("Show the recording"),
            .question = tr("Close the connection to “%1” and show the recording?").arg(connection),
            .details = tr("The window forgets the events and the timeline of the connection, and when that is opened "
                          "again it is read-only. The recording can also be opened later (Ctrl+O), or in a second "
                          "window: lockscope --replay and its name."),
            .yes = tr("Close it and show the recording"),
            .no = tr("Go on watching") },
        false, parent)
{
}

} // namespace lockui
