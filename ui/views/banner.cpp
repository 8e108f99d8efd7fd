// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/banner.h"

#include "ui/support/display_text.h"
#include "ui/support/icons.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace lockui {

Banner::Banner(const Theme &theme, Tone tone, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tone(tone)
    , m_sign(new QLabel(this))
    , m_text(plainLabel({}, this))
    , m_action(new QPushButton(this))
{
    setProperty("role", QStringLiteral("banner"));
    setProperty("tone", tone == Tone::Danger ? QStringLiteral("danger") : QStringLiteral("warning"));
    setAttribute(Qt::WA_StyledBackground);
    m_text->setWordWrap(true);
    m_action->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 16, 7);
    layout->setSpacing(8);
    layout->addWidget(m_sign);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionChosen);
    connect(&theme, &Theme::changed, this, &Banner::applyTheme);
    applyTheme();
    hide();
}

void Banner::setAction(const QString &title)
{
    m_action->setText(title);
    m_action->show();
}

void Banner::say(const QString &text, const QString &more)
{
    m_text->setText(text);
    m_text->setToolTip(more.isEmpty() ? QString() : plainToolTip(more));
    setAccessibleName(text);
}

void Banner::applyTheme()
{
    const QIcon sign = tintedIcon(QStringLiteral("warning"), m_theme.color(m_tone));
    m_sign->setPixmap(sign.pixmap(QSize(16, 16), devicePixelRatioF()));
}

} // namespace lockui
