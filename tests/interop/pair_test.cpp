// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/pair_test.h"

namespace interop {

PairTest::Pairs PairTest::pairsWith(std::initializer_list<Language> others)
{
    Pairs pairs;
    for (const Language other : others) {
        pairs.emplace_back(other, Language::Cpp);
        pairs.emplace_back(Language::Cpp, other);
    }
    return pairs;
}

void PairTest::addPairColumns()
{
    QTest::addColumn<Language>("holding");
    QTest::addColumn<Language>("asking");
}

void PairTest::addPairs(const Pairs &pairs)
{
    addPairColumns();
    for (const auto &[holding, asking] : pairs)
        QTest::addRow("%s, then %s", name(holding), name(asking)) << holding << asking;
}

PeerProcess &PairTest::one()
{
    QFETCH(Language, holding);
    return peer(holding);
}

PeerProcess &PairTest::other()
{
    QFETCH(Language, asking);
    return peer(asking);
}

PeerProcess &PairTest::peer(Language language, int setting)
{
    auto &process = m_peers[{ language, setting }];
    if (!process) {
        process = std::make_unique<PeerProcess>(language);
        connectPeer(*process, setting);
    }
    return *process;
}

void PairTest::kill(Language language, int setting) { m_peers.erase({ language, setting }); }

} // namespace interop
