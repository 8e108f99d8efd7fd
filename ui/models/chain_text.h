// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/wait_chains.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <functional>
#include <string>

namespace lockui {

class ClientNames;
class ViewClock;

/// All locks of a chain as `name` writes them, in the order of the chain; those that are not drawn stand last.
std::string lockList(const WaitChain &chain, const std::function<std::string(const lockcore::LockName &lock)> &name);

/// What is said of chains of waiting, by the window's clock and with the names that a person gave to clients.
class ChainText {
    Q_DECLARE_TR_FUNCTIONS(ChainText)
public:
    explicit ChainText(const ViewClock &clock)
        : m_clock(clock)
    {
    }

    void setClientNames(const ClientNames *names) { m_names = names; } // null: none

    QString title(const WaitChain &chain) const; // `7f21aa09…:7 keeps 7 waiting`
    QString detail(const WaitChain &chain) const; // after it
    QString cycleTitle(const WaitChain &chain) const; // with since when, and whether it ends by itself

    QString locks(const WaitChain &chain) const; // `inventory:sku:1093 → billing:close · other`
    QString head(const WaitChain &chain) const;
    static QString wholeHead(const WaitChain &chain); // owners with their whole ids; empty: it is none
    static bool namesHead(const WaitChain &chain); // head() is a name: neither what is left of a lock, nor a deadlock
    QString blocked(const WaitChain &chain) const;
    QString lost(const WaitChain &chain) const;
    static QString mayBeGhostsText();
    QString lostExplanation(const WaitChain &chain, const lockcore::monitor::Analysis *analysis) const;
    QString ends(const WaitChain &chain) const;
    QString ends(const WaitChain &chain, const ChainEnd &end) const; // of one lock at its head

    QString nodeTitle(const ChainNode &node) const; // may have to be cut
    QString nodeLine(const ChainNode &node) const; // below it
    QString nodeToolTip(const ChainNode &node) const; // all of it, in lines

private:
    QString owner(const lockcore::OwnerId &owner) const;
    QString wait(const ChainNode &node) const;
    QString hold(const ChainNode &node) const;
    QStringList holdsToolTip(const ChainNode &node) const;
    QString ghostsFirst(const lockcore::monitor::LockState &lock, lockcore::MonoTime now) const;
    lockcore::MonoTime seenUntil(std::optional<lockcore::MonoTime> lostSince) const;
    QString since(const lockcore::monitor::Since &since, std::optional<lockcore::MonoTime> lostSince) const;
    QString asItWas(const WaitChain &chain) const;
    static QString whatIsLeft(const lockcore::monitor::LockState &lock);
    static QString undrawn(const WaitChain &chain);
    QString left(lockcore::MonoTime at, lockcore::MonoTime now) const;
    QString headEnds(const ChainEnd &end, lockcore::MonoTime now) const;
    QString holdEnds(const ChainEnd &end, lockcore::MonoTime now) const;
    QString ghostsEnd(const ChainEnd &end, lockcore::MonoTime now) const;
    QString headEnds(const WaitChain &chain) const;
    QString cycleEnds(const ChainCycle &cycle, lockcore::MonoTime now) const;
    QString unlessRenewed(const std::vector<const ChainEnd *> &ends, lockcore::MonoTime now) const;
    QString cycleLeases(const ChainCycle &cycle) const;
    QString lockLine(const lockcore::monitor::LockState &lock, lockcore::MonoTime now) const;

    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
};

} // namespace lockui
