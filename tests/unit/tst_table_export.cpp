// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/audit_export.h"
#include "ui/text/event_export.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_export.h"
#include "ui/text/table_export.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace lockui;
using namespace Qt::StringLiterals;

namespace {

ExportTable of(const std::string &cell, const std::string &next = "next")
{
    return { { { "name", "Name" }, { "more", "More" } }, { { cell, next } } };
}

/// The second line of a table with one row.
QByteArray csvRow(const std::string &cell)
{
    return QByteArray::fromStdString(exported(of(cell), ExportFormat::Csv)).split('\n').at(1);
}

QByteArray markdownRow(const std::string &cell)
{
    return QByteArray::fromStdString(exported(of(cell), ExportFormat::Markdown)).split('\n').at(2);
}

QJsonArray json(const ExportTable &table)
{
    QJsonParseError error{};
    const auto document
        = QJsonDocument::fromJson(QByteArray::fromStdString(exported(table, ExportFormat::Json)), &error);
    return error.error == QJsonParseError::NoError ? document.array() : QJsonArray{ error.errorString() };
}

} // namespace

/// What strangers wrote stays text, whatever it is taken to.
class TableExportTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesPlainTextAsItIs()
    {
        QCOMPARE(
            exported(of("order 12"), ExportFormat::Csv), std::string("\"Name\",\"More\"\r\n\"order 12\",\"next\"\r\n"));
        QCOMPARE(exported(of("order 12"), ExportFormat::Markdown),
            std::string("| Name | More |\n| --- | --- |\n| order 12 | next |\n"));
        QCOMPARE(exported(of("order 12"), ExportFormat::Json),
            std::string("[\n  {\"name\": \"order 12\", \"more\": \"next\"}\n]\n"));
        QCOMPARE(exported({ { { "a", "A" } }, {} }, ExportFormat::Json), std::string("[]\n"));
    }

    void saysWhatItIsOf()
    {
        ExportTable table = of("a", "b");
        table.about = { { "server", "Server", "x|y\xff" }, { "filter", "Filter", "" } };
        const QByteArray text = QByteArray::fromStdString(exported(table, ExportFormat::Json));
        const QJsonObject object = QJsonDocument::fromJson(text).object();
        QCOMPARE(object[u"exported"_s][u"server"_s].toString(), u"x|y\\xff"_s);
        QVERIFY(object[u"exported"_s][u"filter"_s].isNull());
        QCOMPARE(object[u"rows"_s][0][u"more"_s].toString(), u"b"_s);
        QVERIFY(exported(table, ExportFormat::Markdown).starts_with("- Server: x\\|y\\\\xff\n- Filter: \n\n| Name |"));
        QCOMPARE(exported(table, ExportFormat::Csv), exported(of("a", "b"), ExportFormat::Csv));
        table.objects = { R"({"a": 1})" };
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(exported(table, ExportFormat::Json)))
                     .object()[u"rows"_s][0][u"a"_s]
                     .toInt(),
            1);
    }

    void hasNoFormulaInACsvCell_data()
    {
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<QByteArray>("written");
        const auto row = [](const char *cell, const char *written) {
            QTest::newRow(written) << QByteArray(cell) << QByteArray(written);
        };
        row("=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\"");
        row("+1", "\"'+1\"");
        row("-1", "\"'-1\"");
        row("@SUM(A1)", "\"'@SUM(A1)\"");
        row("\t=1", "\"\\x09=1\"");
        row("\r=1", "\"\\x0d=1\"");
        row("\n=1", "\"\\x0a=1\"");
        row(" =1", "\"\\x20=1\"");
        row("＝1", "\"'＝1\"");
        row("'=1", "\"''=1\""); // one taken off gives the text back
        row("a=1", "\"a=1\"");
    }
    void hasNoFormulaInACsvCell()
    {
        QFETCH(const QByteArray, cell);
        QFETCH(const QByteArray, written);
        QCOMPARE(csvRow(cell.toStdString()), written + ",\"next\"\r");
    }

    void endsNoCsvCellAndNoLine()
    {
        QCOMPARE(csvRow("a\",\"=1;x"), QByteArray("\"a\"\",\"\"=1;x\",\"next\"\r"));
        QCOMPARE(csvRow("a\r\n=1"), QByteArray("\"a\\x0d\\x0a=1\",\"next\"\r"));
        QCOMPARE(csvRow("a\u2028b\u0085c"), QByteArray("\"a\\u{2028}b\\u{0085}c\",\"next\"\r"));
    }

    void hidesNothing()
    {
        for (const auto format : { ExportFormat::Csv, ExportFormat::Markdown }) {
            const std::string text = exported(of("pay\u202eexe\u200b\x1b[2J\xff"), format);
            for (const char *hidden : { "\u202e", "\u200b", "\x1b", "\xff" })
                QVERIFY(text.find(hidden) == text.npos);
            QVERIFY(text.find("202e") != text.npos && text.find("200b") != text.npos);
            QVERIFY(text.find("x1b") != text.npos && text.find("xff") != text.npos);
        }
        for (const char byte : exported(of("pay\u202e\U0001f512\x7f"), ExportFormat::Json))
            QVERIFY(byte == '\n' || (byte >= 0x20 && byte < 0x7f));
    }

    void hasNoMarkupInMarkdown_data()
    {
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<QByteArray>("written");
        const auto row = [](const char *cell, const char *written) {
            QTest::newRow(written) << QByteArray(cell) << QByteArray(written);
        };
        row("a|b", "a\\|b");
        row("`rm`", "\\`rm\\`");
        row("*a* _b_ ~~c~~", "\\*a\\* \\_b\\_ \\~\\~c\\~\\~");
        row("<script>&amp;", "\\<script\\>\\&amp;");
        row("[x](javascript:1)", "\\[x\\]\\(javascript:1\\)");
        row("![x](a)", "\\!\\[x\\]\\(a\\)");
        row("# a", "\\# a");
        row("a\n\n# b", "a\\\\x0a\\\\x0a\\# b");
        row("https://evil.example", "https\\://evil.example");
        row("www.evil.example", "www\\.evil.example");
        row("a\\|b", "a\\\\\\\\\\|b"); // printable() doubles the backslash, and Markdown takes half of each pair
        row("order:{8812}:pay", "order:\\{8812\\}:pay");
    }
    void hasNoMarkupInMarkdown()
    {
        QFETCH(const QByteArray, cell);
        QFETCH(const QByteArray, written);
        QCOMPARE(markdownRow(cell.toStdString()), "| " + written + " | next |");
    }

    void hasTheTextItselfInJson()
    {
        const std::string strange = "=1\"\\\n\t\u202e\U0001f512\x01|<b>";
        const QJsonObject object = json(of(strange)).at(0).toObject();
        QCOMPARE(object[u"name"_s].toString().toStdString(), strange);
        QVERIFY(!object.contains(u"nameBase64"_s));
    }

    void carriesBytesThatAreNoTextInJson()
    {
        for (const QByteArray &bytes : { QByteArray("a\xff"), QByteArray("ab\xff\xfe"), QByteArray("\xff") }) {
            const QJsonObject object = json(of(bytes.toStdString())).at(0).toObject();
            QCOMPARE(QByteArray::fromBase64(object[u"nameBase64"_s].toString().toLatin1()), bytes);
            QVERIFY(
                object[u"name"_s].toString().endsWith(u"\\xff"_s) || object[u"name"_s].toString().contains(u"\\xfe"_s));
        }
    }

    void hasNoFactWhereThereIsNone()
    {
        QVERIFY(json(of("")).at(0).toObject()[u"name"_s].isNull());
        QCOMPARE(csvRow(""), QByteArray("\"\",\"next\"\r"));
    }

    void tellsWhichSlowCommandsLockscopeSent()
    {
        using namespace lockcore::monitor;
        Event slow;
        slow.kind = EventKind::SlowCommand;
        slow.ttl = lockcore::Millis(13);
        slow.node = "redis:6379";
        slow.command = "EVALSHA_RO";
        for (const bool isOwn : { false, true }) {
            slow.byLockscope = isOwn;
            ExportTable rows = emptyEventExport();
            addEvent(rows, slow, {}, nullptr, ExportFormat::Csv);
            const auto sentBy = std::ranges::find(rows.columns, "sentBy", &ExportTable::Column::key);
            QVERIFY(sentBy != rows.columns.end());
            QCOMPARE(rows.rows.at(0).size(), rows.columns.size());
            QCOMPARE(
                rows.rows.at(0)[std::size_t(sentBy - rows.columns.begin())], std::string(isOwn ? "lockscope" : ""));
            ExportTable objects = emptyEventExport();
            addEvent(objects, slow, {}, nullptr, ExportFormat::Json);
            const QJsonObject object = json(objects).at(0).toObject();
            QVERIFY(object.contains(u"sentBy"_s));
            QCOMPARE(object[u"sentBy"_s].toString(), isOwn ? u"lockscope"_s : QString());
            QCOMPARE(
                eventMeaning(slow).startsWith(u"by Lockscope itself: EVALSHA_RO took 13 ms on redis:6379"_s), isOwn);
        }
    }

    void saysOfAnEventWhatItMeans()
    {
        using namespace lockcore::monitor;
        Event released;
        released.kind = EventKind::Released;
        released.lock = "a";
        released.owner = lockcore::OwnerId{ "c", "7" };
        EventContext context;
        context.held = SeenTime{ lockcore::Millis(1'200) };
        for (const ExportFormat format : { ExportFormat::Csv, ExportFormat::Markdown }) {
            ExportTable rows = emptyEventExport();
            addEvent(rows, released, context, nullptr, format);
            QCOMPARE(rows.columns.back().key, std::string("meaning"));
            QCOMPARE(rows.rows.at(0).back(), std::string("held for 1.2 s"));
        }
        ExportTable objects = emptyEventExport();
        addEvent(objects, released, context, nullptr, ExportFormat::Json);
        QCOMPARE(json(objects).at(0).toObject()[u"meaning"_s].toString(), u"held for 1.2 s"_s);
    }

    /// A blank cell says that there is nothing, and a server has no lock.
    void tellsAnEmptyNameFromNone()
    {
        using namespace lockcore;
        using namespace lockcore::monitor;
        const Now now{ MonoTime(Millis(100'000)), WallTime(Millis(1'763'709'844'123)) };
        const std::string empty = "(empty name)";
        const auto nameIn = [&](ExportFormat format) {
            const ExportTable table = lockExport({ std::make_shared<LockState>() }, now, {}, nullptr, format);
            return table.rows.front().front();
        };
        QCOMPARE(nameIn(ExportFormat::Markdown), empty);
        QCOMPARE(nameIn(ExportFormat::Csv), std::string());
        const auto lockOf = [](EventKind kind) {
            ExportTable table = emptyEventExport();
            Event event;
            event.kind = kind;
            addEvent(table, event, {}, nullptr, ExportFormat::Markdown);
            return table.rows.front().at(2);
        };
        QCOMPARE(lockOf(EventKind::Acquired), empty);
        QCOMPARE(lockOf(EventKind::Gap), std::string());
        const service::AuditEntry entry;
        QCOMPARE(auditExport({ std::cref(entry) }, now.wall, ExportFormat::Markdown).rows.front().at(9), empty);
    }

    void tellsWhatIsKnownOfALockAndWhatIsNot()
    {
        using namespace lockcore;
        using namespace lockcore::monitor;
        const Now now{ MonoTime(Millis(100'000)), WallTime(Millis(1'763'709'844'123)) };
        auto lock = std::make_shared<LockState>();
        lock->name = "=it";
        Holder &holder = lock->holders.emplace_back();
        holder.owner = { "c\xff", "7" };
        holder.count = 2;
        holder.since = { now.mono - Millis(38'000), false };
        lock->lastChange = { now.mono - Millis(1'000), EventKind::Expired, Certainty::Inferred };
        lock->readAt = now.wall;
        lock->readAtMono = now.mono;
        const ExportTable table = lockExport({ lock }, now, {}, nullptr, ExportFormat::Csv);
        const auto cell = [&](const char *key) {
            for (std::size_t i = 0; i < table.columns.size(); ++i)
                if (table.columns[i].key == key)
                    return QByteArray::fromStdString(table.rows.front()[i]);
            return QByteArray("no such column");
        };
        QCOMPARE(table.rows.front().size(), table.columns.size());
        QCOMPARE(cell("holders"), QByteArray("c\xff:7 ×2"));
        QCOMPARE(cell("ttlMs"), QByteArray("never ends"));
        QCOMPARE(cell("lease"), QByteArray("unknown"));
        QCOMPARE(cell("waiting"), QByteArray("unknown"));
        QCOMPARE(cell("heldMs") + cell("heldIs"), QByteArray("38000at least"));
        QCOMPARE(cell("lastChangeAt"), QByteArray("2025-11-21T07:24:03.123Z"));
        QCOMPARE(cell("certainty"), QByteArray("inferred"));
        QCOMPARE(cell("suspects"), QByteArray("unknown"));
        lock->subscribers = 3;
        const auto counted = lockExport({ lock }, now, {}, nullptr, ExportFormat::Csv).rows.front();
        QVERIFY(std::ranges::find(counted, "3") != counted.end());
        QCOMPARE(std::ranges::count(counted, "at least"), 2);
        lock->subscribers = 0; // a plain 0 in the table, and others may ask again and again
        QCOMPARE(
            std::ranges::count(lockExport({ lock }, now, {}, nullptr, ExportFormat::Csv).rows.front(), "at least"), 2);
        lock->kind = synchronizers::Kind::Fair;
        QCOMPARE(
            std::ranges::count(lockExport({ lock }, now, {}, nullptr, ExportFormat::Csv).rows.front(), "exact"), 1);
        lock->kind = synchronizers::Kind::Reentrant;
        lock->subscribers = 3;
        Snapshot lost; // nothing counts on of what nobody sees
        lost.status.staleSince = now.mono - Millis(8'000);
        lock->readAtMono = *lost.status.staleSince;
        const auto stale = lockExport({ lock }, now, lost, nullptr, ExportFormat::Csv).rows.front();
        QVERIFY(std::ranges::find(stale, "30000") != stale.end());
        const auto json = lockExport({ lock }, now, lost, nullptr, ExportFormat::Json).objects.front();
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(json)).object()[u"heldAtLeastMs"_s].toInt(), 30'000);
    }

    void tellsAllOfAnAction()
    {
        using namespace lockcore;
        service::AuditEntry entry;
        entry.id = "id-1";
        entry.begunAt = WallTime{ Millis(1'763'709'844'123) };
        entry.user = "ops";
        entry.action = nameOf(service::AuditAction::ForceRelease);
        entry.lock = "=lock\xff";
        entry.expected = { { { "client", "7" }, synchronizers::HoldMode::Read } };
        entry.reason = "why";
        const QJsonObject object
            = json(auditExport({ std::cref(entry) }, *entry.begunAt + Millis(90'000), ExportFormat::Json))
                  .at(0)
                  .toObject();
        QCOMPARE(object[u"at"_s].toString(), u"2025-11-21T07:24:04.123Z"_s);
        QCOMPARE(object[u"aimedAt"_s].toString(), u"client:7:read"_s);
        QCOMPARE(object[u"outcome"_s].toString(), u"interrupted"_s);
        QCOMPARE(object[u"lockBase64"_s].toString(), QString::fromLatin1(QByteArray("=lock\xff").toBase64()));
        QVERIFY(object[u"endedAt"_s].isNull() && object[u"error"_s].isNull() && object[u"anew"_s].isNull());
        entry.outcome.emplace();
        entry.outcome->end = nameOf(service::AuditEnd::Refused);
        entry.outcome->isAnew = true;
        QCOMPARE(
            json(auditExport({ std::cref(entry) }, *entry.begunAt, ExportFormat::Json)).at(0)[u"anew"_s].toString(),
            u"it ended at another time"_s);
    }
};

QTEST_APPLESS_MAIN(TableExportTest)
#include "tst_table_export.moc"
