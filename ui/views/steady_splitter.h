// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

#include <optional>

namespace lockui {

/// One widget over another. While the pointer is on the lower one it stays where it is: what comes or goes below both,
/// and makes them lower or higher, takes from its end or gives to it. A person who makes the window another size moves
/// both.
class SteadySplitter : public QSplitter {
    Q_OBJECT
public:
    SteadySplitter(QWidget &above, QWidget &below, QWidget *parent);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    bool eventFilter(QObject *watched, QEvent *event) override; // of what is below

    struct Held {
        int above = 0; // the height of what stands there
        QSize window; // of that size
    };
    QWidget &m_above;
    std::optional<Held> m_held;
};

} // namespace lockui
