// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/filter_field.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/printable_text.h"

#include <QAction>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>

namespace lockui {

namespace {

/// What is wrong, and how a name that only looks like one of our words is found all the same.
QString problemText(const lockcore::Error &error)
{
    QString why = lockui::errorReason(error);
    const auto isOfWord = [](const lockcore::Said &said) { return said.phrase == lockcore::Phrase::FilterWrong; };
    const auto said = std::ranges::find_if(error.why, isOfWord);
    if (said == error.why.end() || said->details.front().find(':') == std::string::npos
        || said->details.front().find('"') != std::string::npos)
        return why;
    return why + QLatin1Char('\n')
        + FilterField::tr("In quotes it is looked for as text: \"%1\".").arg(displayText(said->details.front(), 40));
}

} // namespace

FilterField::FilterField(const Theme &theme, QWidget *parent)
    : QLineEdit(parent)
    , m_theme(theme)
    , m_icon(addAction(QIcon(), LeadingPosition))
    , m_note(plainLabel(QStringLiteral("hint"), this))
    , m_problem(plainLabel(QStringLiteral("fieldProblem"), parent != nullptr ? parent->window() : this))
{
    setPlaceholderText(tr("name, holder, kind:fair, waiters:>3, ttl:<5s …"));
    setAccessibleName(tr("Filter"));
    setToolTip(plainToolTip(tr("All words must match; a minus before a word turns it round.\n"
                               "order — in the name or a holder's id\n"
                               "name:sku  holder:7f21  waiter:7f21\n"
                               "client:7f21 — holds it, or stands in its queue\n"
                               "kind:fair — %1\n"
                               "lease:watchdog — watchdog, fixed, unknown\n"
                               "state:free — free, held, waited, late\n"
                               "waiters:>3  ttl:<5s  ttl:none  held:>1m")
                                .arg(QString::fromStdString(lockcore::synchronizers::kindNames()))));
    m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_problem->setWordWrap(true);
    m_problem->hide();
    applyTheme();
    connect(&theme, &Theme::changed, this, &FilterField::applyTheme);
    connect(this, &QLineEdit::textChanged, this, &FilterField::read);
    read();
}

void FilterField::applyTheme() { m_icon->setIcon(tintedIcon(QStringLiteral("search"), m_theme.colors().muted)); }

void FilterField::read()
{
    const auto filter = lockcore::monitor::LockFilter::parse(toBytes(text()), { fromPrintable, lockNameBytes });
    const QString problem = filter ? QString() : problemText(filter.error());
    setStyleProperty(*this, "invalid", filter ? QString() : QStringLiteral("true"));
    const QString asText = filter && !filter->unknownWords().empty()
        ? tr("“%1” as text").arg(lockui::displayText(filter->unknownWords().front(), 40))
        : QString();
    m_note->setText(text().isEmpty() ? tr("Ctrl K") : asText);
    m_note->setVisible(text().isEmpty() || !asText.isEmpty());
    setAccessibleDescription(problem.isEmpty() ? asText : problem);
    placeNote();
    showProblem(problem);
    Q_EMIT filterChanged(filter.value_or(lockcore::monitor::LockFilter()), text());
}

void FilterField::showProblem(const QString &problem)
{
    m_problem->setVisible(!problem.isEmpty());
    if (problem.isEmpty())
        return;
    m_problem->setText(problem + QStringLiteral("\n") + tr("Until it can be read, all locks are shown."));
    m_problem->setFixedWidth(width());
    m_problem->setFixedHeight(m_problem->heightForWidth(width()));
    m_problem->move(mapTo(m_problem->parentWidget(), QPoint(0, height() + spaceBelow())));
    m_problem->raise();
}

void FilterField::keepInSight(const QWidget &titles) { m_titles = &titles; }

int FilterField::spaceBelow() const
{
    constexpr int Least = 4;
    if (!m_titles || !m_titles->isVisible())
        return Least;
    const int end = m_titles->mapTo(window(), QPoint(0, m_titles->height())).y();
    return std::max(Least, end - mapTo(window(), QPoint(0, height())).y());
}

bool FilterField::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QLineEdit::event(event);
    // The tip stands below the pointer, and so below this place.
    QToolTip::showText(mapToGlobal(QPoint(0, height() + spaceBelow())), toolTip(), this);
    return true;
}

void FilterField::resizeEvent(QResizeEvent *event)
{
    QLineEdit::resizeEvent(event);
    placeNote();
    if (m_problem->isVisible())
        read();
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
    QToolTip::hideText();
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
