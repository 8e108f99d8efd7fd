// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QGridLayout;

namespace lockui {

/// Plain lines, of which those that begin with a bullet hang: what is wrapped stands under the text, not under the
/// bullet. Never reads its text as HTML.
class BulletList : public QWidget {
    Q_OBJECT
public:
    /// `role`: of the lines, for the style sheet.
    explicit BulletList(const QString &role, QWidget *parent = nullptr);

    void setText(const QString &text); // a line each
    const QString &text() const { return m_text; }

    static QString item(const QString &text) { return QStringLiteral("•  ") + text; }

private:
    void addLine(int row, const QString &line);

    const QString m_role;
    QString m_text;
    QGridLayout *m_lines;
};

} // namespace lockui
