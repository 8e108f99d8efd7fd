// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/pages.h"

#include "ui/support/navigation.h"
#include "ui/support/widgets.h"

#include <QShortcut>

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int ListWidth = 152;
constexpr int WideEnough = 1'200; // for a list beside the columns of a table

} // namespace

Pages::Pages(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_side(new QWidget(this))
    , m_list(new Navigation(theme, this))
    , m_stack(new QStackedWidget(this))
    , m_across(new QBoxLayout(QBoxLayout::LeftToRight, this))
    , m_middle(new QVBoxLayout)
{
    m_side->setAttribute(Qt::WA_StyledBackground);
    m_side->hide(); // one page leaves no choice
    auto *sideLayout = new QVBoxLayout(m_side);
    sideLayout->setContentsMargins(0, 0, 1, 1);
    sideLayout->addWidget(m_list);
    m_middle->setSpacing(0);
    m_middle->addWidget(m_stack, 1);
    m_across->setContentsMargins(0, 0, 0, 0);
    m_across->setSpacing(0);
    m_across->addWidget(m_side);
    m_across->addLayout(m_middle, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &Pages::showRow);
    placeList();
}

QWidget &Pages::place() const { return *m_stack; }

void Pages::add(std::string_view id, Page *page)
{
    const auto *name = std::ranges::find(PageNames, id, &PageName::id);
    Q_ASSERT(name != PageNames.end());
    const int row = static_cast<int>(m_entries.size());
    const QKeySequence key(Qt::CTRL | name->key);
    m_entries.push_back({ QString::fromLatin1(id), page });
    page->setOrigin(&m_origin);
    m_stack->addWidget(page);
    m_list->addEntry(titleOf(*name), key);
    connect(page, &Page::lockChosen, this, &Pages::choose);
    connect(page, &Page::lockOpened, this, &Pages::lockOpened);
    connect(page, &Page::wayOutChosen, this, &Pages::wayOutChosen);
    connect(page, &Page::clearFilterRequested, this, &Pages::clearFilterRequested);
    connect(page, &Page::ownFigureChanged, this, [this, row] { showFigure(row); });
    connect(page, &Page::pageRequested, this, [this](const QString &wanted) { go(rowOf(wanted)); });
    connect(new QShortcut(key, this), &QShortcut::activated, this, [this, row] { go(row); });
    if (row == 0)
        m_list->setCurrentRow(0);
    m_side->setVisible(row > 0);
    placeList();
}

/// The keys go there, too.
void Pages::go(int row)
{
    if (row < 0)
        return;
    m_reason = Qt::ShortcutFocusReason;
    m_list->setCurrentRow(row);
    pageAt(row)->setFocus(m_reason);
    m_reason = Qt::OtherFocusReason;
}

void Pages::addBelow(QWidget *widget) { m_middle->addWidget(widget); }

int Pages::rowOf(const QString &id) const
{
    const auto found = std::ranges::find(m_entries, id, &Entry::id);
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

bool Pages::show(const QString &id)
{
    const int row = rowOf(id);
    if (row >= 0)
        m_list->setCurrentRow(row);
    return row >= 0;
}

QString Pages::titleOf(const PageName &name) { return tr(name.title); }

const PageName &Pages::shownName() const
{
    return PageNames[static_cast<std::size_t>(std::max(0, m_stack->currentIndex()))];
}

QString Pages::shownTitle() const { return titleOf(shownName()); }

QString Pages::guideTarget() const
{
    const QString section = shown() ? shown()->guideSection() : QString();
    return QLatin1String(shownName().chapter) + (section.isEmpty() ? section : u'#' + section);
}

Page *Pages::pageAt(int row) const { return row < 0 ? nullptr : m_entries[static_cast<std::size_t>(row)].page; }

Page *Pages::page(const QString &id) const { return pageAt(rowOf(id)); }

Page *Pages::shown() const { return pageAt(m_stack->currentIndex()); }

/// What changed while it was hidden is shown before anybody sees it.
void Pages::showRow(int row)
{
    if (row < 0)
        return;
    Page *page = m_entries[static_cast<std::size_t>(row)].page;
    page->setFilter(m_filter, m_filterText);
    if (m_snapshot)
        page->setSnapshot(m_snapshot);
    if (m_chosen)
        page->choose(*m_chosen);
    m_stack->setCurrentIndex(row);
    if (!m_list->hasFocus())
        page->setFocus(m_reason);
}

void Pages::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    m_origin.show(snapshot);
    shown()->setSnapshot(snapshot);
    showFigures();
}

void Pages::showFigures()
{
    for (std::size_t row = 0; row < m_entries.size(); ++row)
        showFigure(static_cast<int>(row));
}

void Pages::showFigure(int row)
{
    const Page &page = *m_entries[static_cast<std::size_t>(row)].page;
    const QString own = page.ownFigure();
    m_list->setFigure(row, own.isEmpty() && m_snapshot ? page.figure(*m_snapshot) : own);
}

void Pages::setOrigin(Origin origin)
{
    m_origin = std::move(origin);
    m_origin.filter = m_filterText;
}

void Pages::setNextEvent(bool has) { m_origin.hasNextEvent = has; }

void Pages::setConnected(bool connected)
{
    m_snapshot.reset();
    m_origin.snapshot.reset();
    m_chosen.reset();
    for (std::size_t row = 0; row < m_entries.size(); ++row) {
        m_entries[row].page->setConnected(connected);
        showFigure(static_cast<int>(row));
    }
}

void Pages::setFilter(const LockFilter &filter, const QString &text)
{
    m_filter = filter;
    m_filterText = text;
    m_origin.filter = text;
    shown()->setFilter(filter, text);
}

void Pages::setActionsAllowed(bool allowed, const QString &whyNot)
{
    for (const Entry &entry : m_entries)
        entry.page->setActionsAllowed(allowed, whyNot);
}

/// The hidden ones hear of it when they are shown.
void Pages::choose(const LockName &lock)
{
    if (std::exchange(m_chosen, lock) != lock)
        shown()->choose(lock);
}

void Pages::chooseInTable() { shown()->chooseInTable(); }

void Pages::save(QSettings &settings) const
{
    for (const Entry &entry : m_entries)
        entry.page->save(settings);
}

void Pages::restore(const QSettings &settings)
{
    for (const Entry &entry : m_entries)
        entry.page->restore(settings);
}

void Pages::placeList()
{
    const bool beside = width() >= WideEnough;
    m_across->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_list->lieDown(!beside);
    setStyleProperty(*m_side, "role", beside ? QStringLiteral("side") : QStringLiteral("bar"));
    const int height = m_list->rowHeight() + 1; // and the line below it
    m_side->setMaximumSize(beside ? QSize(ListWidth, QWIDGETSIZE_MAX) : QSize(QWIDGETSIZE_MAX, height));
    m_side->setMinimumSize(beside ? QSize(ListWidth, 0) : QSize(0, height));
}

void Pages::focusInEvent(QFocusEvent *event) { shown()->setFocus(event->reason()); }

void Pages::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if ((width() >= WideEnough) != (m_across->direction() == QBoxLayout::LeftToRight))
        placeList();
}

} // namespace lockui
