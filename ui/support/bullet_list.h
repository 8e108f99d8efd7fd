// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace lockui {

/// Plain lines, of which those that begin with a bullet or a sign of warning hang: what is wrapped stands under the
/// text, not under the sign. Never reads its text as HTML.
class BulletList : public QWidget {
    Q_OBJECT
public:
    /// `role`, `tone`: of the lines, for the style sheet.
    explicit BulletList(const QString &role, QWidget *parent = nullptr, const QString &tone = {});

    void setText(const QString &text); // a line each
    const QString &text() const { return m_text; }

    static QString item(const QString &text) { return QStringLiteral("•  ") + text; }
    static QString warning(const QString &text) { return QStringLiteral("⚠ ") + text; }

private:
    struct Line {
        QLabel *sign; // null: it does not hang
        QLabel *text;
    };

    Line addLine(const QString &sign);
    QLabel *addLabel();

    const QString m_role;
    const QString m_tone;
    QString m_text;
    QGridLayout *m_layout;
    std::vector<Line> m_lines;
};

} // namespace lockui
