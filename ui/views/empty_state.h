// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QWidget>

class QLabel;

namespace lockui {

/// Stands where a table has nothing to show, and says why and what to do.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QString title;
        QString text;
        QString detail; // the server's or the system's own words
        QString primary; // buttons; empty: none
        QString secondary;

        bool operator==(const Content &) const = default;
    };

    explicit EmptyState(QWidget *parent = nullptr);

    static Content notConnected(); // its primary button is to connect

    void setContent(const Content &content);

Q_SIGNALS:
    void primaryChosen();
    void secondaryChosen();

private:
    Content m_content;
    QLabel *m_title;
    QLabel *m_text;
    QLabel *m_detail;
    QPushButton *m_primary;
    QPushButton *m_secondary;
};

} // namespace lockui
