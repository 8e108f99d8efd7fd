// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QStackedWidget>

class QLabel;

namespace lockui {

class PressGuard;

/// Stands where a table has nothing to show, and says why and what to do. Its primary button has the focus for it.
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
    static Content nothingMatches(const QString &text, const QString &primary); // the filter leaves nothing
    static QString clearFilter(); // what a primary button says that does

    void setContent(const Content &content);
    bool hasPrimary() const { return !m_content.primary.isEmpty(); }

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
    PressGuard *m_presses;
};

/// Shows a widget, or, where the filter leaves nothing in it, how to see something again.
class FilteredBox : public QStackedWidget {
    Q_OBJECT
public:
    explicit FilteredBox(QWidget *content, QWidget *parent = nullptr);

    void setNothingMatches(bool nothing) { setCurrentIndex(nothing ? 1 : 0); }

Q_SIGNALS:
    void clearFilterRequested();
};

} // namespace lockui
