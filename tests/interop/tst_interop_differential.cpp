// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/stories.h"

#include <QElapsedTimer>
#include <chrono>

using namespace interop;
using namespace Qt::StringLiterals;

namespace {

constexpr int StepsAtMost = 20;

/// What is not the same on purpose, and how the stories keep clear of it.
struct IntendedDifference {
    const char *what;
    const char *why;
    const char *stories;
};
[[maybe_unused]] constexpr IntendedDifference IntendedDifferences[] = {
    { "a writer that goes on as a reader tells those who wait to read",
        "Redisson publishes nothing then: they sleep until the lease they were told is over",
        "nobody waits to read while a writer could do so" },
    { "a wait that is broken off leaves the fair queue",
        "Redisson's entry stays after an interrupt, and blocks the others when it comes to the head",
        "waits are broken off only at the end, or by their limit" },
    { "the lease of a write hold is not cut when its holder gives back a read hold",
        "Redisson sets what is left to the longest of the read holds", "a writer reads once at a time" },
    { "giving back one of several write holds does not cut what its holder may read for",
        "Redisson sets what is left to the lease of the write hold", "the reading is given back first" },
    { "whoever waits wakes up when a writer releases",
        "Redisson wakes only those who sleep already: one whose second try is under way sleeps its lease out",
        "Redisson is told once more after a while; how often is printed" },
    { "whoever waits at a latch goes on when it opens",
        "one of Redisson's waiters was seen to stay: subscribed, five seconds after the count was zero",
        "Redisson is told once more after a while" },
    { "whoever no longer waits at a latch is not subscribed",
        "Redisson was seen to stay subscribed after all waits were over", "its channel is not compared then" },
    { "a latch that is deleted lets those go who wait", "with Redisson they wait for ever",
        "a latch is deleted only when nobody waits" },
    { "values of a group are given back together or not at all",
        "Redisson gives back those that it comes upon before one that is not held, and then fails",
        "what is given back was taken so" },
    { "a hold without a lease has the watchdog's time, also beside holds with one",
        "Redisson gives it the lease that its lock object was given last: it may run out before the first renewal",
        "in one story a thread gives a lease always or never" },
    { "the release of a fair lock that is free is refused", "Redisson reports success to whoever asks",
        "nobody gives back a free fair lock" },
    { "the latch of an unlock is deleted in another order", "it is deleted in a step of its own, awaited by nobody",
        "latches are not compared" },
};

} // namespace

/// Random stories, lived by lockcore on one server and by Redisson 4.7.0 on another: after each step both have answered
/// the same and left the same behind.
/// INTEROP_STORIES: how many, in all; INTEROP_SEED: to see one run again.
class InteropDifferentialTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson4);
        m_stories = qEnvironmentVariableIntValue("INTEROP_STORIES");
        if (m_stories == 0)
            m_stories = 324;
        m_seed = qEnvironmentVariable("INTEROP_SEED").toULongLong();
        if (m_seed == 0)
            m_seed = quint64(std::chrono::system_clock::now().time_since_epoch().count());
        const QString problem = m_twins.start();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

    void leavesWhatRedissonLeaves_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < storyKinds().size(); ++i)
            QTest::newRow(storyKinds()[i].name) << int(i);
    }
    void leavesWhatRedissonLeaves()
    {
        QFETCH(int, kind);
        const auto kinds = int(storyKinds().size());
        const int stories = (m_stories + kinds - 1) / kinds;
        QElapsedTimer since;
        since.start();
        int steps = 0;
        qint64 tolerance = 0;
        for (int story = 0; story < stories; ++story) {
            const quint64 seed = m_seed + quint64(story);
            const std::string different = live(storyKinds()[std::size_t(kind)], seed, steps);
            QVERIFY2(different.empty(), different.c_str());
            tolerance += m_twins.toleranceMs();
        }
        qInfo("%d stories, %d steps, from seed %llu on, times equal within %.1f ms on average, %d nudges, %lld ms",
            stories, steps, static_cast<unsigned long long>(m_seed), double(tolerance) / stories, m_twins.nudges(),
            static_cast<long long>(since.elapsed()));
    }

private:
    std::string live(const StoryKind &kind, quint64 seed, int &steps)
    {
        Random random(seed);
        // the name is the seed's as well: it decides who gives a lease
        const auto row = &kind - storyKinds().data();
        m_twins.begin("story" + QByteArray::number(row) + '-' + QByteArray::number(seed), kind.channels, kind.proceeds);
        std::string told = "INTEROP_SEED=" + std::to_string(seed) + " INTEROP_STORIES=1\n";
        std::string different;
        const int length = 4 + int(random() % (StepsAtMost - 3));
        for (int i = 0; i < length && different.empty(); ++i, ++steps) {
            const StoryStep step = kind.next(random, m_twins);
            different = m_twins.play(step);
            told += "  " + alias(step.client, step.thread) + ": " + step.command.toStdString() + ' '
                + step.arguments.toStdString() + (m_twins.isWaiting(step.client, step.thread) ? " (waits)" : "") + '\n';
        }
        m_twins.end();
        return different.empty() ? std::string() : told + "differs:\n" + different;
    }

    Twins m_twins{ Language::Redisson4 };
    int m_stories = 0;
    quint64 m_seed = 0;
};

QTEST_GUILESS_MAIN(InteropDifferentialTest)
#include "tst_interop_differential.moc"
