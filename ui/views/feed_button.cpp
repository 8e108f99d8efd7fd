// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/feed_button.h"

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
    addChoice(tr("The best that the server permits"), std::nullopt);
    addChoice(tr("Client tracking"), Feed::ClientTracking);
    addChoice(tr("Keyspace notifications"), Feed::KeyspaceNotifications);
    addChoice(tr("Re-reading what is known"), Feed::Rereading);
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
