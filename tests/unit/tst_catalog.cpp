// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/codes.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <QTest>
#include <set>

using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::synchronizers;

namespace {

/// In each table every name is used once and leads back to its enumerator.
template <typename Row, std::size_t N>
bool leadBack(const Row (&rows)[N])
{
    std::set<std::string> names;
    for (const Row &row : rows) {
        if (named(rows, row.name) != row.value || !names.insert(row.name).second)
            return false;
    }
    return true;
}

template <typename Row, std::size_t N>
bool codesLeadBack(const Row (&rows)[N])
{
    std::set<std::uint64_t> codes;
    for (const Row &row : rows) {
        if (fromCode<decltype(Row::value)>(codeOf(row.value)) != row.value || !codes.insert(row.code).second)
            return false;
    }
    return true;
}

std::string lowerCase(std::string_view text) { return QByteArray(text.data(), text.size()).toLower().toStdString(); }

} // namespace

/// What is told outside the program stays unique, and what older filters and recordings hold is still understood.
class CatalogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsOfKinds()
    {
        std::set<std::string> words;
        for (const KindRow &row : allKinds()) {
            QCOMPARE(nameOf(row.value), row.name);
            QVERIFY(kindNamed(row.name) == row.value && kindNamed(lowerCase(row.name)) == row.value);
            QVERIFY2(words.insert(lowerCase(row.name)).second, row.name);
            if (row.olderWord) {
                QVERIFY(kindNamed(row.olderWord) == row.value);
                QVERIFY2(words.insert(lowerCase(row.olderWord)).second, row.olderWord);
            }
        }
        QVERIFY(!kindNamed("") && !kindNamed("fare"));
    }

    void olderWordsOfFilters_data()
    {
        QTest::addColumn<Kind>("kind");
        const std::pair<const char *, Kind> rows[]{ { "reentrant", Kind::Reentrant }, { "fair", Kind::Fair },
            { "readwrite", Kind::ReadWrite }, { "fenced", Kind::Fenced }, { "fastermulti", Kind::FasterMulti },
            { "semaphore", Kind::Semaphore }, { "permits", Kind::PermitExpirableSemaphore },
            { "latch", Kind::CountDownLatch }, { "token", Kind::Token } };
        for (const auto &[word, kind] : rows)
            QTest::newRow(word) << kind;
    }

    void olderWordsOfFilters()
    {
        QFETCH(const Kind, kind);
        QVERIFY(kindNamed(QTest::currentDataTag()) == kind);
    }

    void codesOfKinds()
    {
        std::set<std::uint64_t> codes;
        for (const KindRow &row : allKinds()) {
            QVERIFY(fromCode<Kind>(codeOf(row.value)) == row.value);
            QVERIFY2(codes.insert(row.code).second, row.name);
        }
        QVERIFY(!fromCode<Kind>(codes.size()));
    }

    /// As recordings of format 1 have them.
    void codesOfOldRecordings()
    {
        const Kind old[]{ Kind::Reentrant, Kind::Fair, Kind::ReadWrite, Kind::Fenced, Kind::FasterMulti,
            Kind::Semaphore, Kind::PermitExpirableSemaphore, Kind::CountDownLatch, Kind::Token };
        for (std::size_t code = 0; code < std::size(old); ++code)
            QVERIFY(fromCode<Kind>(code) == old[code]);
        QVERIFY(fromCode<SuspectKind>(0) == SuspectKind::LateRenewal);
        QVERIFY(fromCode<SuspectKind>(3) == SuspectKind::OrphanQueue);
        QVERIFY(fromCode<SuspectKind>(9) == SuspectKind::TwoHolders);
        QVERIFY(fromCode<EventKind>(14) == EventKind::Gap);
    }

    void otherTables()
    {
        QVERIFY(leadBack(EventKinds) && codesLeadBack(EventKinds));
        QVERIFY(leadBack(Certainties) && codesLeadBack(Certainties));
        QVERIFY(leadBack(Leases) && codesLeadBack(Leases));
        QVERIFY(leadBack(Feeds) && codesLeadBack(Feeds));
        QVERIFY(leadBack(HoldModes) && codesLeadBack(HoldModes));
        QVERIFY(leadBack(SuspectKinds) && codesLeadBack(SuspectKinds));
        QVERIFY(leadBack(Observations) && codesLeadBack(Observations));
        QVERIFY(leadBack(lockcore::ErrorCodes) && codesLeadBack(lockcore::ErrorCodes));
    }

    /// Who has holders can be taken, forced and prolonged; of counters only single permits can be given back.
    void countersHaveNoHolders()
    {
        for (const KindRow &row : allKinds()) {
            const auto mode = row.category == Category::ReadWriteLock ? std::optional(HoldMode::Read) : std::nullopt;
            QCOMPARE(lockBehaviour(row.value, mode).has_value(), !isCounter(row.value));
            QCOMPARE(row.recognise != nullptr, !isCounter(row.value) && !isTokenLock(row.value));
            QCOMPARE(row.actions.forceRelease != nullptr, !isCounter(row.value));
            QCOMPARE(row.actions.setTtl != nullptr, !isCounter(row.value));
            QCOMPARE(row.wordOfValues != nullptr, isCounter(row.value));
            QVERIFY(!row.channel || !row.channel("name").empty());
        }
    }

    /// Who waits for a lock of other libraries asks again and again; of each of Redisson's somebody is told.
    void onlyTokenLocksTellNobody()
    {
        for (const KindRow &row : allKinds())
            QCOMPARE(tellsOfReleases(row.value), row.value != Kind::Token);
        const auto way = lockBehaviour(Kind::Token, std::nullopt);
        QVERIFY(way && !(*way)->channel);
        QVERIFY(!lockBehaviour(Kind::Token, HoldMode::Read));
        QVERIFY(!lockBehaviour(Kind::Token, std::nullopt, LockVariant::Spin));
    }
};

Q_DECLARE_METATYPE(lockcore::synchronizers::Kind)
QTEST_APPLESS_MAIN(CatalogTest)
#include "tst_catalog.moc"
