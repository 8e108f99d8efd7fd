// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_user.h"
#include "tests/support/server_test.h"

#include <QRegularExpression>
#include <algorithm>
#include <numeric>

using namespace lockcore;
using namespace lockcore::client;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// A release by a client that itself has waiters for the same lock: the next one tries right behind.
class HandOverTest : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override { m_stop = false; }

private Q_SLOTS:
    void goesInTurnAndTriesNoMoreThanItHasTo()
    {
        constexpr int Users = 4;
        LockUser a(m_server.endpoint());
        std::vector<int> pairs(Users);
        for (int i = 0; i < Users; ++i)
            lockForEver(a, std::to_string(i), pairs.at(std::size_t(i)));
        QTRY_VERIFY_WITH_TIMEOUT(*std::ranges::min_element(pairs) >= 10, GenerousMs); // all wait
        const int before = std::accumulate(pairs.begin(), pairs.end(), 0);
        const int tried = calls();
        QTRY_VERIFY_WITH_TIMEOUT(*std::ranges::min_element(pairs) >= 40, GenerousMs); // nobody is left behind
        const int requests = calls() - tried;
        const int done = std::accumulate(pairs.begin(), pairs.end(), 0) - before;
        QVERIFY2(requests <= 3.5 * done, qPrintable(u"%1 requests for %2 pairs"_s.arg(requests).arg(done)));
        m_stop = true;
    }

    void leavesOtherClientsTheirTurn()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        std::vector<int> pairs(3);
        for (int i = 0; i < 3; ++i)
            lockForEver(a, std::to_string(i), pairs.at(std::size_t(i)));
        QTRY_VERIFY_WITH_TIMEOUT(pairs.at(0) > 10, GenerousMs);
        for (int i = 0; i < 5; ++i) {
            const auto got = b.acquire({ Job, "7", {}, {} });
            QVERIFY2(got, got ? "" : toString(got.error()).c_str());
            QVERIFY(b.release(Job, "7"));
        }
        m_stop = true;
    }

    void wakesTheNextOneThoughItsTryOvertookTheRelease()
    {
        LockUser a(m_server.endpoint());
        LockUser other(m_server.endpoint());
        const auto waiting = holdAndWait(a);
        m_server.cli({ u"script"_s, u"flush"_s });
        QVERIFY(other.tryLock({ "another" })); // the script of a try is there again, the one of a release is not
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::Released);
        QVERIFY(waiting->wait(5'000)); // the lease would let it wait for 30 s
        QVERIFY(waiting->result->value().acquired);
    }

    void isWokenByAnotherClientAfterAReleaseThatFailed()
    {
        LockUser a(m_server.endpoint());
        LockUser other(m_server.endpoint());
        const auto waiting = holdAndWait(a);
        m_server.cli({ u"del"_s, u"job"_s });
        QVERIFY(other.tryLock(Job));
        QCOMPARE(a.release(Job).error().code, ErrorCode::NotHeld);
        QVERIFY(other.release(Job));
        QVERIFY(waiting->wait(5'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void passesOnWhatACancelledOneWouldHaveGot()
    {
        LockUser a(m_server.endpoint());
        const auto first = holdAndWait(a);
        const AcquireId next = a.lastAcquire;
        const auto second = a.startAcquire({ Job, "3", {}, {} });
        QTRY_VERIFY(calls() >= 4); // refused once: where the channel is known, that is enough
        const auto released = a.startRelease(Job);
        a.client->cancel(next);
        QVERIFY(second->wait(5'000));
        QVERIFY(second->result->value().acquired);
        QVERIFY(released->wait());
        QCOMPARE(first->result->error().code, ErrorCode::Cancelled);
    }

private:
    /// Thread 1 holds it, 2 waits.
    LockUser::Acquired holdAndWait(LockUser &user)
    {
        m_server.cli({ u"config"_s, u"resetstat"_s });
        if (!user.tryLock(Job))
            return {};
        auto waiting = user.startAcquire({ Job, "2", {}, {} });
        // its own, one that is refused, and one more once it is subscribed
        return QTest::qWaitFor([&] { return calls() >= 3; }, GenerousMs) ? waiting : LockUser::Acquired{};
    }

    void lockForEver(LockUser &user, const std::string &thread, int &pairs)
    {
        user.client->acquire({ Job, thread, {}, {} }, [this, &user, thread, &pairs](const Result<AcquireOutcome> &got) {
            if (!got)
                return;
            user.client->release(Job, thread, [this, &user, thread, &pairs](const Result<ReleaseOutcome> &released) {
                pairs += released ? 1 : 0;
                if (!m_stop)
                    lockForEver(user, thread, pairs);
            });
        });
    }

    int calls() const
    {
        const QString statistics = QString::fromUtf8(m_server.cli({ u"info"_s, u"commandstats"_s }));
        int sum = 0;
        for (const QString &command : { u"evalsha"_s, u"eval"_s })
            sum += QRegularExpression(u"cmdstat_%1:calls=(\\d+)"_s.arg(command)).match(statistics).captured(1).toInt();
        return sum;
    }

    const LockTarget Job{ "job" };
    bool m_stop = false;
};

QTEST_GUILESS_MAIN(HandOverTest)
#include "tst_hand_over.moc"
