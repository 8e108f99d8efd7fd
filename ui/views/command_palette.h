// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/palette_model.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace lockui {

class Theme;

/// A field over the window that finds what there is by some letters of its name, and does it. It goes when something is
/// chosen, with Esc, or when the focus goes elsewhere.
class CommandPalette : public QWidget {
    Q_OBJECT
public:
    CommandPalette(const Theme &theme, QWidget *window);

    void open(PaletteSources sources);
    void leave(); // the focus goes back where it was

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override; // of the field, and of the window

private:
    void build();
    bool pressKey(int key); // true: it means something here
    void moveBy(int rows);
    void showFound(); // what was found, in as many rows as there are and room for
    void place();
    void run(); // the current one, as soon as all has been looked at

    const Theme &m_theme;
    PaletteModel m_model;
    QPointer<QWidget> m_focusBefore;
    bool m_runs = false; // something was chosen, and is done when all has been looked at
    QString m_moved; // the text of what a person went to; empty: the best is current
    QLineEdit *m_field;
    QListView *m_list;
    QLabel *m_found;
    QLabel *m_keys;
};

} // namespace lockui
