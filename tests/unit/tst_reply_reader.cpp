// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/reply_reader.h"

#include <QTest>

using namespace lockcore::protocol;
using namespace lockcore;
using Array = Reply::Array;

namespace {

struct Sample {
    std::string bytes;
    std::vector<Reply> replies;
};

const std::vector<Sample> &samples()
{
    static const std::vector<Sample> All{
        { "+OK\r\n", { Reply(Reply::Status{ "OK" }) } },
        { "-WRONGTYPE no\r\n", { Reply(Reply::ServerError{ "WRONGTYPE no" }) } },
        { ":99999999999\r\n:-7\r\n", { Reply(std::int64_t{ 99999999999 }), Reply(std::int64_t{ -7 }) } },
        { "$-1\r\n*-1\r\n$0\r\n\r\n", { Reply(), Reply(), Reply(std::string()) } },
        { std::string("$8\r\na\r\nb\0\xff:1\r\n", 14), { Reply(std::string("a\r\nb\0\xff:1", 8)) } },
        { "$12\r\n999999999\r\n1\r\n", { Reply(std::string("999999999\r\n1")) } },
        { "*0\r\n*2\r\n*0\r\n*1\r\n:1\r\n+x\r\n",
            { Reply(Array{}), Reply(Array{ Reply(Array{}), Reply(Array{ Reply(std::int64_t{ 1 }) }) }),
                Reply(Reply::Status{ "x" }) } },
        { "*3\r\n$1\r\na\r\n-ERR inner\r\n$-1\r\n",
            { Reply(Array{ Reply(std::string("a")), Reply(Reply::ServerError{ "ERR inner" }), Reply() }) } },
    };
    return All;
}

/// All replies that `reader` has by now, or the error that ends them.
Result<std::vector<Reply>> drain(ReplyReader &reader)
{
    std::vector<Reply> replies;
    while (true) {
        auto next = reader.next();
        if (!next)
            return tl::unexpected(next.error());
        if (!*next)
            return replies;
        replies.push_back(std::move(**next));
    }
}

ErrorCode errorOf(std::string_view bytes, ReplyLimits limits = {})
{
    ReplyReader reader(limits);
    reader.feed(bytes);
    const auto replies = drain(reader);
    return replies ? ErrorCode::Cancelled : replies.error().code;
}

std::string nested(std::size_t depth)
{
    std::string bytes;
    for (std::size_t i = 0; i < depth; ++i)
        bytes += "*1\r\n";
    return bytes + ":1\r\n";
}

} // namespace

class ReplyReaderTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEverySampleSplitAtEveryByte()
    {
        for (const Sample &sample : samples()) {
            for (std::size_t cut = 0; cut <= sample.bytes.size(); ++cut) {
                ReplyReader reader;
                reader.feed(std::string_view(sample.bytes).substr(0, cut));
                auto replies = drain(reader);
                QVERIFY2(replies, sample.bytes.c_str());
                reader.feed(std::string_view(sample.bytes).substr(cut));
                const auto rest = drain(reader);
                QVERIFY2(rest, sample.bytes.c_str());
                replies->insert(replies->end(), rest->begin(), rest->end());
                QVERIFY2(*replies == sample.replies, sample.bytes.c_str());
            }
        }
    }

    void readsAllSamplesByteByByte()
    {
        ReplyReader reader;
        std::vector<Reply> replies;
        std::vector<Reply> expected;
        for (const Sample &sample : samples()) {
            expected.insert(expected.end(), sample.replies.begin(), sample.replies.end());
            for (const char byte : sample.bytes) {
                reader.feed({ &byte, 1 });
                const auto more = drain(reader).value();
                replies.insert(replies.end(), more.begin(), more.end());
            }
        }
        QVERIFY(replies == expected);
    }

    void readsAReplyMuchLongerThanAPiece()
    {
        std::string expected(3'000'000, 'x');
        expected[1'500'000] = '\n';
        const std::string bytes = "$3000000\r\n" + expected + "\r\n";
        ReplyReader reader;
        for (std::size_t at = 0; at < bytes.size(); at += 65'536)
            reader.feed(std::string_view(bytes).substr(at, 65'536));
        QVERIFY(drain(reader).value() == std::vector{ Reply(expected) });
    }

    void refusesWhatIsNotResp2_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (const char *bytes : { "HTTP/1.1 400 Bad Request\r\n", "\x15\x03\x03\x00\x02\x02\x28", "?\r\n", "$-5\r\n",
                 "$x\r\n", "*x\r\n", ":x\r\n", ":1x\r\n", "*-2\r\n", "$3\r\nabcde", ",1.5\r\n", "#t\r\n",
                 "%1\r\n+a\r\n+b\r\n", "_\r\n", ">2\r\n+a\r\n+b\r\n", "~1\r\n+a\r\n", "(1\r\n", "=5\r\ntxt:x\r\n" })
            QTest::newRow(QByteArray(bytes).toPercentEncoding().constData()) << QByteArray(bytes);
    }
    void refusesWhatIsNotResp2()
    {
        QFETCH(QByteArray, bytes);
        QCOMPARE(errorOf({ bytes.constData(), std::size_t(bytes.size()) }), ErrorCode::MalformedReply);
    }

    void refusesTooLargeFromTheHeadAlone()
    {
        QCOMPARE(errorOf("$67108865\r\n"), ErrorCode::ReplyTooLarge);
        QCOMPARE(errorOf("*2000000000\r\n"), ErrorCode::ReplyTooLarge);
        QCOMPARE(errorOf("*2\r\n*3\r\n", { .elements = 4 }), ErrorCode::ReplyTooLarge);
        QCOMPARE(errorOf("+" + std::string(70'000, 'x')), ErrorCode::ReplyTooLarge);
        QCOMPARE(errorOf("*2\r\n$3\r\nabc\r\n$3\r\ndef\r\n", { .replyBytes = 5 }), ErrorCode::ReplyTooLarge);
    }

    void countsLimitsAnewForEachReply()
    {
        QCOMPARE(errorOf("*3\r\n:1\r\n:2\r\n:3\r\n*3\r\n:1\r\n:2\r\n:3\r\n", { .elements = 4 }), ErrorCode::Cancelled);
        QCOMPARE(errorOf("$3\r\nabc\r\n$3\r\nabc\r\n", { .replyBytes = 5 }), ErrorCode::Cancelled);
    }

    void refusesDeepNesting()
    {
        QCOMPARE(errorOf(nested(7)), ErrorCode::Cancelled);
        for (const std::size_t depth : { 8U, 9U, 1'000U })
            QCOMPARE(errorOf(nested(depth)), ErrorCode::ReplyTooLarge);
    }

    void staysFailedAfterAnError()
    {
        ReplyReader reader;
        reader.feed("+OK\r\n?\r\n+OK\r\n");
        QVERIFY(reader.next().value());
        QVERIFY(!reader.next());
        reader.feed("+OK\r\n");
        QCOMPARE(reader.next().error().code, ErrorCode::MalformedReply);
    }
};

QTEST_GUILESS_MAIN(ReplyReaderTest)
#include "tst_reply_reader.moc"
