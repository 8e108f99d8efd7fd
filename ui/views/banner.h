// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockui {

/// Over every page while something is not as it should be: a sign, what it is, and what can be done. Hidden until then.
class Banner : public QWidget {
    Q_OBJECT
public:
    Banner(const Theme &theme, Tone tone, QWidget *parent = nullptr); // Warning or Danger

Q_SIGNALS:
    void actionChosen();

protected:
    void setAction(const QString &title);
    void say(const QString &text, const QString &more); // `more`: when asked for

private:
    void applyTheme();

    const Theme &m_theme;
    const Tone m_tone;
    QLabel *m_sign;
    QLabel *m_text;
    QPushButton *m_action;
};

} // namespace lockui
