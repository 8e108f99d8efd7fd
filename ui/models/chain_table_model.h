// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chain_text.h"
#include "ui/support/theme.h"

#include <QAbstractTableModel>
#include <memory>

namespace lockui {

/// A row for each chain of waiting, in their order. A chain keeps its row for as long as the rows are held.
class ChainTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Locks, Head, Blocked, Lost, Ends, Action, ColumnCount };

    using Chains = std::shared_ptr<const WaitChains>;

    explicit ChainTableModel(const ChainText &text, QObject *parent = nullptr);

    void setChains(const Chains &chains, std::shared_ptr<const lockcore::monitor::Analysis> analysis);
    void setActionsAllowed(bool allowed); // what breaks a deadlock has the colour of danger only then
    void holdRows(bool hold); // while a person aims at one: new chains come last
    void namesChanged();
    const WaitChain &chainAt(int row) const { return m_chains->chains[m_rows[static_cast<std::size_t>(row)]]; }
    int rowOf(const lockcore::LockName &lock) const; // -1: in none

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<std::size_t> newOrder(const WaitChains &chains) const;
    QString displayed(const WaitChain &chain, int column) const;
    static QVariant whole(const WaitChain &chain, int column); // invalid: as it is shown
    QString toolTip(const WaitChain &chain, int column) const;
    Tone tone(const WaitChain &chain, int column) const;

    const ChainText &m_text;
    Chains m_chains = std::make_shared<const WaitChains>();
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::vector<std::size_t> m_rows; // places in m_chains
    bool m_held = false;
    bool m_actionsAllowed = false;
};

} // namespace lockui
