// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/bulk_lines.h"

#include <QTableWidget>

#include <vector>

namespace lockui {

class ViewClock;

/// A row of each lock that is to be released together with others: ticked where it is wanted, with what it means and
/// what became of it. The lines are read and never changed here.
class BulkTable : public QTableWidget {
    Q_OBJECT
public:
    BulkTable(const std::vector<BulkLine> &lines, const ClientNames &names, const ViewClock &clock, QWidget *parent);

    void showRow(std::size_t row); // as its line is by now
    void showAll();
    void tellOutcomes(); // what became of each is what is read from now on, and no tick is set any more
    void scrollToRow(std::size_t row);

Q_SIGNALS:
    void turned(std::size_t row, bool isWanted); // by a person

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    using State = BulkLine::State;

    void fillRow(std::size_t row, const QString &shownName);
    void showTick(std::size_t row);
    void fitRow(int row);
    void fitRows();
    int textWidth(int column) const;
    void arrange();

    const std::vector<BulkLine> &m_lines;
    const ClientNames &m_names;
    const ViewClock &m_clock;
    bool m_asks = true;
    bool m_filling = false;
};

} // namespace lockui
