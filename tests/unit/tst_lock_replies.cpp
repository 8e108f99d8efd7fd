// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/lock_replies.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using protocol::Reply;

namespace {

Reply integers(std::initializer_list<std::int64_t> numbers)
{
    Reply::Array array;
    for (const std::int64_t number : numbers)
        array.emplace_back(Reply::Value(number));
    return { std::move(array) };
}

Reply integer(std::int64_t number) { return { number }; }

} // namespace

class TestLockReplies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTheAnswerToATry()
    {
        QCOMPARE(parseTryReply({}).value(), (TryReply{ true, {}, {}, {} }));
        QCOMPARE(parseTryReply(integers({ 7 })).value(), (TryReply{ true, {}, {}, 7 }));
        QCOMPARE(parseTryReply(integers({ 7, 2, 0 })).value(), (TryReply{ true, {}, {}, 7, 2 }));
        QCOMPARE(parseTryReply(integers({ -1, -3, 0 })).value(), (TryReply{ true, {}, {}, {}, -3 }));
        QCOMPARE(parseTryReply(integer(250)).value(), (TryReply{ false, 250ms, 250ms, {} }));
        QCOMPARE(parseTryReply(integer(-1)).value(), (TryReply{ false, {}, {}, {} }));
        QCOMPARE(parseTryReply(integer(-2)).value(), (TryReply{ false, 0ms, 0ms, {} }));
        QCOMPARE(parseTryReply(integers({ 5, -1 })).value(), (TryReply{ false, 5ms, {}, {} }));
        QCOMPARE(parseTryReply({ Reply::Status{ "ALREADYHELD" } }).error().code, ErrorCode::AlreadyHeld);
        QCOMPARE(parseTryReply({ Reply::Status{ "LATE 1700000000000" } }).error().code, ErrorCode::ReplyTimeout);
    }

    void refusesOtherAnswersToATry_data()
    {
        QTest::addColumn<Reply>("reply");
        QTest::newRow("text") << Reply(std::string("1"));
        QTest::newRow("status") << Reply(Reply::Status{ "OK" });
        QTest::newRow("nothing in a list") << integers({});
        QTest::newRow("four in a list") << integers({ 1, 2, 3, 4 });
        QTest::newRow("a list of text") << Reply(Reply::Array{ Reply(std::string("1")) });
    }
    void refusesOtherAnswersToATry()
    {
        QFETCH(Reply, reply);
        QCOMPARE(parseTryReply(reply).error().code, ErrorCode::MalformedReply);
    }

    void readsATokenAsAWhole()
    {
        const auto token = [] { return Reply(Reply::Array{ Reply(std::string("ADDED:2024@host:7")) }); };
        const auto notHeld = parseUnlockReply(Reply(Reply::Array{ token() }));
        QCOMPARE(notHeld.error().code, ErrorCode::NotHeld);
        QVERIFY(notHeld.error().message.find("by ADDED:2024@host:7") != std::string::npos);
        const auto holders = parseHolders(Reply(Reply::Array{ token(), Reply(std::string("1")) }));
        QCOMPARE(holders->size(), std::size_t(1));
        QVERIFY((holders->front().owner == OwnerId{ "ADDED:2024@host:7", "" }));
    }

    void readsCountsAndAnswers()
    {
        QCOMPARE(parseCount(integer(-3)).value(), -3);
        QVERIFY(!parseAnswer(integer(0)).value());
        QVERIFY(parseAnswer(integer(1)).value());
        QCOMPARE(parsePermitLease(integer(40)).value(), std::optional(40ms));
        QCOMPARE(parsePermitLease(integer(-1)).value(), std::optional<Millis>());
        QCOMPARE(parsePermitLease(integer(-2)).error().code, ErrorCode::NotHeld);
        const Reply wrongType(Reply::ServerError{ "WRONGTYPE the key holds no number" });
        QCOMPARE(parseCount(wrongType).error().code, ErrorCode::WrongType);
        QCOMPARE(parseAnswer(wrongType).error().code, ErrorCode::WrongType);
        QCOMPARE(parsePermitLease(wrongType).error().code, ErrorCode::WrongType);
        QCOMPARE(parseCount(Reply()).error().code, ErrorCode::MalformedReply);
    }
};

QTEST_APPLESS_MAIN(TestLockReplies)
#include "tst_lock_replies.moc"
