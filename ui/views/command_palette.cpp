// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/command_palette.h"

#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/palette_delegate.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockui {

namespace {

constexpr int Shadow = 18; // around the sheet
constexpr int Widest = 680;
constexpr int Top = 50; // below the bar of the window
constexpr int MostPaletteRows = 11;
constexpr int PaletteRadius = 10;

} // namespace

CommandPalette::CommandPalette(const Theme &theme, QWidget *window)
    : QWidget(window)
    , m_theme(theme)
    , m_model(this)
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_found(plainLabel(QStringLiteral("hint"), this))
    , m_keys(plainLabel(QStringLiteral("hint"), this))
{
    hide();
    setAccessibleName(tr("Command palette"));
    build();
    connect(&m_model, &QAbstractItemModel::modelReset, this, &CommandPalette::showFound);
    connect(&m_model, &PaletteModel::searched, this, [this] {
        if (std::exchange(m_runs, false))
            run();
    });
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &typed) {
        m_moved.clear();
        m_model.search(typed);
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &current) {
        m_field->setAccessibleDescription(current.data(Qt::AccessibleTextRole).toString());
    });
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    connect(&theme, &Theme::changed, this, QOverload<>::of(&QWidget::update));
    m_field->installEventFilter(this);
    window->installEventFilter(this);
}

void CommandPalette::build()
{
    m_field->setProperty("role", QStringLiteral("palette"));
    m_field->setPlaceholderText(tr("What do you want to do, or which lock do you look for?"));
    m_field->setAccessibleName(tr("Command palette"));
    m_list->setProperty("role", QStringLiteral("palette"));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_theme, m_list));
    m_list->setFocusPolicy(Qt::NoFocus); // keys go to the field
    m_list->setMouseTracking(true);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QListView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_keys->setText(tr("↑ ↓ choose · Enter does it · Esc closes"));
    auto *below = new QHBoxLayout;
    below->setContentsMargins(14, 6, 14, 8);
    below->addWidget(m_found);
    below->addStretch();
    below->addWidget(m_keys);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(Shadow + 1, Shadow + 1, Shadow + 1, Shadow + 1);
    layout->setSpacing(0);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    layout->addLayout(below);
}

void CommandPalette::open(PaletteSources sources)
{
    if (isHidden())
        m_focusBefore = window()->focusWidget();
    m_runs = false;
    m_moved.clear();
    m_model.setSources(std::move(sources));
    m_field->clear();
    m_model.search({});
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::leave()
{
    if (isHidden())
        return;
    QWidget *before = std::exchange(m_focusBefore, nullptr);
    const bool hadFocus = m_field->hasFocus();
    hide();
    m_model.setSources({});
    if (hadFocus && before && before->isVisible())
        before->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize && !isHidden())
        place();
    if (watched != m_field)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress)
        return pressKey(static_cast<QKeyEvent *>(event)->key());
    if (event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            leave(); // a menu of the field, or another program, comes back to it
    }
    return QWidget::eventFilter(watched, event);
}

bool CommandPalette::pressKey(int key)
{
    const int page = std::max(1, m_list->viewport()->height() / PaletteDelegate::RowHeight - 1);
    switch (key) {
    case Qt::Key_Up:
        moveBy(-1);
        return true;
    case Qt::Key_Down:
        moveBy(1);
        return true;
    case Qt::Key_PageUp:
        moveBy(-page);
        return true;
    case Qt::Key_PageDown:
        moveBy(page);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Escape:
        leave();
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true; // there is nowhere else to go
    default:
        return false;
    }
}

/// One step beyond an end comes in again at the other; a page stops there.
void CommandPalette::moveBy(int rows)
{
    const int count = m_model.rowCount();
    if (count == 0)
        return;
    const int row = m_list->currentIndex().row();
    const int next = std::abs(rows) == 1 ? (row + rows + count) % count : std::clamp(row + rows, 0, count - 1);
    m_list->setCurrentIndex(m_model.index(next));
    m_moved = m_model.rowAt(next).entry.text;
}

void CommandPalette::showFound()
{
    int current = 0;
    for (int row = 0; row < m_model.rowCount() && !m_moved.isEmpty(); ++row)
        if (m_model.rowAt(row).entry.text == m_moved)
            current = row;
    m_list->setCurrentIndex(m_model.index(current));
    const bool isCut = m_model.found() > m_model.rowCount();
    const QString some = m_field->text().isEmpty() ? tr("the first %1 of %2") : tr("the best %1 of %2");
    m_found->setText(m_model.isSearching() ? tr("looking…")
            : m_model.found() == 0         ? tr("Nothing is called so.")
            : isCut                        ? some.arg(countText(m_model.rowCount()), countText(m_model.found()))
                                           : QString());
    place();
}

void CommandPalette::place()
{
    const QWidget &over = *parentWidget();
    const int width = std::min(Widest, over.width() - 2 * Shadow);
    const int fixed = m_field->sizeHint().height() + m_found->sizeHint().height() + 14 + 2 * (Shadow + 1);
    const int room = (over.height() - Top - fixed) / PaletteDelegate::RowHeight;
    const int rows = std::clamp(m_model.rowCount(), 0, std::clamp(room, 1, MostPaletteRows));
    m_list->setFixedHeight(rows == 0 ? 0 : rows * PaletteDelegate::RowHeight + 6);
    setGeometry((over.width() - width) / 2 - Shadow, Top - Shadow, width + 2 * Shadow, layout()->sizeHint().height());
    m_list->scrollTo(m_list->currentIndex());
}

void CommandPalette::run()
{
    if (m_model.isSearching()) {
        m_runs = true;
        return;
    }
    const QModelIndex current = m_list->currentIndex();
    if (!current.isValid())
        return;
    const PaletteEntry entry = m_model.rowAt(current.row()).entry;
    if (!entry.run)
        return; // what it needs first stands there
    if (entry.needs.isEmpty())
        m_model.remember(entry);
    leave();
    entry.run();
}

/// A sheet with a soft shadow: the window has no frame for it.
void CommandPalette::paintEvent(QPaintEvent *)
{
    const Colors &colors = m_theme.colors();
    const QRectF sheet = QRectF(rect()).adjusted(Shadow, Shadow, -Shadow, -Shadow);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double darkest = colors.dark ? 14 : 6;
    for (int spread = Shadow; spread > 0; --spread) {
        painter.setBrush(QColor(0, 0, 0, qRound(darkest * (Shadow - spread + 1) / Shadow)));
        painter.drawRoundedRect(
            sheet.adjusted(-spread, -spread / 3.0, spread, spread), PaletteRadius + spread, PaletteRadius + spread);
    }
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.window);
    painter.drawRoundedRect(sheet.adjusted(0.5, 0.5, -0.5, -0.5), PaletteRadius, PaletteRadius);
}

} // namespace lockui
