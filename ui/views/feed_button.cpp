// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/feed_button.h"

#include "lockcore/base/enum_table.h"
#include "ui/support/display_text.h"
#include "ui/support/node_text.h"
#include "ui/support/widgets.h"

#include <QActionGroup>
#include <QLabel>
#include <QMenu>
#include <QWidgetAction>

namespace lockui {

using lockcore::Feed;

namespace {

constexpr int ReasonWidth = 340;

/// What can be chosen; no feed stands for no choice.
constexpr lockcore::TextRow<Feed> Choices[]{
    { Feed::None, QT_TRANSLATE_NOOP("lockui::FeedButton", "The best that the server permits") },
    { Feed::ClientTracking, QT_TRANSLATE_NOOP("lockui::FeedButton", "Client tracking") },
    { Feed::KeyspaceNotifications, QT_TRANSLATE_NOOP("lockui::FeedButton", "Keyspace notifications") },
    { Feed::Rereading, QT_TRANSLATE_NOOP("lockui::FeedButton", "Re-reading what is known") },
};
static_assert(hasRowForEach(Choices));

} // namespace

FeedButton::FeedButton(QWidget *parent)
    : QToolButton(parent)
    , m_reason(plainLabel(QStringLiteral("muted"), this))
    , m_choices(new QActionGroup(this))
{
    setProperty("role", QStringLiteral("status"));
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setMenu(new QMenu(this));
    m_reason->setWordWrap(true);
    m_reason->setFixedWidth(ReasonWidth);
    m_reason->setContentsMargins(12, 6, 12, 6);
    auto *reason = new QWidgetAction(menu());
    reason->setDefaultWidget(m_reason);
    menu()->addAction(reason);
    menu()->addSeparator();
    for (const auto &choice : Choices)
        addChoice(tr(choice.text), choice.value == Feed::None ? std::nullopt : std::optional(choice.value));
    setStatus(nullptr);
}

void FeedButton::addChoice(const QString &text, std::optional<Feed> feed)
{
    QAction *choice = m_choices->addAction(text);
    choice->setCheckable(true);
    menu()->addAction(choice);
    connect(choice, &QAction::triggered, this, [this, feed] { Q_EMIT feedChosen(feed); });
}

void FeedButton::setStatus(const lockcore::SourceStatus *status)
{
    if (!status)
        m_choices->actions().constFirst()->setChecked(true);
    const bool any = status && status->feed != Feed::None;
    setVisible(any);
    if (!any)
        return;
    setText((status->feedLimited ? tr("feed: %1, limited") : tr("feed: %1")).arg(feedText(status->feed)));
    setStyleProperty(*this, "tone", status->feedLimited ? QStringLiteral("warning") : QString());
    const QString reason = displayText(status->feedReason);
    m_reason->setText(reason);
    setToolTip(plainToolTip(reason));
    setAccessibleDescription(reason);
    m_choices->setEnabled(!status->recordedAt);
}

} // namespace lockui
