// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QWindow>

namespace lockui::test {

/// A place in a window, for the mouse. What lies there gets the click, not what was meant.
struct Place {
    QWindow *window = nullptr;
    QPoint point;
};

/// What a layout that is due would move is then where it stays.
inline void doLayouts() { QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); }

inline Place placeIn(const QWidget &widget, const QPoint &point)
{
    doLayouts();
    return { widget.window()->windowHandle(), widget.mapTo(widget.window(), point) };
}

inline Place middleOf(const QWidget &widget)
{
    doLayouts();
    return placeIn(widget, widget.rect().center());
}

inline Place titleOf(const QTableView &table, int column)
{
    doLayouts();
    const QHeaderView &header = *table.horizontalHeader();
    const int x = header.sectionViewportPosition(column) + header.sectionSize(column) / 2;
    return placeIn(*header.viewport(), { x, header.height() / 2 });
}

inline Place rightEdgeOf(const QTableView &table, int column)
{
    doLayouts();
    const QHeaderView &header = *table.horizontalHeader();
    const int x = header.sectionViewportPosition(column) + header.sectionSize(column) - 1;
    return placeIn(*header.viewport(), { x, header.height() / 2 });
}

inline Place cellOf(const QTableView &table, int row, int column)
{
    doLayouts();
    return placeIn(*table.viewport(), table.visualRect(table.model()->index(row, column)).center());
}

inline void moveTo(const Place &place) { QTest::mouseMove(place.window, place.point); }

inline void drag(const Place &from, const QPoint &by)
{
    moveTo(from);
    QTest::mousePress(from.window, Qt::LeftButton, {}, from.point);
    for (int step = 1; step <= 4; ++step)
        QTest::mouseMove(from.window, from.point + by * step / 4);
    QTest::mouseRelease(from.window, Qt::LeftButton, {}, from.point + by);
}

inline void click(const Place &place, Qt::MouseButton button = Qt::LeftButton)
{
    QTest::mouseMove(place.window, place.point);
    QTest::mouseClick(place.window, button, {}, place.point);
}

/// With the mouse, while it is open.
inline void choose(QMenu &menu, const QString &entry)
{
    for (QAction *action : menu.actions()) {
        if (action->text().remove(QLatin1Char('&')) != entry)
            continue;
        const QRect place = menu.actionGeometry(action);
        QTest::mouseClick(menu.windowHandle(), Qt::LeftButton, {}, place.center());
        return;
    }
    QFAIL(qPrintable(QStringLiteral("no entry ") + entry));
}

/// Those that no letter of their own stands for.
inline QStringList entriesWithoutAccessKey(const QMenu &menu)
{
    QStringList without;
    QStringList taken;
    for (const QAction *action : menu.actions()) {
        const QString key = QKeySequence::mnemonic(action->text()).toString();
        if (!action->isSeparator() && (key.isEmpty() || taken.contains(key)))
            without << action->text();
        taken << key;
    }
    return without;
}

/// To whatever has the focus.
inline void press(const QWidget &window, Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    QTest::keyClick(window.windowHandle(), key, modifiers);
}

inline void type(const QWidget &window, const char *text)
{
    for (; *text != 0; ++text)
        QTest::keyClick(window.windowHandle(), *text);
}

} // namespace lockui::test
