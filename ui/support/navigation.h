// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QListWidget>

namespace lockui {

class Theme;

/// A list of pages, each with an optional figure: one below the other, or in a row.
class Navigation : public QListWidget {
    Q_OBJECT
public:
    explicit Navigation(const Theme &theme, QWidget *parent = nullptr);

    void addEntry(const QString &title, const QKeySequence &key = {});
    void lieDown(bool lies); // in a row
    int rowHeight() const; // of that row
    void setFigure(int row, const QString &figure); // empty: none
};

} // namespace lockui
