// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/filter_field.h"

#include "ui/support/display_text.h"
#include "ui/support/icons.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"

#include <QAction>
#include <QKeyEvent>

namespace lockui {

FilterField::FilterField(const Theme &theme, QWidget *parent)
    : QLineEdit(parent)
    , m_theme(theme)
    , m_icon(addAction(QIcon(), LeadingPosition))
    , m_note(plainLabel(QStringLiteral("hint"), this))
{
    setPlaceholderText(tr("name, holder, kind:fair, waiters:>3, ttl:<5s …"));
    setAccessibleName(tr("Filter"));
    setToolTip(
        plainToolTip(tr("All words must match; a minus before a word turns it round.\n"
                        "order — in the name or a holder's id\n"
                        "name:sku  holder:7f21\n"
                        "kind:fair — reentrant, fair, readwrite, fenced, fastermulti, semaphore, permits, latch\n"
                        "lease:watchdog — watchdog, fixed, unknown\n"
                        "state:free — free, held, waited, late\n"
                        "waiters:>3  ttl:<5s  ttl:none  held:>1m")));
    m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
    applyTheme();
    connect(&theme, &Theme::changed, this, &FilterField::applyTheme);
    connect(this, &QLineEdit::textChanged, this, &FilterField::read);
    read();
}

void FilterField::applyTheme() { m_icon->setIcon(tintedIcon(QStringLiteral("search"), m_theme.colors().muted)); }

void FilterField::read()
{
    const auto filter = lockcore::LockFilter::parse(toBytes(text()));
    const QString problem = filter ? QString() : lockui::displayText(filter.error().message);
    setStyleProperty(*this, "invalid", filter ? QString() : QStringLiteral("true"));
    setStyleProperty(*m_note, "role", filter ? QStringLiteral("hint") : QStringLiteral("fieldError"));
    m_note->setText(filter ? tr("Ctrl K") : problem);
    m_note->setVisible(!filter || text().isEmpty());
    setAccessibleDescription(problem);
    placeNote();
    if (filter)
        Q_EMIT filterChanged(*filter, text());
}

void FilterField::resizeEvent(QResizeEvent *event)
{
    QLineEdit::resizeEvent(event);
    placeNote();
}

void FilterField::placeNote()
{
    constexpr int Margin = 10;
    m_note->adjustSize();
    const int noteWidth = std::min(m_note->width(), width() * 2 / 3);
    m_note->setGeometry(width() - noteWidth - Margin, 1, noteWidth, height() - 2);
    setTextMargins(0, 0, m_note->isHidden() ? 0 : noteWidth + Margin, 0);
}

void FilterField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        return;
    }
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT tableRequested();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace lockui
