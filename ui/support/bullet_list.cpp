// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/bullet_list.h"

#include "ui/support/widgets.h"

#include <QGridLayout>

namespace lockui {

namespace {

QString signOf(const QString &line)
{
    for (const QString &sign : { QStringLiteral("•"), QStringLiteral("⚠") })
        if (line.startsWith(sign))
            return sign;
    return {};
}

} // namespace

BulletList::BulletList(const QString &role, QWidget *parent, const QString &tone)
    : QWidget(parent)
    , m_role(role)
    , m_tone(tone)
    , m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(6);
    m_layout->setVerticalSpacing(3);
    m_layout->setColumnStretch(1, 1);
}

/// A line that only says something else keeps its label, and with it what a person has selected elsewhere.
void BulletList::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    const QStringList lines = text.isEmpty() ? QStringList() : text.split(QLatin1Char('\n'));
    const auto keeps = [&](std::size_t i) {
        const QString sign = m_lines[i].sign != nullptr ? m_lines[i].sign->text() : QString();
        return i < static_cast<std::size_t>(lines.size()) && signOf(lines[static_cast<qsizetype>(i)]) == sign;
    };
    std::size_t kept = 0;
    while (kept < m_lines.size() && keeps(kept))
        ++kept;
    for (; m_lines.size() > kept; m_lines.pop_back()) {
        delete m_lines.back().sign;
        delete m_lines.back().text;
    }
    for (const QString &line : lines) {
        const QString sign = signOf(line);
        const auto i = static_cast<std::size_t>(&line - lines.constData());
        if (i == m_lines.size())
            m_lines.push_back(addLine(sign));
        m_lines[i].text->setText(line.mid(sign.size()).trimmed());
    }
    setAccessibleDescription(text);
}

QLabel *BulletList::addLabel()
{
    auto *label = plainLabel(m_role, this);
    label->setProperty("tone", m_tone);
    return label;
}

BulletList::Line BulletList::addLine(const QString &sign)
{
    const int row = static_cast<int>(m_lines.size());
    auto *text = addLabel();
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setFocusPolicy(Qt::ClickFocus); // each a stop of the tab key would be many
    if (sign.isEmpty()) {
        m_layout->addWidget(text, row, 0, 1, 2);
        return { nullptr, text };
    }
    auto *label = addLabel();
    label->setText(sign);
    m_layout->addWidget(label, row, 0, Qt::AlignTop);
    m_layout->addWidget(text, row, 1);
    return { label, text };
}

} // namespace lockui
