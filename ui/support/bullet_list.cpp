// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/bullet_list.h"

#include "ui/support/widgets.h"

#include <QGridLayout>

namespace lockui {

namespace {

const QString Bullet = QStringLiteral("•");

} // namespace

BulletList::BulletList(const QString &role, QWidget *parent)
    : QWidget(parent)
    , m_role(role)
    , m_lines(new QGridLayout(this))
{
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setHorizontalSpacing(8);
    m_lines->setVerticalSpacing(3);
    m_lines->setColumnStretch(1, 1);
}

void BulletList::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    for (QLabel *label : findChildren<QLabel *>(QString(), Qt::FindDirectChildrenOnly))
        delete label;
    const QStringList lines = text.isEmpty() ? QStringList() : text.split(QLatin1Char('\n'));
    for (int row = 0; row < lines.size(); ++row)
        addLine(row, lines[row]);
    setAccessibleName(text);
}

void BulletList::addLine(int row, const QString &line)
{
    const bool hangs = line.startsWith(Bullet);
    auto *label = plainLabel(m_role, this);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus); // each a stop of the tab key would be many
    label->setText(hangs ? line.mid(Bullet.size()).trimmed() : line);
    if (!hangs) {
        m_lines->addWidget(label, row, 0, 1, 2);
        return;
    }
    auto *bullet = plainLabel(m_role, this);
    bullet->setText(Bullet);
    m_lines->addWidget(bullet, row, 0, Qt::AlignTop);
    m_lines->addWidget(label, row, 1);
}

} // namespace lockui
