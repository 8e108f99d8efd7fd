// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/charts/count_chart.h"
#include "ui/charts/rate_chart.h"
#include "ui/charts/timeline_view.h"
#include "ui/charts/ttl_chart.h"
#include "ui/charts/wait_graph_view.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/support/widgets.h"
#include "ui/views/dashboard_page.h"
#include "ui/views/data_table.h"
#include "ui/views/detail_charts.h"
#include "ui/views/durations_view.h"
#include "ui/views/events_page.h"
#include "ui/views/export_button.h"
#include "ui/views/graph_page.h"
#include "ui/views/histogram_card.h"
#include "ui/views/lock_taking.h"
#include "ui/views/timeline_page.h"

#include <QClipboard>
#include <QDateTime>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSvgRenderer>
#include <QXmlStreamReader>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;
constexpr int Lease = 600'000;

QByteArray contentOf(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

QString clipboard() { return QGuiApplication::clipboard()->text(); }

struct Ran {
    QByteArray output;
    QByteArray errors;
    int status = -1;
};

/// As a person does it who pastes it: lockctl is found as any program is.
Ran runInShell(const QString &command)
{
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QStringLiteral(LOCKCTL_FOLDER ":") + qEnvironmentVariable("PATH"));
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("sh"), { QStringLiteral("-c"), command });
    shell.waitForFinished(Limit);
    return { shell.readAllStandardOutput(), shell.readAllStandardError(), shell.exitCode() };
}

/// The bytes as a script of Redis writes them, so that no shell and no client changes them.
void takeBytes(const RedisServer &server, const QByteArray &name, const QString &owner)
{
    QStringList codes;
    for (const char byte : name)
        codes << QString::number(static_cast<unsigned char>(byte));
    server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("local n = string.char(%1) redis.call('HSET', n, ARGV[1], 1) redis.call('PEXPIRE', n, %2)")
            .arg(codes.join(u','))
            .arg(Lease),
        QStringLiteral("0"), owner });
}

struct Fixture : TestWindow {
    explicit Fixture(const transport::Endpoint &server)
    {
        window.show();
        ConnectionProfile profile;
        profile.deployment = server;
        profile.environment = QStringLiteral("TEST");
        window.openConnection(profile);
    }

    bool isReady(int locks)
    {
        window.activateWindow();
        return QTest::qWaitForWindowActive(&window)
            && QTest::qWaitFor([&] { return page().locks().rowCount() == locks; }, Limit)
            && QTest::qWaitFor([&] { return table().isVisible() && table().model()->rowCount() == locks; }, Limit);
    }
    DataTable &table() { return *named<DataTable>(page(), QStringLiteral("Locks")); }
    int rowOf(const QString &name)
    {
        for (int row = 0; row < table().model()->rowCount(); ++row)
            if (table().model()->index(row, 0).data().toString() == name)
                return row;
        return -1;
    }
    /// The menu of whatever lies there, by a right click.
    QMenu *menuAt(const Place &place)
    {
        click(place, Qt::RightButton);
        QMenu *menu = nullptr;
        return QTest::qWaitFor(
                   [&] { return (menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())) != nullptr; }, Limit)
            ? menu
            : nullptr;
    }
    void choose(QMenu *menu, const QString &entry, const QString &below = {})
    {
        QVERIFY(menu);
        QVERIFY(QTest::qWaitForWindowExposed(menu));
        if (below.isEmpty())
            return test::choose(*menu, entry);
        for (QAction *action : menu->actions()) {
            if (action->text().remove(u'&') != entry)
                continue;
            QTest::mouseClick(
                menu->windowHandle(), Qt::LeftButton, {}, menu->actionGeometry(action).center()); // opens it
            QVERIFY(QTest::qWaitFor([&] { return action->menu()->isVisible(); }, Limit));
            QVERIFY(QTest::qWaitForWindowExposed(action->menu()));
            return test::choose(*action->menu(), below);
        }
        QFAIL(qPrintable(entry));
    }
    QString copied(const QString &name, const QString &entry, const QString &below = {})
    {
        QGuiApplication::clipboard()->setText(QStringLiteral("nothing"));
        const int row = rowOf(name);
        choose(menuAt(cellOf(table(), row, 0)), entry, below);
        return clipboard();
    }
    QFileDialog *dialog()
    {
        QFileDialog *dialog = nullptr;
        return QTest::qWaitFor(
                   [&] { return (dialog = window.findChild<QFileDialog *>()) != nullptr && dialog->isVisible(); },
                   Limit)
            ? dialog
            : nullptr;
    }
    /// Types the file's name into the dialog that is open.
    void nameFile(const QString &file)
    {
        QFileDialog *open = dialog();
        QVERIFY(open);
        auto *name = open->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        name->setText(file);
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<QFileDialog *>(), Limit);
        window.activateWindow();
    }
    QByteArray exported(QWidget &page, const QString &format)
    {
        auto *button = page.findChild<ExportButton *>();
        const QString file = folder.filePath(QStringLiteral("out.") + format.toLower());
        const auto once = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
        QObject::connect(
            button->menu(), &QMenu::aboutToShow, button,
            [button, format] { test::choose(*button->menu(), format + QChar(0x2026)); }, once);
        click(middleOf(*button));
        nameFile(file);
        return contentOf(file);
    }
    template <typename PageOf>
    PageOf &go(Qt::Key key)
    {
        press(window, key, Qt::ControlModifier);
        auto &shown = *window.findChild<PageOf *>();
        [&] { QTRY_VERIFY(shown.isVisible()); }();
        return shown;
    }
};

/// The lines of a CSV file, of which none has a line break in a cell.
QList<QByteArrayList> csv(const QByteArray &text)
{
    QList<QByteArrayList> rows;
    for (const QByteArray &line : text.split('\n'))
        if (!line.trimmed().isEmpty())
            rows << QByteArrayList{ line.trimmed().mid(1).chopped(1).replace("\",\"", "\x1f").split('\x1f') };
    return rows;
}

QByteArray cellOf(const QList<QByteArrayList> &rows, int row, const char *title)
{
    const auto column = rows.front().indexOf(title);
    return column < 0 ? QByteArray("no column ") + title : rows.at(row).at(column);
}

QString wellFormed(const QByteArray &xml, QStringList *texts = nullptr)
{
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        reader.readNext();
        if (texts && reader.isCharacters())
            *texts << reader.text().toString();
    }
    return reader.hasError() ? reader.errorString() : QString();
}

/// What it looks like to whoever opens it.
QImage rendered(const QByteArray &svg)
{
    QSvgRenderer renderer(svg);
    QImage image(renderer.defaultSize(), QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

/// Colours that are at many places, roughly: an empty picture has one.
int colorsOf(const QImage &image)
{
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y) & 0xf0f0f0);
    return static_cast<int>(colors.size());
}

} // namespace

class TakingAlongTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }
    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void copiesNameOwnerCellAndRow()
    {
        take(m_server, QStringLiteral("order:1"), OwnerA, Lease);
        take(m_server, QStringLiteral("order:2"), OwnerB, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(2));
        QCOMPARE(f.copied(QStringLiteral("order:1"), QStringLiteral("Copy the name")), QStringLiteral("order:1"));
        QCOMPARE(f.copied(QStringLiteral("order:1"), QStringLiteral("Copy the owner")), OwnerA);
        QCOMPARE(f.copied(QStringLiteral("order:2"), QStringLiteral("Copy the cell")), QStringLiteral("order:2"));
        const QString row = f.copied(QStringLiteral("order:2"), QStringLiteral("Copy the row"));
        QVERIFY2(row.startsWith(QStringLiteral("order:2\t")) && row.contains(OwnerB), qPrintable(row));
        press(f.window, Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(clipboard().startsWith(QStringLiteral("order:2\t")), qPrintable(clipboard()));
    }

    /// What a spreadsheet would compute; what is one thing alone stays exact.
    void copiesARowWithoutFormulas()
    {
        const QString name = QStringLiteral("=1+2");
        take(m_server, name, OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        const QString row = f.copied(name, QStringLiteral("Copy the row"));
        QVERIFY2(row.startsWith(QStringLiteral("'=1+2\t")), qPrintable(row));
        QCOMPARE(f.copied(name, QStringLiteral("Copy the name")), name);
        QCOMPARE(f.copied(name, QStringLiteral("Copy the cell")), name);
    }

    void copiesSeveralRowsAsSeveralLines()
    {
        for (const char *name : { "a", "b", "c" })
            take(m_server, QString::fromLatin1(name), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(3));
        click(titleOf(f.table(), LockTableModel::Name));
        const int first = std::min(f.rowOf(QStringLiteral("a")), f.rowOf(QStringLiteral("c")));
        click(test::cellOf(f.table(), first, 0));
        const Place last = test::cellOf(f.table(), 2, 0);
        QTest::mouseClick(last.window, Qt::LeftButton, Qt::ShiftModifier, last.point);
        QTRY_COMPARE(f.table().selectionModel()->selectedRows().size(), 3);
        press(f.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QStringList names = clipboard().split(u'\n');
        names.sort();
        QCOMPARE(names, QStringList({ QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c") }));
        f.choose(f.menuAt(test::cellOf(f.table(), 1, 0)), QStringLiteral("Copy as"), QStringLiteral("JSON"));
        const QStringList lines = clipboard().split(u'\n');
        QCOMPARE(lines.size(), 3);
        for (const QString &line : lines)
            QVERIFY2(QJsonDocument::fromJson(line.toUtf8()).isObject(), qPrintable(line));
        press(f.window, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(clipboard().count(u'\n'), 2);
        // What comes from the server does not change what a person has selected.
        take(m_server, QStringLiteral("zz"), OwnerB, Lease);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 4, Limit);
        QCOMPARE(f.table().selectionModel()->selectedRows().size(), 3);
    }

    void copiesTheObjectOfLockctl()
    {
        take(m_server, QStringLiteral("it"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        const QByteArray ours
            = f.copied(QStringLiteral("it"), QStringLiteral("Copy as"), QStringLiteral("JSON")).toUtf8();
        const Ran shown = runInShell(QStringLiteral("lockctl --url %1 --json show it").arg(m_server.url()));
        QCOMPARE(shown.status, 0);
        const QJsonObject copied = QJsonDocument::fromJson(ours).object();
        const QJsonObject printed = QJsonDocument::fromJson(shown.output).object();
        QCOMPARE(copied.keys(), printed.keys());
        for (const char *same : { "name", "kind", "state", "keys", "node", "slot" })
            QCOMPARE(copied[QLatin1String(same)], printed[QLatin1String(same)]);
        QCOMPARE(copied[u"holders"][0][u"thread"], printed[u"holders"][0][u"thread"]);
    }

    void copiedCommandsReallyShowTheLock_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("plain") << QByteArray("order:1");
        QTest::newRow("spaces") << QByteArray(" a  b ");
        QTest::newRow("single quotes") << QByteArray("it's 'quoted'");
        QTest::newRow("double quotes") << QByteArray("say \"hi\"");
        QTest::newRow("substitution") << QByteArray("$(touch pwned)`touch pwned`${HOME}");
        QTest::newRow("operators") << QByteArray("a;b|c&d>e<f*?[x]{y}~#!z");
        QTest::newRow("new line") << QByteArray("a\nb\r\nDEL c");
        QTest::newRow("zero byte") << QByteArray("a\0b", 3);
        QTest::newRow("backslashes") << QByteArray("C:\\x41\\n\\\\");
        QTest::newRow("option") << QByteArray("--help");
        QTest::newRow("dash") << QByteArray("-n");
        QTest::newRow("percent") << QByteArray("%s%n\\c");
        QTest::newRow("UTF-8") << QByteArray("Schlüssel 🔒 锁");
        QTest::newRow("bidirectional") << QByteArray("a\u202eb\u200b");
        QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80");
        QTest::newRow("terminal") << QByteArray("\x1b[31mred");
    }
    void copiedCommandsReallyShowTheLock()
    {
        QFETCH(const QByteArray, name);
        takeBytes(m_server, name, OwnerA);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        const QString shown = f.table().model()->index(0, 0).data().toString();
        const QString lockctl = f.copied(shown, QStringLiteral("Copy as"), QStringLiteral("lockctl command"));
        const Ran byLockctl = runInShell(lockctl);
        QVERIFY2(byLockctl.status == 0 && byLockctl.output.contains(OwnerA.toLatin1()),
            qPrintable(lockctl + u'\n' + QString::fromUtf8(byLockctl.output + byLockctl.errors)));
        const QString redisCli = f.copied(shown, QStringLiteral("Copy as"), QStringLiteral("redis-cli command"));
        QVERIFY2(!redisCli.contains(u'\n'), qPrintable(redisCli));
        const Ran byRedisCli = runInShell(redisCli);
        QVERIFY2(byRedisCli.status == 0 && byRedisCli.output.startsWith(QByteArray(OwnerA.toLatin1() + "\n1\n")),
            qPrintable(redisCli + u'\n' + QString::fromUtf8(byRedisCli.output + byRedisCli.errors)));
        const auto left = byRedisCli.output.trimmed().split('\n').last().toLongLong();
        QVERIFY2(left > 0 && left <= Lease, byRedisCli.output.constData());
        QVERIFY(!QFile::exists(QStringLiteral("pwned")));
        for (const char c : QString(lockctl + redisCli).toLatin1())
            QVERIFY2(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f,
                qPrintable(lockctl + u'\n' + redisCli)); // a terminal obeys none of it
    }

    void copiedRedisCliReadsEachKind_data()
    {
        QTest::addColumn<QStringList>("commands");
        QTest::addColumn<QByteArrayList>("printed");
        const QString owner = OwnerA;
        QTest::newRow("fair") << QStringList{ QStringLiteral("HSET it %1 1").arg(owner),
            QStringLiteral("RPUSH redisson_lock_queue:{it} %1").arg(OwnerB),
            QStringLiteral("ZADD redisson_lock_timeout:{it} 99999999999999 %1").arg(OwnerB) }
                              << QByteArrayList{ owner.toLatin1(), OwnerB.toLatin1(), "99999999999999" };
        QTest::newRow("read/write") << QStringList{ QStringLiteral("HSET it mode read %1 1").arg(owner),
            QStringLiteral("SET {it}:%1:rwlock_timeout:1 1 PX 500000").arg(owner) }
                                    << QByteArrayList{ "mode", "read", owner.toLatin1() };
        QTest::newRow("fenced") << QStringList{ QStringLiteral("HSET it %1 1").arg(owner),
            QStringLiteral("SET {it}:redisson_lock_token 4711") }
                                << QByteArrayList{ owner.toLatin1() };
        QTest::newRow("permits") << QStringList{ QStringLiteral("SET it 3"),
            QStringLiteral("ZADD {it}:timeout 99999999999999 00112233445566778899aabbccddeeff") }
                                 << QByteArrayList{ "3", "00112233445566778899aabbccddeeff" };
    }
    void copiedRedisCliReadsEachKind()
    {
        QFETCH(const QStringList, commands);
        QFETCH(const QByteArrayList, printed);
        for (const QString &command : commands)
            m_server.cli(command.split(u' '));
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        const QString command
            = f.copied(QStringLiteral("it"), QStringLiteral("Copy as"), QStringLiteral("redis-cli command"));
        const Ran ran = runInShell(command);
        QCOMPARE(ran.status, 0);
        for (const QByteArray &part : printed)
            QVERIFY2(ran.output.contains(part), qPrintable(command + u'\n' + QString::fromUtf8(ran.output)));
        QVERIFY2(!ran.output.contains("ERR"), qPrintable(command + u'\n' + QString::fromUtf8(ran.output)));
    }

    /// A password is said by the person who pastes, where it belongs.
    void commandsHaveNoPasswordAndAllElse()
    {
        testsupport::RedisServerOptions options;
        options.tls = true;
        options.users = { QStringLiteral("ops on >s3cret ~* &* +@all") };
        RedisServer server(options);
        QVERIFY(server.start());
        server.cli({ QStringLiteral("-n"), QStringLiteral("3"), QStringLiteral("HSET"), QStringLiteral("it"), OwnerA,
            QStringLiteral("1") });
        auto endpoint = server.tlsEndpoint();
        endpoint.user = "ops";
        endpoint.password = "s3cret";
        endpoint.database = 3;
        Fixture f(endpoint);
        QVERIFY(f.isReady(1));
        for (const auto &[entry, password] :
            { std::pair("lockctl command", "LOCKSCOPE_PASSWORD"), std::pair("redis-cli command", "REDISCLI_AUTH") }) {
            const QString command
                = f.copied(QStringLiteral("it"), QStringLiteral("Copy as"), QString::fromLatin1(entry));
            QVERIFY2(!command.contains(QStringLiteral("s3cret")), qPrintable(command));
            qputenv(password, "s3cret");
            const Ran ran = runInShell(command);
            qunsetenv(password);
            QVERIFY2(ran.output.contains(OwnerA.toLatin1()),
                qPrintable(command + u'\n' + QString::fromUtf8(ran.output + ran.errors)));
        }
    }

    void theDetailOffersTheSame()
    {
        take(m_server, QStringLiteral("it"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        click(test::cellOf(f.table(), 0, 0));
        auto *as = named<QToolButton>(f.window, QStringLiteral("Copy as"));
        QTRY_VERIFY(as->isVisible());
        const auto once = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
        connect(
            as->menu(), &QMenu::aboutToShow, as, [as] { test::choose(*as->menu(), QStringLiteral("Copy the owner")); },
            once);
        click(middleOf(*as));
        QCOMPARE(clipboard(), OwnerA);
        auto &holders = *named<DataTable>(f.window, QStringLiteral("Holders"));
        f.choose(f.menuAt(test::cellOf(holders, 0, 0)), QStringLiteral("Copy the owner"));
        QCOMPARE(clipboard(), OwnerA);
    }

    void exportsTheLocksThatAreShown()
    {
        take(m_server, QStringLiteral("=order|1"), OwnerA, Lease);
        take(m_server, QStringLiteral("order:2"), OwnerB, Lease);
        take(m_server, QStringLiteral("other"), OwnerB, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(3));
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "order");
        QTRY_COMPARE_WITH_TIMEOUT(f.table().model()->rowCount(), 2, Limit);
        click(titleOf(f.table(), LockTableModel::Name));
        const QRegularExpression aSecond(QStringLiteral("^≥ [1-9]")); // less says nothing
        for (int row = 0; row < 2; ++row)
            QTRY_VERIFY_WITH_TIMEOUT(
                aSecond.match(f.table().model()->index(row, LockTableModel::HeldFor).data().toString()).hasMatch(),
                Limit);
        const QStringList shown{ f.table().model()->index(0, 0).data().toString(),
            f.table().model()->index(1, 0).data().toString() };
        const QByteArray text = f.exported(f.page(), QStringLiteral("CSV"));
        const auto rows = csv(text);
        QCOMPARE(rows.size(), 3);
        for (int row = 0; row < 2; ++row) {
            const bool isHostile = shown.at(row).startsWith(u'=');
            QCOMPARE(cellOf(rows, row + 1, "Lock"), ((isHostile ? u"'" : u"") + shown.at(row)).toUtf8());
            QVERIFY(cellOf(rows, row + 1, "TTL (ms)").toLongLong() > Lease - 60'000);
            QCOMPARE(cellOf(rows, row + 1, "Held for is"), QByteArray("at least"));
            QVERIFY(QDateTime::fromString(
                QString::fromLatin1(cellOf(rows, row + 1, "Seen so since (UTC)")), Qt::ISODateWithMs)
                        .isValid());
            QVERIFY(cellOf(rows, row + 1, "Seen so since (UTC)").endsWith('Z'));
        }
        const QJsonObject object = QJsonDocument::fromJson(f.exported(f.page(), QStringLiteral("JSON"))).object();
        QCOMPARE(object[u"exported"][u"filter"].toString(), QStringLiteral("order"));
        QVERIFY(object[u"exported"][u"server"].toString().contains(QString::number(m_server.port())));
        QCOMPARE(object[u"exported"][u"state"].toString(), QStringLiteral("live"));
        QCOMPARE(object[u"rows"].toArray().size(), 2);
        QCOMPARE(object[u"rows"][0][u"name"].toString(), shown.at(0));
        QVERIFY(object[u"rows"][0][u"ttlMs"].isDouble());
        const QByteArray markdown = f.exported(f.page(), QStringLiteral("Markdown"));
        QVERIFY2(markdown.contains("- Filter: order\n") && markdown.contains("=order\\|1"), markdown.constData());
        QVERIFY(saying<ElidedLabel>(f.page(), QStringLiteral("written to ")));
    }

    void exportsNothingToWhereItCannot()
    {
        take(m_server, QStringLiteral("it"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        const QString nowhere = f.folder.filePath(QStringLiteral("no/such/folder/locks.csv"));
        auto *button = f.page().findChild<LockTaking *>()->findChild<ExportButton *>();
        const auto once = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
        connect(
            button->menu(), &QMenu::aboutToShow, button,
            [button] { test::choose(*button->menu(), QStringLiteral("CSV…")); }, once);
        click(middleOf(*button));
        QFileDialog *dialog = f.dialog();
        QVERIFY(dialog);
        dialog->fileSelected(nowhere);
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY((notice = f.window.findChild<NoticeDialog *>()));
        QVERIFY(saying<QLabel>(*notice, QStringLiteral("Nothing was exported.")));
        QVERIFY(saying<QLabel>(*notice, nowhere));
        QVERIFY(!QFile::exists(f.folder.filePath(QStringLiteral("no"))));
        dialog->reject();
        notice->reject();
    }

    void exportsTheEventsThatAreChosen()
    {
        Fixture f(m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest() && f.monitor.latest()->status.lastSweep, Limit);
        take(m_server, QStringLiteral("=first"), OwnerA, Lease);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 1, Limit);
        testsupport::release(m_server, QStringLiteral("=first"));
        auto &page = f.go<EventsPage>(Qt::Key_5);
        QTRY_VERIFY_WITH_TIMEOUT(page.events().rowCount() >= 2, Limit);
        const auto all = csv(f.exported(page, QStringLiteral("CSV")));
        QCOMPARE(all.size(), page.events().rowCount() + 1);
        QCOMPARE(cellOf(all, 1, "Lock"), QByteArray("'=first"));
        QVERIFY(cellOf(all, 1, "When (UTC)").endsWith('Z'));
        click(middleOf(*named<QToolButton>(page, QStringLiteral("acquired"))));
        QTRY_COMPARE_WITH_TIMEOUT(page.events().rowCount(), 1, Limit);
        const QJsonObject object = QJsonDocument::fromJson(f.exported(page, QStringLiteral("JSON"))).object();
        QCOMPARE(object[u"rows"].toArray().size(), 1);
        QCOMPARE(object[u"rows"][0][u"event"].toString(), QStringLiteral("acquired"));
        QCOMPARE(object[u"rows"][0][u"lock"].toString(), QStringLiteral("=first"));
        QVERIFY(object[u"rows"][0].toObject().contains(u"certainty"));
        QVERIFY(object[u"exported"][u"kinds"].toString().contains(QStringLiteral("acquired")));
        auto &table = *named<DataTable>(page, QStringLiteral("Events"));
        f.choose(f.menuAt(test::cellOf(table, 0, 0)), QStringLiteral("Copy as"), QStringLiteral("JSON"));
        QCOMPARE(QJsonDocument::fromJson(clipboard().toUtf8()).object(), object[u"rows"][0].toObject());
    }

    void copiesTheLocksOfEventsByKey()
    {
        Fixture f(m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest() && f.monitor.latest()->status.lastSweep, Limit);
        take(m_server, QStringLiteral("of the event"), OwnerA, Lease);
        auto &page = f.go<EventsPage>(Qt::Key_5);
        QTRY_VERIFY_WITH_TIMEOUT(page.events().rowCount() >= 1, Limit);
        auto &table = *named<DataTable>(page, QStringLiteral("Events"));
        click(test::cellOf(table, 0, 0));
        QGuiApplication::clipboard()->setText(QStringLiteral("nothing"));
        press(f.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(clipboard(), QStringLiteral("of the event"));
    }

    /// An SVG has no clipping: what is scrolled covers neither the legend above it nor the axis.
    void exportsAScrolledTimeline()
    {
        for (int i = 0; i < 60; ++i)
            take(m_server, QStringLiteral("lock:%1").arg(i), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(60));
        auto &page = f.go<TimelinePage>(Qt::Key_2);
        auto &view = *page.findChild<TimelineView *>();
        QTRY_COMPARE_WITH_TIMEOUT(view.lanes().size(), std::size_t(60), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(view.verticalScrollBar()->maximum() > 0, Limit);
        f.window.setPaused(true); // the axis stands still
        const auto svg = [&] {
            QFile::remove(f.folder.filePath(QStringLiteral("out.svg"))); // else the dialog asks
            return rendered(f.exported(page, QStringLiteral("SVG")));
        };
        const int axis = view.laneRect(0).top();
        const QImage before = svg();
        view.verticalScrollBar()->setValue(LaneShape::Height - 4); // a lane is cut at the top
        const QImage after = svg();
        QCOMPARE(after.size(), before.size());
        const int head = before.height() - view.viewport()->height() + axis - 1;
        int differing = 0;
        for (int y = head / 2; y < head; ++y) // below the title, which tells the time
            for (int x = 0; x < view.laneRect(0).width() / 8; ++x)
                differing += before.pixel(x, y) != after.pixel(x, y) ? 1 : 0;
        QCOMPARE(differing, 0);
    }

    void exportsChainsAndTheirPicture()
    {
        const QString hostile = QStringLiteral("<b>&\"'=x</b>");
        takeFairWithWaiter(hostile);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        auto &page = f.go<GraphPage>(Qt::Key_3);
        auto &view = *page.findChild<WaitGraphView *>();
        QTRY_COMPARE_WITH_TIMEOUT(view.chains().chains.size(), std::size_t(1), Limit);
        const auto rows = csv(f.exported(page, QStringLiteral("CSV")));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(cellOf(rows, 1, "Blocked"), QByteArray("1"));
        QCOMPARE(cellOf(rows, 1, "Head"), OwnerA.toLatin1());
        const QJsonObject object = QJsonDocument::fromJson(f.exported(page, QStringLiteral("JSON"))).object();
        QCOMPARE(object[u"rows"][0][u"mainLock"].toString(), hostile);
        QVERIFY(object[u"rows"][0][u"edges"].toArray().size() >= 2);
        checkSvg(f.exported(page, QStringLiteral("SVG")),
            { QStringLiteral("Wait graph"), QStringLiteral("keeps waiting"), hostile });
        checkPng(f.exported(page, QStringLiteral("PNG")));
        const auto place = view.placeOf("lock " + hostile.toStdString());
        QVERIFY(place);
        f.choose(f.menuAt(placeIn(*view.viewport(), place->center().toPoint())), QStringLiteral("Copy the name"));
        QCOMPARE(clipboard(), hostile);
        const QPoint beside(view.viewport()->width() - 5, view.viewport()->height() - 5);
        f.choose(f.menuAt(placeIn(*view.viewport(), beside)), QStringLiteral("Copy picture"));
        const QMimeData *data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QCOMPARE(wellFormed(data->data(QStringLiteral("image/svg+xml"))), QString());
    }

    void exportsTheTimeline()
    {
        take(m_server, QStringLiteral("<i>&1"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        auto &page = f.go<TimelinePage>(Qt::Key_2);
        auto &view = *page.findChild<TimelineView *>();
        QTRY_COMPARE_WITH_TIMEOUT(view.lanes().size(), std::size_t(1), Limit);
        const QStringList texts{ QStringLiteral("Timeline"), QStringLiteral("<i>&1"),
            QString::number(m_server.port()) };
        checkSvg(f.exported(page, QStringLiteral("SVG")), texts);
        checkPng(f.exported(page, QStringLiteral("PNG")));
        QVERIFY(page.findChild<WrittenNote *>()->isVisible());
        QVERIFY(page.findChild<WrittenNote *>()->text().startsWith(QStringLiteral("written to ")));
        f.choose(f.menuAt(placeIn(*view.viewport(), view.laneRect(0).center())), QStringLiteral("Copy the name"));
        QCOMPARE(clipboard(), QStringLiteral("<i>&1"));
        const QString file = f.folder.filePath(QStringLiteral("by-menu.svg"));
        f.choose(f.menuAt(placeIn(*view.viewport(), QPoint(view.width() - 40, view.height() - 40))),
            QStringLiteral("Save picture as SVG…"));
        f.nameFile(file);
        checkSvg(contentOf(file), texts);
        QVERIFY(page.findChild<WrittenNote *>()->text().contains(QStringLiteral("by-menu.svg")));
    }

    void copiesTheOwnerThatABarNames()
    {
        take(m_server, QStringLiteral("gone:1"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        auto &page = f.go<TimelinePage>(Qt::Key_2);
        auto &view = *page.findChild<TimelineView *>();
        QTRY_COMPARE_WITH_TIMEOUT(view.lanes().size(), std::size_t(1), Limit);
        const auto hold = [&]() -> const TimelineSpan & {
            return page.timeline().lane(view.lanes().front()).holds.front().spans.front();
        };
        const auto isWide = [&] { return view.range().to - hold().from > std::chrono::seconds(1); };
        QTRY_VERIFY_WITH_TIMEOUT(isWide(), Limit);
        testsupport::release(m_server, QStringLiteral("gone:1"));
        QTRY_VERIFY_WITH_TIMEOUT(hold().to != TimelineSpan::Open && f.monitor.latest()->locks.empty(), Limit);
        const int x = view.xOf(hold().from + (hold().to - hold().from) / 2);
        const int y = view.laneRect(0).top() + LaneShape::HoldsTop + LaneShape::HoldsHeight / 2;
        f.choose(f.menuAt(placeIn(*view.viewport(), { x, y })), QStringLiteral("Copy the owner"));
        QCOMPARE(clipboard(), OwnerA);
    }

    void exportsChartsOfDashboardAndDetail()
    {
        take(m_server, QStringLiteral("<u>&it"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        click(test::cellOf(f.table(), 0, 0));
        auto &chart = *f.window.findChild<TtlChart *>();
        const QString file = f.folder.filePath(QStringLiteral("ttl.svg"));
        f.choose(f.menuAt(middleOf(chart)), QStringLiteral("Save picture as SVG…"));
        f.nameFile(file);
        checkSvg(contentOf(file), { QStringLiteral("Time to live of <u>&it") });
        const auto &note = *f.window.findChild<DetailCharts *>()->findChild<WrittenNote *>();
        QVERIFY(note.isVisible() && note.text().contains(QStringLiteral("ttl.svg")));
        const QString durations = f.folder.filePath(QStringLiteral("holds.svg"));
        f.choose(f.menuAt(middleOf(*f.window.findChild<DetailCharts *>()->findChild<DurationsView *>())),
            QStringLiteral("Save picture as SVG…"));
        f.nameFile(durations);
        checkSvg(contentOf(durations), { QStringLiteral("Hold times of <u>&it") });
        auto &page = f.go<DashboardPage>(Qt::Key_4);
        QTRY_VERIFY_WITH_TIMEOUT(page.findChild<ExportButton *>()->isEnabled(), Limit);
        checkSvg(f.exported(page, QStringLiteral("SVG")),
            { QStringLiteral("Dashboard"), QStringLiteral("Held"), QStringLiteral("Hold times") });
        checkPng(f.exported(page, QStringLiteral("PNG")));
        const QString one = f.folder.filePath(QStringLiteral("holds.png"));
        f.choose(f.menuAt(middleOf(*page.findChild<RateChart *>())), QStringLiteral("Save picture as PNG…"));
        f.nameFile(one);
        checkPng(contentOf(one));
        QVERIFY(page.findChild<WrittenNote *>()->text().contains(QStringLiteral("holds.png")));
        for (const auto &[number, title] : { std::pair(0, "Hold times"), std::pair(1, "Waits") }) {
            QGuiApplication::clipboard()->clear();
            HistogramChart &bars = page.findChildren<HistogramCard *>()[number]->chart();
            page.findChild<QScrollArea *>()->ensureWidgetVisible(&bars);
            f.choose(f.menuAt(middleOf(bars)), QStringLiteral("Copy picture"));
            checkSvg(QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")),
                { QString::fromLatin1(title) });
        }
    }

    /// It has no time to live.
    void savesTheCourseOfFreePermits()
    {
        m_server.cli({ QStringLiteral("SET"), QStringLiteral("pool"), QStringLiteral("3") });
        m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("{pool}:timeout"),
            QString::number(QDateTime::currentMSecsSinceEpoch() + 60'000),
            QStringLiteral("3f2b8c9a5d0e77c10a1b4c2d8e3f4051") });
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        click(test::cellOf(f.table(), 0, 0));
        const auto &chart = *f.window.findChild<CountChart *>();
        QTRY_VERIFY_WITH_TIMEOUT(chart.isVisible(), Limit);
        const QString file = f.folder.filePath(QStringLiteral("pool.svg"));
        f.choose(f.menuAt(middleOf(chart)), QStringLiteral("Save picture as SVG…"));
        f.nameFile(file);
        checkSvg(contentOf(file), { QStringLiteral("Free permits of pool") });
    }

    /// What it is of is said, and commands lead to where it was recorded.
    void takesAlongFromARecording()
    {
        take(m_server, QStringLiteral("it"), OwnerA, Lease);
        Fixture f(m_server.endpoint());
        QVERIFY(f.isReady(1));
        const QString recording = f.folder.filePath(QStringLiteral("it.lockrec"));
        f.monitor.recorder().start(recording);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.recorder().state(), Limit);
        take(m_server, QStringLiteral("more"), OwnerB, Lease);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 2, Limit);
        f.monitor.recorder().stop();
        QTRY_VERIFY_WITH_TIMEOUT(f.window.findChild<NoticeDialog *>(), Limit);
        f.window.findChild<NoticeDialog *>()->reject();
        f.window.openRecording(recording);
        QVERIFY(f.isReady(1));
        const QJsonObject object = QJsonDocument::fromJson(f.exported(f.page(), QStringLiteral("JSON"))).object();
        QCOMPARE(object[u"exported"][u"state"].toString(), QStringLiteral("of a recording"));
        QVERIFY(object[u"exported"][u"server"].toString().contains(QStringLiteral("it.lockrec")));
        QCOMPARE(object[u"rows"][0][u"name"].toString(), QStringLiteral("it"));
        for (const char *entry : { "lockctl command", "redis-cli command" }) {
            const QString command
                = f.copied(QStringLiteral("it"), QStringLiteral("Copy as"), QString::fromLatin1(entry));
            const Ran ran = runInShell(command);
            QVERIFY2(ran.output.contains(OwnerA.toLatin1()), qPrintable(command));
        }
        click(test::cellOf(f.table(), 0, 0));
        const auto &chart = *f.window.findChild<TtlChart *>(); // nothing of it is of now
        QTRY_VERIFY_WITH_TIMEOUT(chart.accessibleName().contains(QStringLiteral("the 90 seconds until ")), Limit);
        QVERIFY2(chart.accessibleName().endsWith(chart.moments().back().text), qPrintable(chart.moments().back().text));
        auto &page = f.go<TimelinePage>(Qt::Key_2);
        QTRY_VERIFY_WITH_TIMEOUT(page.findChild<ExportButton *>()->isEnabled(), Limit);
        checkSvg(f.exported(page, QStringLiteral("SVG")), { QStringLiteral("of a recording") });
    }

private:
    void takeFairWithWaiter(const QString &name)
    {
        take(m_server, name, OwnerA, Lease);
        m_server.cli({ QStringLiteral("RPUSH"), QStringLiteral("redisson_lock_queue:{%1}").arg(name), OwnerB });
        m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("redisson_lock_timeout:{%1}").arg(name),
            QString::number(QDateTime::currentMSecsSinceEpoch() + Lease), OwnerB });
    }

    static void checkSvg(const QByteArray &svg, const QStringList &said)
    {
        QStringList texts;
        QCOMPARE(wellFormed(svg, &texts), QString());
        for (const QString &text : said)
            QVERIFY2(texts.join(u'\n').contains(text), qPrintable(text + u'\n' + texts.join(u'\n')));
        QVERIFY2(colorsOf(rendered(svg)) > 5, "it is empty");
        keep(svg, QStringLiteral("svg"));
        if (qEnvironmentVariableIsSet("LOCKSCOPE_PICTURES"))
            rendered(svg).save(kept(QStringLiteral("rendered.png")));
    }
    static void checkPng(const QByteArray &png)
    {
        const QImage image = QImage::fromData(png, "PNG");
        QVERIFY(image.width() > 300 && image.height() > 100);
        QVERIFY2(colorsOf(image) > 5, "it is empty");
        keep(png, QStringLiteral("png"));
    }
    /// For people, where they ask for them.
    static QString kept(const QString &suffix)
    {
        return qEnvironmentVariable("LOCKSCOPE_PICTURES") + u'/' + QString::fromLatin1(QTest::currentTestFunction())
            + u'.' + suffix;
    }
    static void keep(const QByteArray &bytes, const QString &suffix)
    {
        if (!qEnvironmentVariableIsSet("LOCKSCOPE_PICTURES"))
            return;
        QFile file(kept(suffix));
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
    }

    RedisServer m_server;
};

QTEST_MAIN(TakingAlongTest)
#include "tst_taking_along.moc"
