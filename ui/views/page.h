// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/support/origin.h"
#include "ui/views/empty_state.h"

#include <QCoreApplication>
#include <QFocusEvent>
#include <QPointer>
#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <string_view>

class QSettings;

namespace lockui {

/// A page by its names: of `--page` and of the list of pages, and the key that leads to it.
struct PageName {
    std::string_view id;
    const char *title; // untranslated
    Qt::Key key; // with Ctrl
    const char *chapter; // of the guide, which tells of it
};

/// All pages, in the order of their list.
inline constexpr std::array PageNames{
    PageName{ "locks", QT_TRANSLATE_NOOP("lockui::Pages", "Locks"), Qt::Key_1, "reading-the-window.md" },
    PageName{ "timeline", QT_TRANSLATE_NOOP("lockui::Pages", "Timeline"), Qt::Key_2, "timeline.md" },
    PageName{ "graph", QT_TRANSLATE_NOOP("lockui::Pages", "Wait graph"), Qt::Key_3, "wait-graph.md" },
    PageName{ "dashboard", QT_TRANSLATE_NOOP("lockui::Pages", "Dashboard"), Qt::Key_4, "dashboard.md" },
    PageName{ "events", QT_TRANSLATE_NOOP("lockui::Pages", "Events"), Qt::Key_5, "events.md" },
    PageName{ "audit", QT_TRANSLATE_NOOP("lockui::Pages", "Audit"), Qt::Key_6, "audit.md" },
    PageName{ "lab", QT_TRANSLATE_NOOP("lockui::Pages", "Contention lab"), Qt::Key_7, "contention-lab.md" },
};

/// A page of the window. All pages show the one connection, clock, filter and selection that the window has.
class Page : public QWidget {
    Q_OBJECT
public:
    explicit Page(QWidget *parent)
        : QWidget(parent)
    {
        setProperty("role", QStringLiteral("page"));
        setAttribute(Qt::WA_StyledBackground);
    }

    void setOrigin(const Origin *origin) { m_origin = origin; } // of what is shown; outlives the page

    /// Only while the page is the shown one and can be seen; when it is shown, it gets the newest first.
    virtual void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) = 0;
    virtual void setConnected(bool connected) = 0; // false: nothing is open; what was shown goes
    virtual void setFilter(const lockcore::monitor::LockFilter &, const QString &) { }
    virtual void setActionsAllowed(bool, const QString &) { } // with why not
    virtual void choose(const lockcore::LockName &) { } // a person has chosen it, here or on another page
    virtual void chooseInTable() { setFocus(Qt::TabFocusReason); } // by keys from now on

    virtual void save(QSettings &) const { } // how a person has arranged it
    virtual void restore(const QSettings &) { }

    /// What stands beside the page's name in the list: asked for with each snapshot, also while the page is hidden.
    virtual QString figure(const lockcore::monitor::Snapshot &) const { return {}; }
    /// What stands there instead whatever is connected; empty: the other.
    virtual QString ownFigure() const { return {}; }

    /// The heading of the page's chapter that tells of what is shown of it, as in a link; empty: the whole chapter
    /// does.
    virtual QString guideSection() const { return {}; }

Q_SIGNALS:
    void ownFigureChanged();
    void lockChosen(const lockcore::LockName &lock); // here: it is then chosen on all pages
    void lockOpened(const lockcore::LockName &lock); // to be shown in full
    void pageRequested(const QString &id); // to see there what is chosen
    void wayOutChosen(lockui::WayOut way);
    void clearFilterRequested();

protected:
    /// The part that has the focus when the page gets it; null: the page itself. Qt's own proxy would make of the page
    /// a stop on the way of Tab that leads back to that part: what is behind it could not be reached.
    void setEntry(QWidget *entry)
    {
        const Qt::FocusPolicy policy = entry ? Qt::NoFocus : Qt::StrongFocus;
        if (m_entry == entry && focusPolicy() == policy)
            return;
        const QWidget *focus = window()->focusWidget(); // also while another window is the active one
        const bool hadFocus = focus != nullptr && (focus == this || focus == m_entry);
        m_entry = entry;
        setFocusPolicy(policy);
        if (hadFocus)
            (entry ? entry : this)->setFocus();
    }
    void focusInEvent(QFocusEvent *event) override
    {
        if (m_entry)
            m_entry->setFocus(event->reason());
    }

    const Origin &origin() const { return *m_origin; }
    std::function<const Origin &()> originSource() const
    {
        return [this]() -> const Origin & { return *m_origin; };
    }

private:
    static inline const Origin Nowhere;
    const Origin *m_origin = &Nowhere;
    QPointer<QWidget> m_entry;
};

} // namespace lockui
