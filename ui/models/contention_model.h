// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/models/row_keeping_model.h"

#include <functional>
#include <set>
#include <vector>

namespace lockui {

/// The locks that kept others waiting longest, as far as that was seen: the waiters of fair queues.
class ContentionModel : public RowKeepingModel {
    Q_OBJECT
public:
    enum Column { Lock, Blocked, Taken, WaitMean, WaitLongest, HeldMean, HeldP99, ColumnCount };

    using RowKeepingModel::RowKeepingModel;

    using WaitedInAll = std::function<lockcore::Millis(const lockcore::monitor::LockStatistics &numbers)>;

    using IsLost = std::function<bool(const lockcore::LockName &lock)>;

    /// Null: nothing is known. `chooses` is asked of each lock by its name; of those that are shown `waited` how long
    /// others were kept waiting by now, and `isLost` whether nothing is seen of it now.
    template <typename Chooses>
    void setStatistics(const lockcore::monitor::StatisticsList *statistics, Chooses chooses, const WaitedInAll &waited,
        const IsLost &isLost)
    {
        std::vector<lockcore::monitor::LockStatistics> rows;
        if (statistics != nullptr)
            for (const auto &each : *statistics)
                if (each->blocked.count() > 0 && chooses(each->lock))
                    rows.push_back(*each);
        setRows(std::move(rows), waited, isLost);
    }

    const lockcore::LockName &lockAt(int row) const { return m_rows[static_cast<std::size_t>(row)].lock; }
    int rowOf(const lockcore::LockName &lock) const; // -1: it is not among them

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void setRows(std::vector<lockcore::monitor::LockStatistics> rows, const WaitedInAll &waited, const IsLost &isLost);
    QString displayed(const lockcore::monitor::LockStatistics &row, int column) const;

    static constexpr std::size_t MostRows = 50;

    std::vector<lockcore::monitor::LockStatistics> m_rows; // the longest first
    std::set<lockcore::LockName> m_lost; // of these
};

} // namespace lockui
