// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/client_addresses.h"
#include "lockcore/protocol/monitor_line.h"

#include <QTest>
#include <random>

using namespace lockcore;
using namespace lockcore::monitor;
using protocol::MonitorLine;
using protocol::parseMonitorLine;

namespace {

const std::string Client = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
const std::string Other = "5d0e77c1-0a1b-4c2d-8e3f-405162738495";

void see(ClientAddresses &addresses, const std::string &connection, std::vector<std::string> words)
{
    addresses.saw({ 0, connection, std::move(words) });
}

/// As Redis writes it.
std::string asWritten(const std::string &bytes)
{
    std::string text = "\"";
    for (const char c : bytes) {
        char hex[8];
        std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        if (c == '"' || c == '\\')
            text.append(1, '\\').append(1, c);
        else
            text += c == '\n' ? "\\n" : c >= ' ' && c <= '~' ? std::string(1, c) : std::string(hex);
    }
    return text + '"';
}

} // namespace

class TestMonitorLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void letsOnlyShortLinesPassWhereverTheyAreCut()
    {
        const std::string stream = "+a\r\n" + std::string(9, 'x') + "\n" + std::string(8, 'y') + "\n\n"
            + std::string(500, 'z') + "\r\n+b\r\n+c";
        for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
            protocol::LineSieve sieve(9);
            std::string passed;
            for (std::size_t at = 0; at < stream.size(); at += piece)
                passed += sieve.pass(std::string_view(stream).substr(at, piece));
            QCOMPARE(passed, "+a\r\n" + std::string(8, 'y') + "\n\n+b\r\n");
            QCOMPARE(sieve.heldBack(), std::size_t{ 2 });
        }
    }

    void readsWhoSaidWhat()
    {
        QCOMPARE(parseMonitorLine("1339518083.107412 [0 127.0.0.1:60866] \"SET\" \"a b\" \"\""),
            std::optional(MonitorLine{ 0, "127.0.0.1:60866", { "SET", "a b", "" } }));
        QCOMPARE(parseMonitorLine("1.2 [15 [::1]:60866] \"PING\""),
            std::optional(MonitorLine{ 15, "[::1]:60866", { "PING" } }));
        QCOMPARE(parseMonitorLine("1.2 [0 unix:/tmp/a] b/redis.sock] \"PING\""),
            std::optional(MonitorLine{ 0, "unix:/tmp/a] b/redis.sock", { "PING" } }));
        QCOMPARE(parseMonitorLine("1.2 [0 lua] \"del\" \"k\""), std::optional(MonitorLine{ 0, "lua", { "del", "k" } }));
    }

    void undoesTheEscapes()
    {
        const auto line = parseMonitorLine("1.2 [0 a:1] \"E\" \"\\\"\\\\\\n\\r\\t\\a\\b\\x00\\xFf] \\\"[0 lua]\"");
        QVERIFY(line);
        QCOMPARE(line->words.at(1), std::string("\"\\\n\r\t\a\b\0\xff] \"[0 lua]", 19));
    }

    void carriesAnyBytes()
    {
        std::string bytes;
        for (int c = 0; c < 256; ++c)
            bytes += static_cast<char>(c);
        const auto line = parseMonitorLine("1.2 [0 a:1] " + asWritten(bytes) + ' ' + asWritten("] \"" + bytes));
        QVERIFY(line);
        QCOMPARE(line->words, (std::vector<std::string>{ bytes, "] \"" + bytes }));
    }

    void refusesWhatIsNoSuchLine_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char *line :
            { "", "OK", "1.2", "1.2 [0 a:1]", "1.2 [0 a:1] ", "1.2 [0 a:1] \"PING", "1.2 [0 a:1] PING",
                "1.2 [0 a:1] \"PING\\", "1.2 [0 a:1] \"\\x1\"", "1.2 [0 a:1] \"\\xg0\"", "1.2 [0 a:1] \"\\q\"",
                "1.2 [0 a:1] \"a\"\"b\"", "1.2 [0 a:1] \"a\"  \"b\"", "1.2 [99999999999 a:1] \"a\"", "1.2 [ a:1] \"a\"",
                "1.2 [0 ] \"a\"", "x.2 [0 a:1] \"a\"", "1 [0 a:1] \"a\"" })
            QTest::newRow(line) << QByteArray(line);
    }
    void refusesWhatIsNoSuchLine()
    {
        QFETCH(QByteArray, line);
        QVERIFY(!parseMonitorLine(line.toStdString()));
    }

    void survivesGarbledLines()
    {
        const std::string good
            = "1339518083.107412 [0 127.0.0.1:60866] \"EVALSHA\" \"\\x00\\xff\" \"a\\\"b\\\\\" \"c\"";
        for (std::size_t length = 0; length < good.size(); ++length)
            QVERIFY(!parseMonitorLine(good.substr(0, length)) || good[length] == ' ');
        std::mt19937 random(4);
        for (int i = 0; i < 100'000; ++i) {
            auto line = good;
            for (int change = 0; change < 3; ++change)
                line[random() % line.size()] = static_cast<char>(random());
            (void)parseMonitorLine(line);
        }
    }

    void tiesClientsToWhereTheirScriptsComeFrom()
    {
        ClientAddresses addresses;
        see(addresses, "10.0.0.7:1", { "EVALSHA", "sha", "1", "stock", "30000", Client + ":7" });
        see(addresses, "10.0.0.7:2", { "evalsha", "sha", "1", "stock", "30000", Client + ":8:write" });
        see(addresses, "10.0.0.9:1", { "EVAL", "return 1", "1", "stock", "30000", Other + ":1" });
        see(addresses, "10.0.0.9:1", { "GET", Client + ":7" }); // reading proves nothing
        see(addresses, "10.0.0.9:1", { "EVALSHA_RO", "sha", "0", Client + ":7" });
        see(addresses, "10.0.0.9:1", { "EVAL", Client + ":7", "0" }); // is the script
        see(addresses, "lua", { "EVALSHA", "sha", "0", Client + ":7" });
        see(addresses, "10.0.0.9:1", {});
        const auto list = addresses.list();
        QCOMPARE(list.size(), std::size_t{ 2 });
        QCOMPARE(list[0].client, Other);
        QCOMPARE(list[0].host, std::string("10.0.0.9"));
        QCOMPARE(list[1].client, Client);
        QCOMPARE(list[1].connections, (std::vector<std::string>{ "10.0.0.7:1", "10.0.0.7:2" }));
        QCOMPARE(list[1].commands, std::int64_t{ 2 });
        QVERIFY(!list[1].alsoElsewhere);
    }

    void preferWhereMostComesFromAndSaysThatThereIsMore()
    {
        ClientAddresses addresses; // old clients renew the holds of others, too
        for (int i = 0; i < 3; ++i)
            see(addresses, "[::1]:1", { "EVALSHA", "sha", "0", Client + ":7" });
        see(addresses, "10.0.0.9:1", { "EVALSHA", "sha", "0", Other + ":1", Client + ":7" });
        const auto list = addresses.list();
        QCOMPARE(list.at(1).host, std::string("[::1]"));
        QVERIFY(list.at(1).alsoElsewhere);
        QVERIFY(!list.at(0).alsoElsewhere);
    }

    void leavesOutWhatOurOwnCommandsSayOfOthers()
    {
        ClientAddresses addresses;
        see(addresses, "10.0.0.1:5", { "EVAL", "force", "1", "stock", Client + ":7" });
        see(addresses, "10.0.0.7:1", { "EVALSHA", "sha", "1", "stock", "30000", Other + ":7" });
        addresses.named("id=3 addr=10.0.0.1:5 laddr=10.0.0.5:6379 fd=8 name=lockscope age=3\n"
                        "id=4 addr=10.0.0.7:1 laddr=10.0.0.5:6379 fd=9 name=billing-2 age=3 cmd=evalsha\n"
                        "garbage\n\nid=5 addr=10.0.0.7:9 name= x\n",
            "lockscope");
        const auto list = addresses.list();
        QCOMPARE(list.size(), std::size_t{ 1 });
        QCOMPARE(list[0].names, std::vector<std::string>{ "billing-2" });
    }
};

QTEST_APPLESS_MAIN(TestMonitorLine)
#include "tst_monitor_line.moc"
