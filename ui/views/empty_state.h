// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QStackedWidget>

#include <array>

class QLabel;

namespace lockui {

class PressGuard;

/// What the window does for a page that has nothing to show.
enum class WayOut {
    None, // what the button does is the page's own matter
    Connect, // with the password first, where the server wants one
    EditConnection, // what is open, from its beginning: the user may be wrong
    Look, // at what is open, or once more for it
    OpenRecording,
};

/// Stands where a table has nothing to show, and says why and what to do. Its primary button has the focus for it.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    struct Button {
        Button(const QString &says = {}, WayOut leads = WayOut::None)
            : text(says)
            , way(leads)
        {
        }

        bool operator==(const Button &) const = default;

        QString text; // empty: there is none
        WayOut way;
    };
    struct Content {
        QString title;
        QString text;
        QString detail; // the server's or the system's own words
        Button primary;
        Button secondary;
        Button third{};

        bool operator==(const Content &) const = default;
    };

    explicit EmptyState(QWidget *parent = nullptr);

    static Content notConnected();
    /// Nothing is left by the filter, or, without one, by what else a person has chosen.
    static Content nothingMatches(const QString &text, const QString &primary, bool isFiltered = true);
    static QString clearFilter(); // what a primary button says that does

    void setContent(const Content &content);
    bool hasPrimary() const { return !m_content.primary.text.isEmpty(); }
    bool leadsOut() const; // one of its buttons is for the window

Q_SIGNALS:
    void primaryChosen(); // of a button that is the page's own matter, as is the next
    void secondaryChosen();
    void wayOutChosen(lockui::WayOut way);

private:
    std::array<Button, 3> buttons() const { return { m_content.primary, m_content.secondary, m_content.third }; }
    void choose(std::size_t button);

    Content m_content;
    QLabel *m_title;
    QLabel *m_text;
    QLabel *m_detail;
    std::array<QPushButton *, 3> m_buttons; // the primary one first
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
