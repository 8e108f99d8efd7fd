// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

namespace lockui {

class Theme;

/// The list of pages at the left, each with an optional figure.
class Navigation : public QListWidget {
    Q_OBJECT
public:
    explicit Navigation(const Theme &theme, QWidget *parent = nullptr);

    void addEntry(const QString &title);
    void setFigure(int row, const QString &figure);
};

} // namespace lockui
