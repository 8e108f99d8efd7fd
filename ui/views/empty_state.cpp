// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/empty_state.h"

#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

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
    , m_buttons{ new QPushButton(this), new QPushButton(this), new QPushButton(this) }
    , m_presses(new PressGuard({ m_buttons[0], m_buttons[1], m_buttons[2] }, this))
{
    for (QLabel *label : { m_text, m_detail }) {
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignHCenter);
        label->setFixedWidth(TextWidth);
    }
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_buttons.front()->setProperty("role", QStringLiteral("primary"));
    for (QPushButton *button : m_buttons)
        pressByEnter(*button);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        buttons->addWidget(m_buttons[i]);
        connect(m_buttons[i], &QPushButton::clicked, this, [this, i] { choose(i); });
    }
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
}

void EmptyState::choose(std::size_t button)
{
    if (const WayOut way = buttons()[button].way; way != WayOut::None)
        Q_EMIT wayOutChosen(way);
    else if (button == 0)
        Q_EMIT primaryChosen();
    else
        Q_EMIT secondaryChosen();
}

bool EmptyState::leadsOut() const
{
    return std::ranges::any_of(buttons(), [](const Button &button) { return button.way != WayOut::None; });
}

EmptyState::Content EmptyState::notConnected()
{
    return { tr("Not connected"), tr("Choose the Redis server whose locks you want to see."), {},
        { tr("Connect…"), WayOut::Connect }, {} };
}

EmptyState::Content EmptyState::nothingMatches(const QString &text, const QString &primary, bool isFiltered)
{
    return { isFiltered ? tr("Nothing matches the filter") : tr("Nothing matches what is chosen"), text, {}, primary,
        {} };
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
    const auto before = buttons();
    const bool hadButtons
        = isVisible() && std::ranges::any_of(before, [](const Button &each) { return !each.text.isEmpty(); });
    m_content = content;
    if (hadButtons && before != buttons())
        m_presses->begin();
    m_title->setText(content.title);
    setWrappedText(*m_text, content.text);
    setWrappedText(*m_detail, content.detail);
    setFocusProxy(nullptr); // a button that is hidden hands the focus to this
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const QString text = buttons()[i].text;
        m_buttons[i]->setText(text);
        showSafely(*m_buttons[i], !text.isEmpty(), *this);
    }
    setAccessibleName(content.title);
    setAccessibleDescription(content.text);
    if (!hasPrimary())
        return;
    setFocusProxy(m_buttons.front());
    if (window()->focusWidget() == this) // also while another window is the active one
        setFocus(Qt::OtherFocusReason);
}

} // namespace lockui
