// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/page.h"

#include <QBoxLayout>
#include <QStackedWidget>

#include <optional>
#include <vector>

namespace lockui {

class Navigation;
class Theme;

/// The pages and the list of them: at the left, or in a row on top where the window is narrow. Only the shown page
/// hears of what there is to show: a hidden one costs nothing.
class Pages : public QWidget {
    Q_OBJECT
public:
    explicit Pages(const Theme &theme, QWidget *parent = nullptr);

    QWidget &place() const; // where pages are made: elsewhere, all that is in them would be styled twice
    void add(std::string_view id, Page *page); // one of PageNames, in their order
    void addBelow(QWidget *widget); // the pages, whichever is shown
    bool show(const QString &id); // false: there is none
    static QString titleOf(const PageName &name);
    Page *page(const QString &id) const; // null: there is none
    Page *shown() const; // null: there is none yet
    QString shownTitle() const;
    QString guideTarget() const; // where the guide tells of what is shown
    const std::optional<lockcore::LockName> &chosen() const { return m_chosen; }
    const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot() const { return m_snapshot; } // that is shown

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot);
    void showFigures(); // beside their names; a snapshot does so
    void setOrigin(Origin origin); // of what is connected
    const Origin &origin() const { return m_origin; }
    void setNextEvent(bool has); // as Origin::hasNextEvent; told with the next snapshot
    void setConnected(bool connected);
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text);
    void setActionsAllowed(bool allowed, const QString &whyNot);
    void choose(const lockcore::LockName &lock); // everywhere
    void chooseInTable(); // of the shown page
    void save(QSettings &settings) const; // how a person has arranged them
    void restore(const QSettings &settings);

Q_SIGNALS:
    void lockOpened(const lockcore::LockName &lock);
    void wayOutChosen(lockui::WayOut way);
    void clearFilterRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override; // the shown page has it

private:
    const PageName &shownName() const;
    int rowOf(const QString &id) const; // -1: there is none
    Page *pageAt(int row) const; // null: there is none
    void showRow(int row);
    void go(int row);
    void showFigure(int row);
    void placeList();

    struct Entry {
        QString id;
        Page *page;
    };

    std::vector<Entry> m_entries;
    Origin m_origin;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot; // null: nothing is shown yet
    std::optional<lockcore::LockName> m_chosen;
    Qt::FocusReason m_reason = Qt::OtherFocusReason; // why the page that comes gets the focus
    lockcore::monitor::LockFilter m_filter;
    QString m_filterText;

    QWidget *m_side;
    Navigation *m_list;
    QStackedWidget *m_stack;
    QBoxLayout *m_across;
    QVBoxLayout *m_middle;
};

} // namespace lockui
