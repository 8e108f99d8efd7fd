// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/server_info.h"

#include <QTest>

using namespace lockcore::protocol;
using namespace lockcore;
using namespace std::chrono_literals;

namespace {

constexpr MonoTime Here{ 1'000s };
constexpr WallTime There{ 1'700'000'000s };

Reply time(const char *seconds, const char *micros)
{
    return Reply(Reply::Array{ Reply(std::string(seconds)), Reply(std::string(micros)) });
}

std::optional<WallTime> late(const char *status) { return cameLateAt(Reply(Reply::Status{ status })); }

} // namespace

class ServerTimeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isReadFromTheReply()
    {
        QVERIFY(parseTime(time("1700000000", "123456")) == There + 123ms);
        for (const Reply &reply :
            { time("-1", "0"), time("1", "-1"), time("1", "1000000"), time("1000000000001", "0"), time("1x", "0"),
                time("", ""), Reply(), Reply(std::int64_t{ 1 }), Reply(Reply::Array{ Reply(std::string("1")) }),
                Reply(Reply::Array{ Reply(std::int64_t{ 1 }), Reply(std::int64_t{ 1 }) }) })
            QCOMPARE(parseTime(reply).error().code, ErrorCode::MalformedReply);
    }

    void isReadFromTheAnswerToWhatCameLate()
    {
        QVERIFY(late("LATE 1700000000123") == There + 123ms);
        for (const char *status : { "OK", "LATE", "LATE ", "LATE x", "LATE -1", "LATE 9223372036854775807" })
            QVERIFY2(!late(status), status);
        QVERIFY(!cameLateAt(Reply(std::int64_t{ 1 })));
    }

    void isNotKnownUntilItWasTold()
    {
        LatestTime latest;
        QVERIFY(!latest.at(Here));
        latest.said(There, Here, Here);
        QVERIFY(latest.at(Here));
        latest.forget();
        QVERIFY(!latest.at(Here));
    }

    /// The fraction of a millisecond that was not told counts in.
    void isAsLateAsItMayBe()
    {
        LatestTime latest;
        latest.said(There, Here, Here + 40ms);
        QVERIFY(latest.at(Here) == There + 1ms);
        QVERIFY(latest.at(Here + 2h) == There + 2h + 1ms);
    }

    void isNarrowedDownByFurtherAnswers()
    {
        LatestTime latest;
        latest.said(There, Here, Here + 40ms);
        latest.said(There + 1s, Here + 1s + 30ms, Here + 1s + 30ms); // 30 ms later than it could have been
        QVERIFY(latest.at(Here + 1s + 30ms) == There + 1s + 1ms);
        latest.said(There + 2s, Here + 2s, Here + 2s + 900ms); // says less
        QVERIFY(latest.at(Here + 2s + 30ms) == There + 2s + 1ms);
    }

    void isWhatWasToldLastWhereThatContradicts_data()
    {
        QTest::addColumn<int>("hours");
        QTest::newRow("set ahead") << 1;
        QTest::newRow("set back") << -1;
    }
    void isWhatWasToldLastWhereThatContradicts()
    {
        QFETCH(const int, hours);
        LatestTime latest;
        latest.said(There, Here, Here + 1ms);
        latest.said(There + std::chrono::hours(hours), Here + 1s, Here + 1s + 1ms);
        QVERIFY(latest.at(Here + 1s) == There + std::chrono::hours(hours) + 1ms);
    }

    void isNeverFarTooLate()
    {
        LatestTime latest;
        latest.said(There, Here, Here + 9s);
        const WallTime atLeast = There;
        QVERIFY(latest.at(Here + 9s) == atLeast + LatestTime::MostAhead);
    }

    void theLastMomentIsTheFirstArgument()
    {
        Command call{ "EVALSHA", "digest", "2", "a", "b", AnyTime, "lease" };
        setLastMoment(call, There);
        QCOMPARE(call, (Command{ "EVALSHA", "digest", "2", "a", "b", "1700000000000", "lease" }));
        setLastMoment(call, {});
        QCOMPARE(call, (Command{ "EVALSHA", "digest", "2", "a", "b", "", "lease" }));
    }
};

QTEST_APPLESS_MAIN(ServerTimeTest)
#include "tst_server_time.moc"
