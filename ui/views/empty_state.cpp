// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/empty_state.h"

#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace lockui {

namespace {

constexpr int TextWidth = 520;

/// A layout that aligns a label gives it the height of a guess, not that of its lines.
void setWrappedText(QLabel &label, const QString &text)
{
    label.setText(text);
    label.setVisible(!text.isEmpty());
    if (!text.isEmpty())
        label.setFixedHeight(label.heightForWidth(TextWidth));
}

} // namespace

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel(QStringLiteral("emptyTitle"), this))
    , m_text(plainLabel(QStringLiteral("emptyText"), this))
    , m_detail(plainLabel(QStringLiteral("emptyDetail"), this))
    , m_primary(new QPushButton(this))
    , m_secondary(new QPushButton(this))
    , m_presses(new PressGuard({ m_primary, m_secondary }, this))
{
    for (QLabel *label : { m_text, m_detail }) {
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignHCenter);
        label->setFixedWidth(TextWidth);
    }
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_primary->setProperty("role", QStringLiteral("primary"));
    for (QPushButton *button : { m_primary, m_secondary })
        pressByEnter(*button);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(m_primary);
    buttons->addWidget(m_secondary);
    buttons->addStretch();

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addWidget(m_detail, 0, Qt::AlignHCenter);
    layout->addSpacing(6);
    layout->addLayout(buttons);
    layout->addStretch(3);

    connect(m_primary, &QPushButton::clicked, this, &EmptyState::primaryChosen);
    connect(m_secondary, &QPushButton::clicked, this, &EmptyState::secondaryChosen);
}

EmptyState::Content EmptyState::notConnected()
{
    return { tr("Not connected"), tr("Choose the Redis server whose locks you want to see."), {}, tr("Connect…"), {} };
}

EmptyState::Content EmptyState::nothingMatches(const QString &text, const QString &primary)
{
    return { tr("Nothing matches the filter"), text, {}, primary, {} };
}

QString EmptyState::clearFilter() { return tr("Clear the filter"); }

FilteredBox::FilteredBox(QWidget *content, QWidget *parent)
    : QStackedWidget(parent)
{
    auto *empty = new EmptyState(this);
    empty->setContent(EmptyState::nothingMatches({}, EmptyState::clearFilter()));
    addWidget(content);
    addWidget(empty);
    connect(empty, &EmptyState::primaryChosen, this, &FilteredBox::clearFilterRequested);
}

void EmptyState::setContent(const Content &content)
{
    if (content == m_content)
        return;
    const bool hadButtons = isVisible() && (!m_content.primary.isEmpty() || !m_content.secondary.isEmpty());
    if (hadButtons && (content.primary != m_content.primary || content.secondary != m_content.secondary))
        m_presses->begin();
    m_content = content;
    m_title->setText(content.title);
    setWrappedText(*m_text, content.text);
    setWrappedText(*m_detail, content.detail);
    setFocusProxy(nullptr); // a button that is hidden hands the focus to this
    m_primary->setText(content.primary);
    showSafely(*m_primary, !content.primary.isEmpty(), *this);
    m_secondary->setText(content.secondary);
    showSafely(*m_secondary, !content.secondary.isEmpty(), *this);
    setAccessibleName(content.title);
    setAccessibleDescription(content.text);
    if (!hasPrimary())
        return;
    setFocusProxy(m_primary);
    if (window()->focusWidget() == this) // also while another window is the active one
        setFocus(Qt::OtherFocusReason);
}

} // namespace lockui
