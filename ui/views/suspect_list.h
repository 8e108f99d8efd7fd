// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/support/theme.h"
#include "ui/support/wrapped_rows.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockui {

class ClientNames;

/// Deadlocks and suspects of all locks, the gravest first, each with what was seen of it. The focus alone chooses none:
/// where none is chosen, the arrow keys begin with the first.
class SuspectList : public WrappedRows {
    Q_OBJECT
public:
    SuspectList(const Theme &theme, const ClientNames &names, QWidget *parent = nullptr);

    /// Null: nothing is known. Only those of locks that are wanted. `asItWas`: when a circle of which a server is lost
    /// was seen last, in words.
    void setAnalysis(const lockcore::monitor::Analysis *analysis,
        const std::function<bool(const lockcore::LockName &)> &isWanted,
        const std::function<QString(const lockcore::monitor::WaitCycle &)> &asItWas);
    void choose(const std::optional<lockcore::LockName> &lock); // its row is the chosen one, if it has one

Q_SIGNALS:
    void lockChosen(const lockcore::LockName &lock);
    void lockOpened(const lockcore::LockName &lock);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Row {
        QString title;
        lockcore::LockName lock;
        QString seen; // of it, whole
        bool isGrave = false;
        bool isPast = false; // it was so when it was seen last

        bool operator==(const Row &) const = default;
    };
    void setRows(std::vector<Row> rows);
    int chosenRow() const; // -1: none is

    const Theme &m_theme;
    const ClientNames &m_names;
    std::vector<Row> m_rows;
};

} // namespace lockui
