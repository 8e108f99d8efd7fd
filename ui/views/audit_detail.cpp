// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/audit_detail.h"

#include "lockcore/base/error.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"
#include "ui/support/widgets.h"
#include "ui/text/audit_text.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/printable_text.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace lockui {

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using transport::wallNow;

namespace {

constexpr int NameWidth = 120;

QString toneNameOf(AuditState state)
{
    switch (state) {
    case AuditState::Done:
        return QStringLiteral("good");
    case AuditState::Failed:
    case AuditState::AnswerLost:
        return QStringLiteral("danger");
    case AuditState::Refused:
    case AuditState::Interrupted:
    case AuditState::Other:
        return QStringLiteral("warning");
    case AuditState::UnderWay:
        return {};
    }
    return {};
}

QString kindOf(const AuditEntry &entry)
{
    const auto kind = kindNamed(entry.kind);
    return kind ? kindText(*kind) : displayText(entry.kind);
}

} // namespace

AuditDetail::AuditDetail(QWidget *parent)
    : QWidget(parent)
    , m_hint(plainLabel(QStringLiteral("muted"), this))
    , m_body(new QWidget(this))
{
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Details of the chosen action"));
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);

    m_list = new QWidget;
    auto *lines = new QVBoxLayout(m_list);
    lines->setContentsMargins(0, 0, 0, 0);
    m_grid = new QGridLayout;
    lines->addLayout(m_grid);
    lines->addStretch(1);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(7);
    m_grid->setColumnMinimumWidth(0, NameWidth);
    m_grid->setColumnStretch(1, 1);
    auto *scrolled = new QScrollArea(m_body);
    scrolled->setWidgetResizable(true);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrolled->setAccessibleName(tr("What was recorded"));
    scrolled->setWidget(m_list);
    scrolled->viewport()->setAutoFillBackground(false);
    m_list->setAutoFillBackground(false);

    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(16, 12, 16, 8);
    body->setSpacing(12);
    body->addLayout(buildHead());
    body->addWidget(scrolled, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_body, 1);
    showEntry();
}

QLayout *AuditDetail::buildHead()
{
    m_action = plainLabel(QStringLiteral("product"), m_body);
    m_lock = new ElidedLabel(QStringLiteral("lockTitle"), m_body);
    m_lock->setElideMode(Qt::ElideMiddle);
    m_state = plainLabel(QStringLiteral("pill"), m_body);
    m_open = new QPushButton(tr("Show lock"), m_body);
    m_copy = new QPushButton(tr("Copy record"), m_body);
    m_copy->setToolTip(tr("Copies the lines of the log, as they stand there"));
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT lockOpened(m_entry->lock); });
    connect(m_copy, &QPushButton::clicked, this, &AuditDetail::copyRecord);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_action);
    head->addWidget(m_lock);
    head->addWidget(m_state, 0, Qt::AlignVCenter);
    head->addStretch(1);
    head->addWidget(m_open);
    head->addWidget(m_copy);
    return head;
}

void AuditDetail::setEntry(const std::optional<AuditEntry> &entry)
{
    if (entry == m_entry)
        return;
    m_entry = entry;
    showEntry();
}

void AuditDetail::setHint(const QString &hint) { m_hint->setText(hint); }

void AuditDetail::setClientNames(const ClientNames *names)
{
    m_names = names;
    if (names != nullptr)
        connect(names, &ClientNames::changed, this, &AuditDetail::showEntry);
    showEntry();
}

void AuditDetail::setLockIsThere(bool isThere)
{
    m_open->setEnabled(isThere);
    m_open->setToolTip(isThere ? tr("The lock of this name, where it is shown now")
                               : tr("There is no lock of this name among those that are shown now."));
}

void AuditDetail::setMoment(const std::optional<WallTime> &moment)
{
    m_moment = moment;
    lookAtTheTime();
}

WallTime AuditDetail::now() const { return m_moment.value_or(wallNow()); }

void AuditDetail::lookAtTheTime()
{
    if (m_entry && m_shownState != stateOf(*m_entry, now()))
        showEntry();
}

void AuditDetail::showEntry()
{
    m_hint->setVisible(!m_entry);
    m_body->setVisible(m_entry.has_value());
    if (!m_entry)
        return;
    m_shownState = stateOf(*m_entry, now());
    m_action->setText(actionText(*m_entry));
    m_lock->setText(lockNameText(m_entry->lock));
    m_state->setText(auditStateText(*m_entry, now()));
    setStyleProperty(*m_state, "tone", toneNameOf(*m_shownState));
    showRows(rows());
}

std::vector<AuditDetail::Row> AuditDetail::rows() const
{
    std::vector<Row> rows;
    if (const QString meaning = auditStateExplanation(*m_entry, now()); !meaning.isEmpty())
        rows.push_back({ tr("Outcome"), meaning, false, toneNameOf(*m_shownState) });
    addIntent(rows);
    addOutcome(rows);
    if (!m_entry->outcome)
        rows.push_back({ tr("Answered"), m_moment ? tr("not finished at this moment") : tr("nothing is recorded"),
            false, QStringLiteral("warning") });
    rows.push_back({ tr("Record"), displayText(m_entry->id), true });
    return rows;
}

QString AuditDetail::endText(const AuditedEnd &end) { return end.at ? zonedText(*end.at) : tr("never"); }

void AuditDetail::addIntent(std::vector<Row> &rows) const
{
    const AuditEntry &entry = *m_entry;
    const QString when = entry.begunAt ? zonedText(*entry.begunAt) : tr("unknown");
    QString who = auditPersonText(entry);
    if (!entry.program.empty())
        who = entry.process
            ? tr("%1, with %2 (process %3)").arg(who, displayText(entry.program), QString::number(*entry.process))
            : tr("%1, with %2").arg(who, displayText(entry.program));
    rows.push_back({ tr("Reason"), displayText(entry.reason) });
    rows.push_back({ tr("Asked"), when + QStringLiteral("   ") + who });
    rows.push_back({ tr("Where"), displayText(entry.endpoint), true });
    if (const QString connection = auditConnectionText(entry); !connection.isEmpty())
        rows.push_back({ tr("Connection"), connection });
    if (const QString servers = notAskedText(entry); !servers.isEmpty())
        rows.push_back(
            { tr("Not asked"), tr("%1: may have had the lock").arg(servers), false, QStringLiteral("warning") });
    if (!entry.kind.empty())
        rows.push_back({ tr("Kind"), kindOf(entry) });
    if (!entry.expected.empty()) {
        QString seen = ownerTexts(entry.expected, m_names).join(QLatin1Char('\n'));
        if (entry.onlyThese)
            seen += QLatin1Char('\n') + tr("These read holds alone; who else read kept his.");
        rows.push_back({ tr("Seen as holders"), seen, true });
    }
    if (entry.seenEnd)
        rows.push_back({ tr("Would end, as seen"), endText(*entry.seenEnd) });
    if (entry.waiter)
        rows.push_back({ tr("Waiter"), fullNamedOwner(*entry.waiter, m_names), true });
    if (entry.byHand)
        rows.push_back({ tr("Client by hand"), ownerTexts({ *entry.byHand }, m_names).front(), true });
    if (entry.permit)
        rows.push_back({ tr("Permit"), displayText(*entry.permit), true });
    if (entry.ttl)
        rows.push_back({ tr("New time to live"), ttlText(*entry.ttl) });
}

void AuditDetail::addOutcome(std::vector<Row> &rows) const
{
    if (!m_entry->outcome)
        return;
    const AuditOutcome &outcome = *m_entry->outcome;
    QString answered = outcome.at ? zonedText(*outcome.at) : tr("unknown");
    if (outcome.at && m_entry->begunAt && *outcome.at >= *m_entry->begunAt)
        answered += QStringLiteral("   ") + tr("after %1").arg(exactDurationText(*outcome.at - *m_entry->begunAt));
    if (!outcome.endpoint.empty())
        answered += QStringLiteral("   ") + tr("by %1").arg(displayText(outcome.endpoint));
    const bool isAnswered = !outcome.isUnsent && m_shownState != AuditState::AnswerLost;
    rows.push_back({ isAnswered ? tr("Answered") : tr("Given up"), answered });
    const bool isError = !outcome.error.empty() || !outcome.code.empty();
    const bool looksForHolders = !m_entry->waiter && !m_entry->permit && !m_entry->byHand;
    if (!isError && looksForHolders)
        rows.push_back({ tr("Found as holders"),
            outcome.found.empty() ? tr("nobody") : ownerTexts(outcome.found, m_names).join(QLatin1Char('\n')),
            !outcome.found.empty() });
    if (outcome.foundEnd)
        rows.push_back({ tr("Would end, as found"), endText(*outcome.foundEnd), false, toneNameOf(*m_shownState) });
    if (!outcome.waiting.empty()) {
        QStringList waiting;
        for (const OwnerId &owner : outcome.waiting)
            waiting << fullNamedOwner(owner, m_names);
        rows.push_back({ tr("Found in the queue"), waiting.join(QLatin1Char('\n')), true });
    }
    if (outcome.published)
        rows.push_back({ tr("Waking"), tr("The message that wakes who waits was sent.") });
    if (isError)
        rows.push_back({ tr("Error"),
            displayText(outcome.error.empty() ? outcome.code : outcome.error, std::numeric_limits<qsizetype>::max()),
            true, toneNameOf(*m_shownState) });
}

void AuditDetail::showRows(const std::vector<Row> &rows)
{
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int line = 0;
    for (const Row &row : rows) {
        auto *name = plainLabel(QStringLiteral("muted"), m_list);
        name->setText(row.name);
        m_grid->addWidget(name, line, 0, Qt::AlignTop);
        m_grid->addWidget(valueOf(row), line, 1);
        ++line;
    }
}

QWidget *AuditDetail::valueOf(const Row &row) const
{
    constexpr qsizetype LongestWord = 90; // what cannot be broken would make the panel as wide as itself
    const QStringList words = row.text.split(QRegularExpression(QStringLiteral("\\s")));
    if (std::ranges::any_of(words, [](const QString &word) { return word.size() > LongestWord; })) {
        auto *line = new ElidedLabel(QStringLiteral("mutedLine"), m_list);
        line->setText(row.text);
        return line;
    }
    QLabel *text = plainLabel(row.isMono ? QStringLiteral("mono") : QString(), m_list);
    text->setText(row.text);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setFocusPolicy(Qt::ClickFocus); // each a stop of the tab key would be many
    text->setAccessibleName(row.name);
    text->setAccessibleDescription(row.text);
    setStyleProperty(*text, "tone", row.tone);
    return text;
}

void AuditDetail::copyRecord() const
{
    QStringList lines;
    for (const std::string &line : m_entry->lines)
        lines << QString::fromStdString(withoutControls(line)); // JSON, which stays that
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace lockui
