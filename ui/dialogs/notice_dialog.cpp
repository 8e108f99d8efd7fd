// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/notice_dialog.h"

#include "ui/dialogs/fit_height.h"
#include "ui/support/bullet_list.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
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

} // namespace lockui
