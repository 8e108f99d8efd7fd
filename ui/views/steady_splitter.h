// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

#include <optional>

namespace lockui {

/// One widget over another. What comes or goes below both, and makes them lower or higher, takes from the end of the
/// lower one or gives to it: that one stays where it is. A person who makes the window another size moves both.
class SteadySplitter : public QSplitter {
    Q_OBJECT
public:
    enum class Steady {
        Always,
        WhilePointed, // the pointer is on the lower one
    };

    SteadySplitter(QWidget &above, QWidget &below, Steady steady, QWidget *parent);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    bool eventFilter(QObject *watched, QEvent *event) override; // of what is below

    struct Place {
        int above = 0; // the height of what stands there
        QSize window; // of that size
    };
    QWidget &m_above;
    const Steady m_steady;
    QSize m_window; // as it was at the last resizing
    std::optional<Place> m_pointed; // since the pointer came; absent: it is elsewhere
};

} // namespace lockui
