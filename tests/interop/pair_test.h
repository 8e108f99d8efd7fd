// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/interop/peer_process.h"

#include <initializer_list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace interop {

/// A test of two peers, told by the columns `holding` and `asking` of each row. They live until its end.
class PairTest : public QObject {
    Q_OBJECT

protected:
    using Pairs = std::vector<std::pair<Language, Language>>;

    /// lockcore with each of them, in both directions.
    static Pairs pairsWith(std::initializer_list<Language> others);
    static void addPairColumns();
    static void addPairs(const Pairs &pairs);

    PeerProcess &one(); // that holds
    PeerProcess &other(); // that asks
    PeerProcess &peer(Language language) { return peer(language, settingOf(language)); }
    PeerProcess &peer(Language language, int setting);
    void kill(Language language) { kill(language, settingOf(language)); }
    void kill(Language language, int setting); // -9; a new one comes when it is needed

private Q_SLOTS:
    void cleanupTestCase() { m_peers.clear(); } // before their servers

private:
    /// How that peer of this row is connected, where there are several ways.
    virtual int settingOf(Language) const { return 0; }
    virtual void connectPeer(PeerProcess &peer, int setting) = 0;

    std::map<std::pair<Language, int>, std::unique_ptr<PeerProcess>> m_peers;
};

} // namespace interop
