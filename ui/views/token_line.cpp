// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/token_line.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTimer>

namespace lockui {

using namespace lockcore::synchronizers;

TokenLine::TokenLine(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel(QStringLiteral("section"), this))
    , m_token(new ElidedLabel(QStringLiteral("tokenLine"), this))
    , m_copy(new QPushButton(tr("Copy"), this))
{
    m_token->setElideMode(Qt::ElideMiddle);
    m_copy->setProperty("role", QStringLiteral("compact"));
    m_copy->setAccessibleName(tr("Copy the token"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_token);
    layout->addWidget(m_copy);
    layout->addStretch(1);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_whole);
        constexpr std::chrono::milliseconds Seen{ 1'500 };
        m_copy->setText(tr("Copied"));
        QTimer::singleShot(Seen, m_copy, [this] { m_copy->setText(tr("Copy")); });
    });
}

void TokenLine::show(const lockcore::monitor::LockState &lock)
{
    const bool isOfOthers = isTokenLock(lock.kind) && !lock.holders.empty();
    setVisible(lock.token.has_value() || isOfOthers);
    if (lock.token) {
        m_title->setText(lock.holders.empty() ? tr("Last fencing token") : tr("Fencing token"));
        m_token->setText(countText(*lock.token));
        m_token->setExplanation(tr("It grows with each hold: what the holder writes to should refuse a smaller one."));
        m_whole = QString::number(*lock.token);
    } else if (isOfOthers) {
        const std::string token = toString(lock.holders.front().owner);
        m_title->setText(tr("Token"));
        m_token->setText(displayText(token));
        m_token->setExplanation(tr("What its holder wrote into the key, and shows to release it."));
        m_whole = copyText(token);
    }
}

} // namespace lockui
