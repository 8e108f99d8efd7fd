// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/bulk_lines.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/connection_form.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"

#include <QApplication>
#include <QCheckBox>
#include <QDeadlineTimer>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace lockui;
using namespace lockui::test;

namespace {

using Lock = std::shared_ptr<const LockState>;

const OwnerId First{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId Second{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };

/// How many labels that a person sees have the text.
int labelsSaying(const QWidget &parent, const QString &text)
{
    const auto labels = parent.findChildren<QLabel *>();
    return static_cast<int>(std::count_if(labels.begin(), labels.end(),
        [&](const QLabel *label) { return label->isVisibleTo(&parent) && label->text().contains(text); }));
}

bool says(const QWidget &parent, const QString &text) { return labelsSaying(parent, text) > 0; }

void type(QLineEdit *edit, const QString &text)
{
    edit->selectAll();
    edit->del();
    QTest::keyClicks(edit, text);
}

Lock heldBy(const OwnerId &owner, const LockName &name = "inventory:sku:1093")
{
    auto lock = test::makeLock(name, ViewClock::steadyNow());
    lock->holders.front().owner = owner;
    lock->holders.front().since = Since{}; // of the same hold, however often it is asked for
    return lock;
}

/// An open dialog on a lock that `First` was seen to hold.
struct Release : TestNames {
    explicit Release(const QString &environment = {}, Lock lock = heldBy(First))
        : profile{ {}, Endpoint(), environment, false, false }
        , dialog(std::move(lock), { profile, names, clock })
        , confirmed(&dialog, &GuardedDialog::confirmed)
    {
        dialog.show();
    }

    QAbstractButton *release() { return button(dialog, QStringLiteral("Force release")); }
    QLineEdit *reason() { return named<QLineEdit>(dialog, QStringLiteral("Reason, for the audit log")); }
    QLineEdit *name() { return named<QLineEdit>(dialog, QStringLiteral("Type the lock's name to confirm")); }
    void endDone()
    {
        dialog.setSent();
        CommandOutcome outcome;
        outcome.done = true;
        dialog.setOutcome(outcome);
    }
    ForceRelease command() { return std::get<ForceRelease>(confirmed.takeFirst().first().value<AdminCommand>()); }

    ConnectionProfile profile;
    ViewClock clock;
    ForceReleaseDialog dialog;
    QSignalSpy confirmed;
};

} // namespace

class TestDialogs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void urlFillsTheFields();
    void fieldsWriteTheUrlWithoutThePassword();
    void tabGoesThroughTheFieldsAsOneReads();
    void pastedPasswordDoesNotStayReadable();
    void wrongFieldIsNamedAndCannotConnect_data();
    void wrongFieldIsNamedAndCannotConnect();
    void wrongUrlCannotConnect();
    void fieldsAreNotOfTheUrlBeforeAWrongOne();
    void altAndTheLetterOfAGreyButtonTypeNothing();
    void theDialogFitsTheScreen();
    void longUrlsAreToldApartByTheirEnds();
    void usersOfOneServerAreToldApart();
    void recentServerIsListedOnce();
    void recentServerCanBeForgotten();
    void recentServerNeverGetsAnothersPassword();
    void passwordGoesToNoOtherServer_data();
    void passwordGoesToNoOtherServer();
    void nameAndEnvironmentStayWithTheirServer();
    void whatIsSaidOfAServerComesWithItsUrl();
    void whatAPersonTookAwayStaysAwayWhileAUrlIsTyped();
    void aNameSaidMeanwhileTakesNoPasswordAway();
    void recentServerComesBackAsItWas();
    void messagesOfAClusterAreKept();
    void connectionCanBeNamed();
    void namesOfOtherLibrariesLocksAreKept();
    void tlsFilesStayWithTheirServer();
    void tlsFilesAreOfTlsAlone();
    void beginsWithTheUrl();
    void blanksAroundAnAnswerDoNotCount();
    void enterConnectsOnlyWithRightFields();
    void escapeCancelsTheConnection();

    void showsAHolderWithALongNameWhole();
    void aLongNameLeavesTheButtonsInTheWindow_data();
    void aLongNameLeavesTheButtonsInTheWindow();
    void anotherServerDisarmsUntilLookedAgain();
    void anotherServerLeavesALockOutOfSeveral();
    void theButtonStaysWhileTheTextAboveChanges();
    void linesOfABulletHangUnderItsText();
    void enterMakesWritableOnItsOwnButtonAlone();
    void blanksAroundTheWordOfProductionDoNotCount();
    void timeThatIsLeftIsOffered();
    void releasesExactlyWhatWasSeen();
    void otherHolderDisarmsUntilLookedAgain();
    void renewalBySameHolderStaysArmed();
    void anEndThatCameNearerDisarms();
    void anEndThatIsLaterDisarmsWithoutAWatchdog();
    void anEndThatIsLaterDisarmsWhenItsWatchdogWasNotDue();
    void expectsTheEndThatIsShown();
    void tellsThatTheHolderLooksAlive();
    void whatIsTakenAnewIsASignOfLife();
    void otherModeOfSameHolderDisarms();
    void reasonIsRequired();
    void whoLeavesTheReasonEmptyIsTold();
    void productionWantsTheNameTyped();
    void unprintableNameIsTypedAsShown();
    void staleSightDisarms();
    void freeOrGoneLockCannotBeReleased();
    void isSentOnlyOnce();
    void refusalShowsExpectedAndFound();
    void lostAnswerIsSaidToBeUnknown();
    void saysThatNothingWasSent();
    void tellsOfNobodyThatWasWoken();
    void doneCannotBeRepeated();
    void whatIsDoneIsToldWithoutHolesAndWarnings();
    void enterInTheReasonDoesNotRelease();
    void enterPressesAFocusedButton();
    void aSecondClickDoesNotHideWhatCameOfTheFirst();
    void aKeyThatIsHeldDownDoesNotHideIt();
    void escapeClosesWithoutReleasing();
    void namesAreNeverRichText();
};

void TestDialogs::urlFillsTheFields()
{
    ConnectionDialog dialog({});
    type(named<QLineEdit>(dialog, QStringLiteral("URL")), QStringLiteral("rediss://ops:s%40fe@redis.example:7000/3"));

    QCOMPARE(named<QLineEdit>(dialog, QStringLiteral("Host"))->text(), QStringLiteral("redis.example"));
    QCOMPARE(named<QLineEdit>(dialog, QStringLiteral("Port"))->text(), QStringLiteral("7000"));
    const Endpoint endpoint = dialog.profile().deployment.seeds.front();
    QCOMPARE(endpoint.user, std::string("ops"));
    QCOMPARE(endpoint.password, std::string("s@fe"));
    QCOMPARE(endpoint.database, 3);
    QVERIFY(endpoint.tls.enabled);
}

void TestDialogs::fieldsWriteTheUrlWithoutThePassword()
{
    ConnectionDialog dialog({});
    type(named<QLineEdit>(dialog, QStringLiteral("Host")), QStringLiteral("fd00::1"));
    type(named<QLineEdit>(dialog, QStringLiteral("User")), QStringLiteral("ops"));
    type(named<QLineEdit>(dialog, QStringLiteral("Password")), QStringLiteral("hunter2"));
    type(named<QLineEdit>(dialog, QStringLiteral("Database")), QStringLiteral("2"));
    const QString url = named<QLineEdit>(dialog, QStringLiteral("URL"))->text();
    QCOMPARE(url, QStringLiteral("redis://ops@[fd00::1]:6379/2"));

    type(named<QLineEdit>(dialog, QStringLiteral("Unix socket")), QStringLiteral("/run/re dis.sock"));
    const QString socketUrl = named<QLineEdit>(dialog, QStringLiteral("URL"))->text();
    QCOMPARE(socketUrl, QStringLiteral("unix://ops@/run/re%20dis.sock?db=2"));
    const auto parsed = parseUrl(toBytes(socketUrl));
    QVERIFY(parsed);
    QCOMPARE(parsed->socketPath, std::string("/run/re dis.sock"));
}

void TestDialogs::tabGoesThroughTheFieldsAsOneReads()
{
    for (const char *url : { "redis://a", "rediss://a", "redis-sentinel://a/master", "redis-cluster://a" }) {
        ConnectionDialog dialog({});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        const auto &form = *dialog.findChild<ConnectionForm *>();
        auto *first = named<QLineEdit>(dialog, QStringLiteral("URL"));
        first->selectAll();
        type(first, QString::fromLatin1(url));
        doLayouts();
        std::vector<std::pair<int, int>> places; // row by row: from above, then from the left
        for (const QWidget *at = first; form.isAncestorOf(at); at = dialog.focusWidget()) {
            const QPoint place = at->mapTo(&form, at->rect().center());
            places.emplace_back(place.y() / 12, place.x());
            press(dialog, Qt::Key_Tab);
        }
        QVERIFY(places.size() >= 10);
        QVERIFY2(std::ranges::is_sorted(places), url);
    }
}

void TestDialogs::pastedPasswordDoesNotStayReadable()
{
    ConnectionDialog dialog({});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    url->setFocus();
    type(url, QStringLiteral("redis://:hunter2@10.0.0.5"));
    QTest::keyClick(url, Qt::Key_Tab);
    QVERIFY(!url->text().contains(QStringLiteral("hunter2")));
    QCOMPARE(dialog.profile().deployment.seeds.front().password, std::string("hunter2"));

    auto *password = named<QLineEdit>(dialog, QStringLiteral("Password"));
    QCOMPARE(password->echoMode(), QLineEdit::Password);
    named<QToolButton>(dialog, QStringLiteral("Show the password"))->click();
    QCOMPARE(password->echoMode(), QLineEdit::Normal);
}

void TestDialogs::wrongFieldIsNamedAndCannotConnect_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no host") << QStringLiteral("Host") << QStringLiteral("") << QStringLiteral("Enter a host name");
    QTest::newRow("host with space") << QStringLiteral("Host") << QStringLiteral("a b") << QStringLiteral("no spaces");
    QTest::newRow("port zero") << QStringLiteral("Port") << QStringLiteral("0") << QStringLiteral("from 1 to 65535");
    QTest::newRow("port too large") << QStringLiteral("Port") << QStringLiteral("65536")
                                    << QStringLiteral("from 1 to 65535");
    QTest::newRow("port no number") << QStringLiteral("Port") << QStringLiteral("redis")
                                    << QStringLiteral("from 1 to 65535");
    QTest::newRow("relative socket") << QStringLiteral("Unix socket") << QStringLiteral("redis.sock")
                                     << QStringLiteral("whole path");
    QTest::newRow("negative database") << QStringLiteral("Database") << QStringLiteral("-1")
                                       << QStringLiteral("number from 0");
    QTest::newRow("client name") << QStringLiteral("Client name") << QStringLiteral("lock scope")
                                 << QStringLiteral("no spaces");
    QTest::newRow("missing authority") << QStringLiteral("Authority (CA)") << QStringLiteral("/nowhere/ca.pem")
                                       << QStringLiteral("no such file");
    const QString someFile = QCoreApplication::applicationFilePath();
    QTest::newRow("certificate without key")
        << QStringLiteral("Client certificate") << someFile << QStringLiteral("needs its key");
    QTest::newRow("key without certificate")
        << QStringLiteral("Client certificate's key") << someFile << QStringLiteral("needs its certificate");
}

void TestDialogs::wrongFieldIsNamedAndCannotConnect()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(QString, reason);
    ConnectionDialog dialog({});
    for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
        box->setChecked(box->text().remove(QLatin1Char('&')).contains(QStringLiteral("TLS")));
    auto *accept = button(dialog, QStringLiteral("Connect"));
    QVERIFY(accept->isEnabled());

    type(named<QLineEdit>(dialog, field), text);
    QVERIFY(!accept->isEnabled());
    QVERIFY(!button(dialog, QStringLiteral("Test"))->isEnabled());
    QVERIFY(says(dialog, reason));
}

void TestDialogs::wrongUrlCannotConnect()
{
    ConnectionDialog dialog({});
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("http://10.0.0.5"));
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->isEnabled());
    QVERIFY(says(dialog, QStringLiteral("unknown scheme")));
    type(url, QStringLiteral("redis://10.0.0.5"));
    QVERIFY(button(dialog, QStringLiteral("Connect"))->isEnabled());
}

/// It is the URL that is looked at: what is said of another server below it would be taken for its own.
void TestDialogs::fieldsAreNotOfTheUrlBeforeAWrongOne()
{
    ConnectionProfile orders;
    orders.name = QStringLiteral("orders");
    orders.deployment = withClientName(*parseDeployment("redis://ops:hunter2@10.0.0.5:7001/2"));
    ConnectionDialog dialog({});
    dialog.setProfile(orders);
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("http://example.com"));
    for (const char *field : { "Host", "User", "Password", "Name" })
        QVERIFY2(named<QLineEdit>(dialog, QString::fromLatin1(field))->text().isEmpty(), field);
    QVERIFY(!says(dialog, QStringLiteral("Enter a host name"))); // one thing is wrong, and that is the URL
    type(url, QStringLiteral("redis://ops@10.0.0.5:7001/2"));
    QCOMPARE(dialog.profile(), orders); // nothing was lost by a wrong letter
    type(url, QStringLiteral("http://example.com"));
    type(named<QLineEdit>(dialog, QStringLiteral("Host")), QStringLiteral("10.0.0.6"));
    QCOMPARE(url->text(), QStringLiteral("redis://10.0.0.6:6379"));
    QCOMPARE(dialog.profile().deployment.seeds.front().password, std::string());
}

void TestDialogs::altAndTheLetterOfAGreyButtonTypeNothing()
{
    ConnectionDialog dialog({});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *host = named<QLineEdit>(dialog, QStringLiteral("Host"));
    click(middleOf(*host));
    host->selectAll();
    host->del();
    QTest::keyClick(dialog.windowHandle(), Qt::Key_T, Qt::AltModifier);
    QCOMPARE(host->text(), QString());
}

void TestDialogs::theDialogFitsTheScreen()
{
    ConnectionDialog dialog({});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("rediss-sentinel://sentinel.example:26379/orders"));
    auto *certificate = named<QLineEdit>(dialog, QStringLiteral("Client certificate"));
    type(certificate, QStringLiteral("/nowhere"));
    doLayouts();
    const QRect screen = dialog.screen()->availableGeometry();
    QVERIFY2(dialog.frameGeometry().height() <= screen.height(), qPrintable(QString::number(dialog.height())));
    QVERIFY2(dialog.minimumHeight() <= screen.height() / 2, "it fits on a smaller one, too");
    const QRect inside = dialog.rect();
    for (const char *each : { "Connect", "Cancel", "Test" }) {
        const auto *shown = button(dialog, QString::fromLatin1(each));
        QVERIFY2(inside.contains(QRect(shown->mapTo(&dialog, QPoint()), shown->size())), each);
    }
    dialog.resize(dialog.width(), 400);
    doLayouts();
    press(dialog, Qt::Key_Tab);
    certificate->setFocus();
    doLayouts();
    QVERIFY(!certificate->visibleRegion().isEmpty()); // whatever has the keys is seen
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->visibleRegion().isEmpty());
}

void TestDialogs::longUrlsAreToldApartByTheirEnds()
{
    ConnectionProfile orders;
    orders.deployment = *parseDeployment("redis-sentinel://lockmon@locks-sentinel.example.com:7201/orders");
    ConnectionDialog dialog({ orders });
    const auto &list = *dialog.findChild<QListWidget *>();
    QCOMPARE(list.textElideMode(), Qt::ElideMiddle);
}

/// By what differs alone: where there is little room, the middle of a title is cut.
void TestDialogs::usersOfOneServerAreToldApart()
{
    ConnectionProfile anna;
    anna.deployment = *parseDeployment("redis://anna@db:6379");
    ConnectionProfile ben = anna;
    ben.deployment.seeds.front().user = "ben";
    QCOMPARE(titleAmong(anna, { anna }), QStringLiteral("db:6379"));
    QCOMPARE(titleAmong(anna, { anna, ben }), QStringLiteral("redis://anna@db:6379"));
    anna.name = ben.name = QStringLiteral("orders");
    QCOMPARE(titleAmong(anna, { anna, ben }), QStringLiteral("orders · redis://anna@db:6379"));
}

void TestDialogs::recentServerIsListedOnce()
{
    ConnectionProfile nameless;
    nameless.deployment = *parseDeployment("redis://10.0.0.5:7001");
    ConnectionProfile orders = nameless;
    orders.name = QStringLiteral("orders");
    ConnectionDialog dialog({ nameless, orders });
    const auto &list = *dialog.findChild<QListWidget *>();
    QCOMPARE(list.item(0)->text(), QStringLiteral("redis://10.0.0.5:7001"));
    QCOMPARE(list.item(1)->text(), QStringLiteral("orders\nredis://10.0.0.5:7001"));
}

void TestDialogs::recentServerCanBeForgotten()
{
    std::vector<ConnectionProfile> known;
    for (const char *url : { "redis://a:1", "redis://b:2", "redis://c:3" })
        known.emplace_back().deployment = *parseDeployment(url);
    ConnectionDialog dialog(known);
    std::vector<ConnectionProfile> forgotten;
    connect(&dialog, &ConnectionDialog::forgetWanted, &dialog,
        [&](const ConnectionProfile &profile) { forgotten.push_back(profile); });
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto &list = *dialog.findChild<QListWidget *>();
    auto *forget = button(dialog, QStringLiteral("Forget this one"));
    QVERIFY(!forget->isEnabled());

    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(1)).center());
    QVERIFY(forget->isEnabled());
    QTest::mouseClick(forget, Qt::LeftButton);
    QCOMPARE(forgotten, std::vector{ known[1] });
    QCOMPARE(list.count(), 2);
    QVERIFY2(!forget->isEnabled(), "no neighbour takes its place");
    QCOMPARE(dialog.profile().deployment, known[1].deployment);

    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(1)).center());
    QCOMPARE(dialog.profile().deployment, known[2].deployment);
    QTest::keyClick(&list, Qt::Key_Delete);
    QCOMPARE(forgotten, (std::vector{ known[1], known[2] }));
    QCOMPARE(list.count(), 1);
    QTest::keyClick(&list, Qt::Key_Delete);
    QCOMPARE(list.count(), 1);
}

void TestDialogs::recentServerNeverGetsAnothersPassword()
{
    ConnectionProfile orders;
    orders.deployment = *parseDeployment("redis://ops@10.0.0.5:7001");
    ConnectionDialog dialog({ orders });
    type(named<QLineEdit>(dialog, QStringLiteral("Password")), QStringLiteral("hunter2"));
    dialog.findChild<QListWidget *>()->setCurrentRow(0);
    const Endpoint endpoint = dialog.profile().deployment.seeds.front();
    QCOMPARE(endpoint.host, std::string("10.0.0.5"));
    QCOMPARE(endpoint.port, std::uint16_t(7001));
    QCOMPARE(endpoint.password, std::string());
}

void TestDialogs::passwordGoesToNoOtherServer_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("keeps");
    const QString url = QStringLiteral("URL");
    QTest::newRow("another host") << url << QStringLiteral("redis://ops@10.0.0.6:7001") << false;
    QTest::newRow("another port") << url << QStringLiteral("redis://ops@10.0.0.5:7002") << false;
    QTest::newRow("another user") << url << QStringLiteral("redis://guest@10.0.0.5:7001") << false;
    QTest::newRow("another database") << url << QStringLiteral("/3") << true;
    QTest::newRow("a host in its field") << QStringLiteral("Host") << QStringLiteral("10.0.0.6") << false;
}

void TestDialogs::passwordGoesToNoOtherServer()
{
    QFETCH(const QString, field);
    QFETCH(const QString, text);
    QFETCH(const bool, keeps);
    ConnectionProfile orders;
    orders.deployment = *parseDeployment("redis://ops:hunter2@10.0.0.5:7001");
    ConnectionDialog dialog({});
    dialog.setProfile(orders);
    auto *edit = named<QLineEdit>(dialog, field);
    keeps ? edit->end(false) : edit->selectAll();
    QTest::keyClicks(edit, text);
    const Endpoint endpoint = dialog.profile().deployment.seeds.front();
    QCOMPARE(endpoint.password, std::string(keeps ? "hunter2" : ""));
}

void TestDialogs::nameAndEnvironmentStayWithTheirServer()
{
    ConnectionProfile production;
    production.name = QStringLiteral("production");
    production.deployment = *parseDeployment("redis://10.0.0.5:7901");
    production.environment = QStringLiteral("PROD");
    ConnectionDialog dialog({});
    dialog.setProfile(production);
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("redis://10.0.0.5:7902"));
    QCOMPARE(dialog.profile().name, QString());
    QCOMPARE(dialog.profile().environment, QString());
    type(url, QStringLiteral("redis://ops@10.0.0.5:7901")); // the same server, as another user
    QCOMPARE(dialog.profile().name, QStringLiteral("production"));
    QCOMPARE(dialog.profile().environment, QStringLiteral("PROD"));
    type(named<QLineEdit>(dialog, QStringLiteral("Name")), QStringLiteral("staging"));
    type(named<QLineEdit>(dialog, QStringLiteral("Port")), QStringLiteral("7903"));
    QCOMPARE(dialog.profile().name, QStringLiteral("staging")); // typed for what is to come
    QCOMPARE(dialog.profile().environment, QString());
}

/// Also where nothing was chosen in the list, and nothing of it goes along to another server.
void TestDialogs::whatIsSaidOfAServerComesWithItsUrl()
{
    ConnectionProfile production;
    production.name = QStringLiteral("production");
    production.deployment = withClientName(*parseDeployment("redis://:hunter2@10.0.0.5:7901"));
    production.readOnlyLocked = true;
    production.rememberPassword = true;
    production.tokenNames = { "lock:*" };
    ConnectionDialog dialog({ production });
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("redis://10.0.0.5:7901"));
    QCOMPARE(dialog.profile(), production);
    type(url, QStringLiteral("redis://10.0.0.5:7902"));
    ConnectionProfile other;
    other.deployment = withClientName(*parseDeployment("redis://10.0.0.5:7902"));
    QCOMPARE(dialog.profile(), other);
    QTest::mouseClick(button(dialog, QStringLiteral("Never allow writing")), Qt::LeftButton, {}, { 8, 8 });
    QVERIFY(dialog.profile().readOnlyLocked);
    type(url, QStringLiteral("redis://10.0.0.5:7903"));
    QVERIFY2(dialog.profile().readOnlyLocked, "ticked for what is to come");
}

/// A letter too many, and taken back: what was unticked before is not ticked again by that.
void TestDialogs::whatAPersonTookAwayStaysAwayWhileAUrlIsTyped()
{
    ConnectionProfile production;
    production.deployment = withClientName(*parseDeployment("redis://:hunter2@10.0.0.5:7901"));
    production.readOnlyLocked = true;
    production.rememberPassword = true;
    ConnectionDialog dialog({ production });
    dialog.findChild<QListWidget *>()->setCurrentRow(0);
    auto *remember = button(dialog, QStringLiteral("Remember the password"));
    QVERIFY(remember->isChecked());
    remember->click();
    QVERIFY(!dialog.profile().rememberPassword);
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    QTest::keyClicks(url, QStringLiteral("x"));
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->isEnabled());
    QTest::keyClick(url, Qt::Key_Backspace);
    QVERIFY(button(dialog, QStringLiteral("Connect"))->isEnabled());
    QVERIFY(!dialog.profile().rememberPassword);
}

/// A slip in the URL, a name for the connection, the slip mended: it is the same server, with the password typed for
/// it.
void TestDialogs::aNameSaidMeanwhileTakesNoPasswordAway()
{
    ConnectionDialog dialog({});
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("redis://ops@10.0.0.5:7901"));
    type(named<QLineEdit>(dialog, QStringLiteral("Password")), QStringLiteral("hunter2"));
    QCOMPARE(dialog.profile().deployment.seeds.front().password, "hunter2");
    url->end(false);
    QTest::keyClicks(url, QStringLiteral("x"));
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->isEnabled());
    type(named<QLineEdit>(dialog, QStringLiteral("Name")), QStringLiteral("orders"));
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->isEnabled());
    url->end(false);
    QTest::keyClick(url, Qt::Key_Backspace);
    QVERIFY(button(dialog, QStringLiteral("Connect"))->isEnabled());
    QCOMPARE(dialog.profile().deployment.seeds.front().user, "ops");
    QCOMPARE(dialog.profile().deployment.seeds.front().password, "hunter2");
}

void TestDialogs::recentServerComesBackAsItWas()
{
    ConnectionProfile orders;
    orders.name = QStringLiteral("orders");
    orders.deployment = *parseDeployment("rediss://ops@10.0.0.5:7001");
    orders.deployment.seeds.front().tls.caFile = QCoreApplication::applicationFilePath().toStdString();
    orders.environment = QStringLiteral("PROD");
    orders.readOnlyLocked = true;
    ConnectionDialog dialog({ orders });
    dialog.findChild<QListWidget *>()->setCurrentRow(0);
    QCOMPARE(dialog.profile(), orders);
}

void TestDialogs::messagesOfAClusterAreKept()
{
    ConnectionProfile cluster;
    cluster.deployment = *parseDeployment("redis-cluster://10.0.0.5:7001,10.0.0.6:7001?messages=plain");
    ConnectionDialog dialog({ cluster });
    dialog.findChild<QListWidget *>()->setCurrentRow(0);
    QCOMPARE(dialog.profile(), cluster);
    QVERIFY(named<QLineEdit>(dialog, QStringLiteral("URL"))->text().endsWith(QStringLiteral("?messages=plain")));
}

void TestDialogs::connectionCanBeNamed()
{
    ConnectionDialog dialog({});
    auto *name = named<QLineEdit>(dialog, QStringLiteral("Name"));
    QCOMPARE(name->placeholderText(), QStringLiteral("127.0.0.1:6379")); // what it is called without one
    type(name, QStringLiteral(" orders "));
    QCOMPARE(dialog.profile().title(), QStringLiteral("orders"));
    name->setText(QStringLiteral("or\u202Eders"));
    QTest::keyClicks(name, QStringLiteral("x"));
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->isEnabled());
}

void TestDialogs::namesOfOtherLibrariesLocksAreKept()
{
    ConnectionProfile orders;
    orders.deployment = withClientName(*parseDeployment("redis://10.0.0.5:7001"));
    orders.tokenNames = { "lock:*", "job-?" };
    ConnectionDialog dialog({ orders });
    auto *also = named<QLineEdit>(dialog, QStringLiteral("Also locks"));
    QCOMPARE(also->text(), QString());
    dialog.findChild<QListWidget *>()->setCurrentRow(0);
    QCOMPARE(also->text(), QStringLiteral("lock:* job-?"));
    QCOMPARE(dialog.profile(), orders);
    type(also, QStringLiteral("  lock:*   "));
    QCOMPARE(dialog.profile().tokenNames, std::vector<std::string>{ "lock:*" });
    type(also, QStringLiteral("my\\ lock* job:*"));
    QCOMPARE(dialog.profile().tokenNames, (std::vector<std::string>{ "my\\ lock*", "job:*" }));
    orders.tokenNames = { "my lock", "job\xff" }; // as the command line takes them
    dialog.setProfile(orders);
    QCOMPARE(dialog.profile(), orders);
    QVERIFY(also->text().startsWith(QStringLiteral("my\\ lock job")));
    type(also, QStringLiteral("a b c d e f g h i j k"));
    QVERIFY(!button(dialog, QStringLiteral("Connect"))->isEnabled());
    QVERIFY(also->accessibleDescription().contains(QStringLiteral("at most 10")));
}

/// What is for one host is shown to no other one, and comes back with the URL.
void TestDialogs::tlsFilesStayWithTheirServer()
{
    ConnectionProfile profile;
    const std::string file = QCoreApplication::applicationFilePath().toStdString();
    profile.deployment.seeds.front().tls = { true, file, file, file, "redis.internal" };
    profile.environment = QStringLiteral("PROD");
    profile.readOnlyLocked = true;
    ConnectionDialog dialog({});
    dialog.setProfile(profile);
    QCOMPARE(dialog.profile().deployment.seeds.front(), profile.deployment.seeds.front());

    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    const QString own = url->text();
    type(url, QStringLiteral("redis://10.0.0.6"));
    QVERIFY(dialog.profile().environment.isEmpty()); // of the other server
    QVERIFY(!dialog.profile().readOnlyLocked);
    button(dialog, QStringLiteral("Encrypt with TLS"))->click();
    TlsOptions system;
    system.enabled = true;
    QCOMPARE(dialog.profile().deployment.seeds.front().tls, system);
    type(url, own);
    QCOMPARE(dialog.profile(), profile);
    type(named<QLineEdit>(dialog, QStringLiteral("Authority (CA)")), QStringLiteral("/etc/another.pem"));
    type(url, QStringLiteral("rediss://10.0.0.6"));
    QCOMPARE(dialog.profile().deployment.seeds.front().tls.caFile, std::string("/etc/another.pem")); // said by a person
}

/// They are not seen without it, and would be kept and written on command lines all the same.
void TestDialogs::tlsFilesAreOfTlsAlone()
{
    ConnectionProfile profile;
    profile.deployment = withClientName(*parseDeployment("rediss://10.0.0.5"));
    profile.deployment.seeds.front().tls.caFile = QCoreApplication::applicationFilePath().toStdString();
    ConnectionDialog dialog({});
    dialog.setProfile(profile);
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    type(url, QStringLiteral("redis://10.0.0.5"));
    QCOMPARE(dialog.profile().deployment.seeds.front().tls, TlsOptions());
    type(url, QStringLiteral("rediss://10.0.0.5"));
    QCOMPARE(dialog.profile(), profile);
}

/// Whoever opens it can paste at once, over what was there.
void TestDialogs::beginsWithTheUrl()
{
    ConnectionDialog dialog({});
    ConnectionProfile before;
    before.deployment = parseDeployment("redis://before.example.com:6380/2").value();
    dialog.setProfile(before);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    test::type(dialog, "redis://10.0.0.5:6390");
    QCOMPARE(named<QLineEdit>(dialog, QStringLiteral("URL"))->text(), QStringLiteral("redis://10.0.0.5:6390"));
    QCOMPARE(dialog.profile().deployment.seeds.front().host, std::string("10.0.0.5"));
    press(dialog, Qt::Key_Return);
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
}

void TestDialogs::blanksAroundAnAnswerDoNotCount()
{
    ConnectionDialog dialog({});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *url = named<QLineEdit>(dialog, QStringLiteral("URL"));
    auto *host = named<QLineEdit>(dialog, QStringLiteral("Host"));
    click(middleOf(*url));
    url->selectAll();
    test::type(dialog, "  redis://10.0.0.5:6390  ");
    click(middleOf(*host));
    QCOMPARE(url->text(), QStringLiteral("redis://10.0.0.5:6390"));
    host->selectAll();
    test::type(dialog, " 10.0.0.6 ");
    press(dialog, Qt::Key_Tab);
    QCOMPARE(host->text(), QStringLiteral("10.0.0.6"));
    QCOMPARE(url->text(), QStringLiteral("redis://10.0.0.6:6390"));
    auto *password = named<QLineEdit>(dialog, QStringLiteral("Password"));
    click(middleOf(*password));
    test::type(dialog, " a b ");
    press(dialog, Qt::Key_Tab);
    QCOMPARE(dialog.profile().deployment.seeds.front().password, std::string(" a b ")); // may have blanks
}

void TestDialogs::enterConnectsOnlyWithRightFields()
{
    ConnectionDialog dialog({});
    dialog.show();
    auto *port = named<QLineEdit>(dialog, QStringLiteral("Port"));
    port->setFocus();
    type(port, QStringLiteral("0"));
    QTest::keyClick(port, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    type(port, QStringLiteral("6380"));
    QTest::keyClick(port, Qt::Key_Return);
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
}

void TestDialogs::escapeCancelsTheConnection()
{
    ConnectionDialog dialog({});
    dialog.show();
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.result(), int(QDialog::Rejected));
}

void TestDialogs::enterMakesWritableOnItsOwnButtonAlone()
{
    for (const QString &environment : { QStringLiteral("TEST"), QStringLiteral("PROD") }) {
        ConnectionProfile profile;
        profile.environment = environment;
        WritableDialog dialog(profile);
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        if (profile.isProduction())
            QTest::keyClicks(dialog.findChild<QLineEdit *>(), QStringLiteral("PROD"));
        QCOMPARE(says(dialog, QStringLiteral("Enter does nothing in this field")), profile.isProduction());
        QCOMPARE(says(dialog, QStringLiteral("type PROD")), profile.isProduction());
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
        QCOMPARE(accepted.size(), 0);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        while (dialog.focusWidget() != button(dialog, QStringLiteral("Switch to writable")))
            QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
        QCOMPARE(accepted.size(), 1);
        accepted.clear();
        dialog.show();
        QTest::mouseClick(button(dialog, QStringLiteral("Switch to writable")), Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
    }
}

void TestDialogs::blanksAroundTheWordOfProductionDoNotCount()
{
    ConnectionProfile profile;
    profile.environment = QStringLiteral("PROD");
    WritableDialog dialog(profile);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    test::type(dialog, " PROD ");
    QVERIFY(button(dialog, QStringLiteral("Switch to writable"))->isEnabled());
    test::type(dialog, "uct");
    QVERIFY(!button(dialog, QStringLiteral("Switch to writable"))->isEnabled());
}

void TestDialogs::timeThatIsLeftIsOffered()
{
    auto lock = test::makeLock("job", ViewClock::steadyNow());
    lock->expiresAt = lock->holders.front().expiresAt = ViewClock::steadyNow() + std::chrono::seconds(240);
    const TestNames kept;
    const ViewClock clock;
    const ConnectionProfile profile;
    const auto offeredBy = [](const SetTtlDialog &dialog) {
        return test::named<QLineEdit>(dialog, QStringLiteral("Time to live from now"))->text();
    };
    SetTtlDialog others(lock, { profile, kept.names, clock });
    const int offered = offeredBy(others).chopped(2).toInt();
    QVERIFY2(offered > 230 && offered <= 240, qPrintable(QString::number(offered)));
    lock->expiresAt = lock->holders.front().expiresAt = ViewClock::steadyNow() + std::chrono::seconds(5);
    SetTtlDialog ending(lock, { profile, kept.names, clock });
    QCOMPARE(offeredBy(ending), QStringLiteral("30 s"));
}

void TestDialogs::releasesExactlyWhatWasSeen()
{
    Release open;
    type(open.reason(), QStringLiteral("  job 4711 hangs "));
    open.release()->click();
    QCOMPARE(open.confirmed.size(), 1);
    const ForceRelease command = open.command();
    QCOMPARE(command.name, LockName("inventory:sku:1093"));
    QVERIFY((command.expected == std::vector<ExpectedHolder>{ { First, {} } }));
    QCOMPARE(command.reason, std::string("job 4711 hangs"));
}

void TestDialogs::otherHolderDisarmsUntilLookedAgain()
{
    Release open;
    type(open.reason(), QStringLiteral("job 4711 hangs"));
    QVERIFY(open.release()->isEnabled());

    open.dialog.setCurrent(heldBy(Second));
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("You saw")));
    QVERIFY(says(open.dialog, fullOwner(First)));
    QVERIFY(says(open.dialog, fullOwner(Second)));
    QCOMPARE(labelsSaying(open.dialog, QStringLiteral(" left")), 1); // of who holds it now, not of who did
    open.release()->click();
    QCOMPARE(open.confirmed.size(), 0);

    button(open.dialog, QStringLiteral("Look again"))->click();
    QVERIFY(open.release()->isEnabled());
    QVERIFY(!says(open.dialog, fullOwner(First)));
    open.release()->click();
    QCOMPARE(open.confirmed.size(), 1);
    QVERIFY((open.command().expected == std::vector<ExpectedHolder>{ { Second, {} } }));
}

void TestDialogs::renewalBySameHolderStaysArmed()
{
    Release open;
    type(open.reason(), QStringLiteral("job 4711 hangs"));
    auto renewed = std::make_shared<LockState>(*heldBy(First));
    renewed->holders.front().count = 3;
    renewed->renewals += 1;
    open.dialog.setCurrent(renewed);
    QVERIFY(open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("×3")));
}

/// No renewal does that: it was given back, and taken again by the same thread.
void TestDialogs::anEndThatCameNearerDisarms()
{
    Release open;
    type(open.reason(), QStringLiteral("job 4711 hangs"));
    auto anew = std::make_shared<LockState>(*heldBy(First));
    QVERIFY(anew->holders.front().expiresAt);
    *anew->holders.front().expiresAt -= Millis(3'000);
    open.dialog.setCurrent(anew);
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("its end was set anew")));
}

namespace {

Lock renewedLater(Lease lease, Millis later = Millis(20'000))
{
    auto renewed = std::make_shared<LockState>(*heldBy(First));
    *renewed->holders.front().expiresAt += later;
    *renewed->expiresAt += later;
    renewed->lease = lease;
    renewed->leaseSeen = Millis(3'600'000); // as somebody set it once
    renewed->ttlHistory = { { {}, Millis(20'000), Millis(30'000), true } };
    return renewed;
}

} // namespace

/// Who gave it back and took it again for longer has set its end, too.
void TestDialogs::anEndThatIsLaterDisarmsWithoutAWatchdog()
{
    for (const Lease lease : { Lease::Fixed, Lease::Unknown }) {
        Release open;
        type(open.reason(), QStringLiteral("job 4711 hangs"));
        open.dialog.setCurrent(renewedLater(lease));
        QVERIFY(!open.release()->isEnabled());
        QVERIFY(says(open.dialog, QStringLiteral("its end was set anew")));
        button(open.dialog, QStringLiteral("Look again"))->click();
        QVERIFY(open.release()->isEnabled());
    }
    auto lines = bulkLines({ heldBy(First) }, First.client);
    const TestNames names;
    setCurrent(lines.front(), renewedLater(Lease::Unknown), names.names);
    QCOMPARE(lines.front().state, BulkLine::State::Changed);
    QVERIFY(lines.front().said.contains(QStringLiteral("end was set anew")));
}

/// A watchdog renews when a third of the lease is over, and not before: who took it anew by then set its end, too.
void TestDialogs::anEndThatIsLaterDisarmsWhenItsWatchdogWasNotDue()
{
    Release open;
    type(open.reason(), QStringLiteral("job 4711 hangs"));
    open.dialog.setCurrent(renewedLater(Lease::Watchdog, Millis(9'900)));
    QVERIFY(open.release()->isEnabled());
    open.dialog.setCurrent(renewedLater(Lease::Watchdog, Millis(13'000)));
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("its end was set anew")));
    open.dialog.setCurrent(renewedLater(Lease::Watchdog, Millis(23'000))); // as the hold before would end by now
    QVERIFY(!open.release()->isEnabled());
    button(open.dialog, QStringLiteral("Look again"))->click();
    QVERIFY(open.release()->isEnabled());

    auto lines = bulkLines({ heldBy(First) }, First.client);
    const TestNames names;
    for (const Millis later : { Millis(9'900), Millis(13'000), Millis(23'000) })
        setCurrent(lines.front(), renewedLater(Lease::Watchdog, later), names.names);
    QCOMPARE(lines.front().state, BulkLine::State::Changed);
}

void TestDialogs::expectsTheEndThatIsShown()
{
    Release open;
    type(open.reason(), QStringLiteral("job 4711 hangs"));
    const Lock renewed = renewedLater(Lease::Watchdog);
    open.dialog.setCurrent(renewed);
    open.release()->click();
    const auto end = open.command().end;
    QVERIFY(end && end->at == renewed->expiresAt && end->renewedEvery == Millis(10'000));
    CommandOutcome refused{ false, { { First, 1, {}, {}, false } }, false };
    refused.isAnew = true;
    open.dialog.setOutcome(refused);
    QVERIFY(says(open.dialog, QStringLiteral("ends at another time")));
}

void TestDialogs::tellsThatTheHolderLooksAlive()
{
    auto silent = std::make_shared<LockState>(*heldBy(First));
    silent->ttlHistory.clear();
    silent->waiters.clear();
    Release open({}, silent);
    QVERIFY(!says(open.dialog, QStringLiteral("looks alive")));
    auto reentered = std::make_shared<LockState>(*silent);
    reentered->holders.front().count = 2;
    reentered->lastChange = { ViewClock::steadyNow(), EventKind::Reentered, Certainty::Seen };
    open.dialog.setCurrent(reentered);
    QVERIFY(says(open.dialog, QStringLiteral("looks alive. It took a lock once more")));
}

/// Though that one is not released.
void TestDialogs::whatIsTakenAnewIsASignOfLife()
{
    const TestNames names;
    const MonoTime now = ViewClock::steadyNow();
    const auto silent = [](const LockName &name) {
        auto lock = std::make_shared<LockState>(*heldBy(First, name));
        lock->ttlHistory.clear(); // no renewal was seen
        lock->waiters.clear();
        return lock;
    };
    auto lines = bulkLines({ silent("a"), silent("b") }, First.client);
    QVERIFY(aliveTexts(lines, names.names, { now }).isEmpty());
    const auto anew = silent("a");
    anew->holders.front().since = { now, true };
    setCurrent(lines.front(), anew, names.names);
    QCOMPARE(lines.front().state, BulkLine::State::Changed);
    QCOMPARE(aliveTexts(lines, names.names, { now }).size(), 1);
}

void TestDialogs::otherModeOfSameHolderDisarms()
{
    auto reading = std::make_shared<LockState>(*heldBy(First));
    reading->kind = Kind::ReadWrite;
    reading->holders.front().mode = HoldMode::Read;
    Release open({}, reading);
    type(open.reason(), QStringLiteral("job 4711 hangs"));
    QVERIFY(open.release()->isEnabled());
    auto writing = std::make_shared<LockState>(*reading);
    writing->holders.front().mode = HoldMode::Write;
    open.dialog.setCurrent(writing);
    QVERIFY(!open.release()->isEnabled());
}

void TestDialogs::reasonIsRequired()
{
    const QString needed = QStringLiteral("A reason is needed");
    Release open;
    QVERIFY(!open.release()->isEnabled());
    QVERIFY2(!says(open.dialog, needed), "before anything was typed");
    QVERIFY(open.release()->toolTip().contains(needed));
    QTest::keyClick(open.reason(), Qt::Key_Return);
    QVERIFY(says(open.dialog, needed));
    type(open.reason(), QStringLiteral("   "));
    QVERIFY(says(open.dialog, needed));
    QVERIFY(!open.release()->isEnabled());
    type(open.reason(), QStringLiteral("ticket 12"));
    QVERIFY(open.release()->isEnabled());
    QVERIFY(!says(open.dialog, needed));
    QVERIFY(open.release()->toolTip().isEmpty());
}

void TestDialogs::whoLeavesTheReasonEmptyIsTold()
{
    const QString needed = QStringLiteral("A reason is needed");
    Release open(QStringLiteral("PROD"));
    open.dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&open.dialog));
    QVERIFY(open.reason()->hasFocus());
    QVERIFY(!says(open.dialog, needed));
    QTest::keyClick(open.dialog.windowHandle(), Qt::Key_Tab);
    QVERIFY(!open.reason()->hasFocus());
    QVERIFY(says(open.dialog, needed));
    type(open.reason(), QStringLiteral("ticket 12"));
    QVERIFY2(!says(open.dialog, QStringLiteral("letter for letter")), "before it was the name's turn");
    open.name()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(open.dialog.windowHandle(), Qt::Key_Tab);
    QVERIFY(says(open.dialog, QStringLiteral("letter for letter")));
}

void TestDialogs::productionWantsTheNameTyped()
{
    Release calm(QStringLiteral("TEST"));
    QVERIFY(!calm.name());

    Release open(QStringLiteral("PROD"));
    type(open.reason(), QStringLiteral("ticket 12"));
    QVERIFY(!open.release()->isEnabled());
    type(open.name(), QStringLiteral("inventory:sku:109"));
    QVERIFY(!open.release()->isEnabled());
    type(open.name(), QStringLiteral(" inventory:sku:1093 ")); // as it comes out of a message
    QVERIFY(open.release()->isEnabled());

    open.dialog.setCurrent(heldBy(Second));
    button(open.dialog, QStringLiteral("Look again"))->click();
    QVERIFY(!open.release()->isEnabled()); // another holder is another decision
}

void TestDialogs::unprintableNameIsTypedAsShown()
{
    Release open(QStringLiteral("prod-eu"), heldBy(First, "a\nb\xff"));
    type(open.reason(), QStringLiteral("ticket 12"));
    type(open.name(), QStringLiteral("a\\x0ab\\xff"));
    QVERIFY(open.release()->isEnabled());
    open.release()->click();
    QCOMPARE(open.command().name, LockName("a\nb\xff"));
}

void TestDialogs::staleSightDisarms()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    SourceStatus status;
    status.phase = SourcePhase::Stale;
    open.dialog.setStatus(status);
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("connection is lost")));
    status.phase = SourcePhase::Live;
    open.dialog.setStatus(status);
    QVERIFY(open.release()->isEnabled());

    open.dialog.setCurrent(heldBy(Second));
    status.phase = SourcePhase::Stale;
    open.dialog.setStatus(status);
    QVERIFY2(says(open.dialog, QStringLiteral("You saw")), "what was seen later is not forgotten");
    QVERIFY(says(open.dialog, QStringLiteral("When last read it was held by")));
    QVERIFY(says(open.dialog, QStringLiteral("connection is lost")));
}

void TestDialogs::freeOrGoneLockCannotBeReleased()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    open.dialog.setCurrent(nullptr);
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("no longer in Redis")));
    QVERIFY(says(open.dialog, QStringLiteral("You saw")));
    QVERIFY2(!says(open.dialog, QStringLiteral("loses")), "nobody loses a lock that is gone");
    auto freed = std::make_shared<LockState>(*heldBy(First));
    freed->holders.clear();
    open.dialog.setCurrent(freed);
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("lock is free")));
}

void TestDialogs::isSentOnlyOnce()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->click();
    open.release()->click();
    open.dialog.setCurrent(heldBy(First));
    QVERIFY(!open.release()->isEnabled());
    QCOMPARE(open.confirmed.size(), 1);
}

void TestDialogs::refusalShowsExpectedAndFound()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->click();
    CommandOutcome outcome;
    outcome.found = { { Second, 2, {}, {}, false } };
    open.dialog.setOutcome(outcome);
    QVERIFY(says(open.dialog, QStringLiteral("nothing was changed")));
    QVERIFY(says(open.dialog, QStringLiteral("Expected\n") + fullOwner(First)));
    QVERIFY(says(open.dialog, QStringLiteral("Found\n") + fullOwner(Second)));
}

void TestDialogs::lostAnswerIsSaidToBeUnknown()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->click();
    open.dialog.setOutcome(failure(ErrorCode::PermissionDenied, "NOPERM", "EVALSHA"));
    QVERIFY(says(open.dialog, QStringLiteral("EVALSHA: NOPERM")));
    QVERIFY(!says(open.dialog, QStringLiteral("not known")));
    open.release()->click();
    open.dialog.setOutcome(failure(ErrorCode::ConnectionClosed, "no connection", "opening"));
    QVERIFY(!says(open.dialog, QStringLiteral("not known"))); // nothing was sent
    open.release()->click();
    open.dialog.setSent();
    open.dialog.setOutcome(failure(ErrorCode::ReplyTimeout, "no reply", "EVALSHA"));
    QVERIFY(says(open.dialog, QStringLiteral("Whether it was done is not known")));
}

/// Also when the server is back: what was tried, and when, until something else is done.
void TestDialogs::saysThatNothingWasSent()
{
    const auto status = [](SourcePhase phase) {
        SourceStatus server;
        server.phase = phase;
        return server;
    };
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->click();
    open.dialog.setStatus(status(SourcePhase::Stale));
    open.dialog.setOutcome(failure(ErrorCode::ConnectionClosed, "no connection", "opening"));
    QVERIFY(says(open.dialog, QStringLiteral("Nothing was sent")));
    open.dialog.setStatus(status(SourcePhase::Live));
    QVERIFY(says(open.dialog, QStringLiteral("Nothing was sent")) && says(open.dialog, QStringLiteral("Tried at ")));
    open.release()->click();
    QVERIFY(!says(open.dialog, QStringLiteral("Tried at ")));
    open.dialog.setSent();
    open.dialog.setStatus(status(SourcePhase::Stale));
    open.dialog.setOutcome(failure(ErrorCode::ReplyTimeout, "no reply", "EVALSHA"));
    QVERIFY(!says(open.dialog, QStringLiteral("Nothing was sent")));
    open.dialog.setStatus(status(SourcePhase::Live));
    QVERIFY(says(open.dialog, QStringLiteral("Whether it was done is not known")));
}

void TestDialogs::tellsOfNobodyThatWasWoken()
{
    auto lock = std::make_shared<LockState>(*heldBy(First));
    lock->subscribers = 0;
    Release open({}, lock);
    QVERIFY(says(open.dialog, QStringLiteral("unchanged for")));
    SourceStatus server;
    server.phase = SourcePhase::Stale;
    open.dialog.setStatus(server);
    QVERIFY(!says(open.dialog, QStringLiteral("unchanged for"))); // its server is lost: nobody knows
    server.phase = SourcePhase::Live;
    open.dialog.setStatus(server);
    open.dialog.setCurrent(heldBy(Second));
    QVERIFY(!says(open.dialog, QStringLiteral("unchanged for")));
    open.dialog.setCurrent(lock);
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->click();
    open.dialog.setOutcome(CommandOutcome{ true, { { First, 1, {}, {}, false } }, true });
    QVERIFY(says(open.dialog, QStringLiteral("Released. Nobody was seen to wait.")));
    QVERIFY(!says(open.dialog, QStringLiteral("unchanged for")));
}

void TestDialogs::doneCannotBeRepeated()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->click();
    open.dialog.setOutcome(CommandOutcome{ true, { { First, 1, {}, {}, false } }, true });
    QVERIFY(says(open.dialog, QStringLiteral("Released")));
    QVERIFY(!open.release()->isVisible());
    open.dialog.setCurrent(heldBy(Second));
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(!says(open.dialog, fullOwner(Second)));
    QVERIFY(!says(open.dialog, QStringLiteral(" left")));
    button(open.dialog, QStringLiteral("Close"))->click();
    QVERIFY(!open.dialog.isVisible());
}

/// What may happen was said before; a hole between lines that belong together reads as the end.
void TestDialogs::whatIsDoneIsToldWithoutHolesAndWarnings()
{
    Release open(QStringLiteral("PROD"));
    QVERIFY(says(open.dialog, QStringLiteral("The holder is not told")));
    type(open.reason(), QStringLiteral("ticket 12"));
    type(open.name(), QStringLiteral("inventory:sku:1093"));
    open.release()->click();
    open.dialog.setSent();
    open.dialog.setOutcome(CommandOutcome{ true, { { First, 1, {}, {}, false } }, true });
    open.dialog.setCurrent(nullptr); // a moment later
    QVERIFY(!says(open.dialog, QStringLiteral("The holder is not told")));
    const auto *title = saying<QLabel>(open.dialog, QStringLiteral("Was held by"));
    const auto *owner = saying<QLabel>(open.dialog, fullOwner(First));
    const auto *end = saying<QLabel>(open.dialog, QStringLiteral("Released"));
    QVERIFY(title && owner && end);
    const auto topOf = [&](const QLabel *label) { return label->mapTo(&open.dialog, QPoint()).y(); };
    const int line = title->fontMetrics().lineSpacing();
    QTRY_VERIFY(topOf(owner) <= topOf(title) + 2 * line);
    QTRY_VERIFY(topOf(end) <= topOf(owner) + 4 * line);
}

void TestDialogs::enterInTheReasonDoesNotRelease()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    QTest::keyClick(open.reason(), Qt::Key_Return);
    QCOMPARE(open.confirmed.size(), 0);
    QVERIFY(open.dialog.isVisible());
    QVERIFY(says(open.dialog, QStringLiteral("Enter does nothing in this field")));
    open.release()->setFocus();
    QTest::keyClick(open.release(), Qt::Key_Space);
    QCOMPARE(open.confirmed.size(), 1);
}

/// On the one that a person has gone to, also at the end.
void TestDialogs::enterPressesAFocusedButton()
{
    Release open;
    open.dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&open.dialog));
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->setFocus();
    QTest::keyClick(open.release(), Qt::Key_Return);
    QCOMPARE(open.confirmed.size(), 1);
    open.endDone();
    auto *close = button(open.dialog, QStringLiteral("Close"));
    QCOMPARE(open.dialog.focusWidget(), close);
    QTRY_VERIFY((QTest::keyClick(close, Qt::Key_Return), !open.dialog.isVisible()));
}

/// The button that closes comes to where the one was that was pressed twice.
void TestDialogs::aSecondClickDoesNotHideWhatCameOfTheFirst()
{
    Release open;
    QVERIFY(QTest::qWaitForWindowExposed(&open.dialog));
    type(open.reason(), QStringLiteral("ticket 12"));
    const auto press = [&] { click(middleOf(*open.release())); };
    press();
    QCOMPARE(open.confirmed.size(), 1);
    open.dialog.setSent();
    CommandOutcome outcome;
    outcome.found = { HolderReading{ Second, 1, {}, {}, false } };
    open.dialog.setOutcome(outcome);
    doLayouts();
    press();
    QCOMPARE(open.confirmed.size(), 1); // what was refused is read before it is tried again
    QTRY_COMPARE((press(), open.confirmed.size()), 2);
    open.dialog.setSent();
    outcome.done = true;
    open.dialog.setOutcome(outcome);
    doLayouts();
    auto *close = button(open.dialog, QStringLiteral("Close"));
    QVERIFY(close->hasFocus());
    QTest::mouseClick(close, Qt::LeftButton);
    QTest::mouseDClick(close, Qt::LeftButton);
    QTest::keyClick(close, Qt::Key_Space);
    QTest::keyClick(close, Qt::Key_Return);
    QVERIFY(open.dialog.isVisible());
    QTRY_VERIFY((QTest::mouseClick(close, Qt::LeftButton), !open.dialog.isVisible()));
}

void TestDialogs::aKeyThatIsHeldDownDoesNotHideIt()
{
    Release open;
    QVERIFY(QTest::qWaitForWindowActive(&open.dialog));
    type(open.reason(), QStringLiteral("ticket 12"));
    open.release()->setFocus();
    QTest::keyPress(open.release(), Qt::Key_Return);
    QCOMPARE(open.confirmed.size(), 1);
    open.endDone();
    auto *close = button(open.dialog, QStringLiteral("Close"));
    const QDeadlineTimer longer(QApplication::doubleClickInterval() + 100);
    while (!longer.hasExpired()) {
        for (const auto key : { Qt::Key_Return, Qt::Key_Space }) {
            for (const auto type : { QEvent::ShortcutOverride, QEvent::KeyPress }) {
                QKeyEvent again(type, key, {}, {}, true);
                QApplication::sendEvent(close, &again);
            }
        }
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
        QVERIFY(open.dialog.isVisible());
    }
    QTest::keyRelease(close, Qt::Key_Return);
    QVERIFY(open.dialog.isVisible());
}

void TestDialogs::escapeClosesWithoutReleasing()
{
    Release open;
    type(open.reason(), QStringLiteral("ticket 12"));
    QTest::keyClick(open.reason(), Qt::Key_Escape);
    QVERIFY(!open.dialog.isVisible());
    QCOMPARE(open.confirmed.size(), 0);
}

void TestDialogs::namesAreNeverRichText()
{
    Release open(QStringLiteral("<b>PROD</b>"), heldBy({ "<i>who</i>", "7" }, "<h1>lock</h1>"));
    QVERIFY(says(open.dialog, QStringLiteral("<i>who</i>:7")));
    for (const QLabel *label : open.dialog.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

/// A click that was aimed at it hits it.
/// Who holds it is what the dialog is there for.
void TestDialogs::showsAHolderWithALongNameWhole()
{
    Release open;
    open.names.setName(First.client, QStringLiteral("checkout-worker-of-the-shop-in-eu-central-1a, second of two"));
    ForceReleaseDialog dialog(heldBy(First), { open.profile, open.names, open.clock });
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    const auto *list = named<QScrollArea>(dialog, QStringLiteral("Holders as you saw them"));
    QVERIFY(!list->horizontalScrollBar()->isVisible());
    QVERIFY(!list->verticalScrollBar()->isVisible());
    for (const char *text : { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7",
             "(checkout-worker-of-the-shop-in-eu-central-1a, second of two)", " left" }) {
        const QLabel *label = saying<QLabel>(*list, QString::fromLatin1(text));
        QVERIFY2(label, text);
        QTRY_COMPARE(label->visibleRegion().boundingRect(), label->rect());
    }
}

void TestDialogs::aLongNameLeavesTheButtonsInTheWindow_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("without blanks") << QByteArray(160, 'y');
    QTest::newRow("huge") << QByteArray(5'000, 'x');
    QTest::newRow("with blanks") << QByteArray("a name of words ").repeated(20) + "its end";
}

void TestDialogs::aLongNameLeavesTheButtonsInTheWindow()
{
    QFETCH(const QByteArray, name);
    Release open({}, heldBy(First, name.toStdString()));
    QVERIFY(QTest::qWaitForWindowExposed(&open.dialog));
    QVERIFY(open.dialog.width() <= open.dialog.screen()->availableSize().width());
    for (const QString &text : { QStringLiteral("Force release"), QStringLiteral("Cancel") }) {
        const auto *shown = button(open.dialog, text);
        QVERIFY(open.dialog.rect().contains(QRect(shown->mapTo(&open.dialog, QPoint()), shown->size())));
    }
    const QLabel *title = saying<QLabel>(open.dialog, lockNameText(name.toStdString()));
    QVERIFY(title); // all of it in the lines that it has
    const QRect needed
        = title->fontMetrics().boundingRect(QRect(0, 0, title->width(), 10'000), Qt::TextWrapAnywhere, title->text());
    QVERIFY(needed.width() <= title->width() && needed.height() <= title->height());
}

/// What the server lost that it came from is not what was looked at.
void TestDialogs::anotherServerDisarmsUntilLookedAgain()
{
    auto seen = std::make_shared<LockState>(*heldBy(First));
    seen->node = "127.0.0.1:7210";
    Release open({}, seen);
    type(open.reason(), QStringLiteral("ticket 12"));
    QVERIFY(open.release()->isEnabled());
    auto moved = std::make_shared<LockState>(*seen);
    moved->node = "127.0.0.1:7211";
    open.dialog.setCurrent(moved);
    QVERIFY(!open.release()->isEnabled());
    QVERIFY(says(open.dialog, QStringLiteral("127.0.0.1:7211 instead of 127.0.0.1:7210")));
    open.dialog.setCurrent(seen); // and back: what that one lost meanwhile is not known either
    QVERIFY(!open.release()->isEnabled());
    open.dialog.setCurrent(moved);
    QTest::mouseClick(button(open.dialog, QStringLiteral("Look again")), Qt::LeftButton);
    QVERIFY(open.release()->isEnabled());
}

void TestDialogs::anotherServerLeavesALockOutOfSeveral()
{
    const TestNames names;
    auto lines = bulkLines({ heldBy(First) }, First.client);
    auto moved = std::make_shared<LockState>(*lines.front().seen);
    moved->node = "127.0.0.1:7211";
    setCurrent(lines.front(), moved, names.names);
    QCOMPARE(lines.front().state, BulkLine::State::Changed);
    QVERIFY(lines.front().said.contains(QStringLiteral("127.0.0.1:7211")));
}

void TestDialogs::theButtonStaysWhileTheTextAboveChanges()
{
    Release open;
    QVERIFY(QTest::qWaitForWindowExposed(&open.dialog));
    const auto place = [&] { return open.release()->mapToGlobal(QPoint()); };
    const QPoint before = place();
    const auto stays = [&](const char *when) {
        QCoreApplication::processEvents();
        if (place() == before)
            return true;
        qWarning() << when << place() << before;
        return false;
    };
    open.dialog.setCurrent(heldBy(Second));
    QVERIFY(stays("another holder"));
    QTest::mouseClick(button(open.dialog, QStringLiteral("Look again")), Qt::LeftButton);
    QVERIFY(stays("looked again"));
    type(open.reason(), QStringLiteral("ticket 12"));
    QTest::mouseClick(open.release(), Qt::LeftButton);
    QVERIFY(stays("confirmed"));
    CommandOutcome refused;
    refused.found = { HolderReading{ First, 1, {}, {}, false } };
    open.dialog.setOutcome(refused);
    QVERIFY(stays("refused"));
    const auto *trouble = saying<QLabel>(open.dialog, QStringLiteral("Refused"));
    QVERIFY(trouble && !trouble->visibleRegion().isEmpty());
    const QAbstractButton *close = button(open.dialog, QStringLiteral("Close"));
    const int height = close->mapToGlobal(QPoint()).y();
    QTest::mouseClick(open.release(), Qt::LeftButton);
    CommandOutcome done;
    done.done = true;
    open.dialog.setOutcome(done);
    QCoreApplication::processEvents();
    QCOMPARE(close->text(), QStringLiteral("Close"));
    QCOMPARE(close->mapToGlobal(QPoint()).y(), height);
}

void TestDialogs::linesOfABulletHangUnderItsText()
{
    Release open;
    QVERIFY(QTest::qWaitForWindowExposed(&open.dialog));
    const QLabel *warning = saying<QLabel>(open.dialog, QStringLiteral("may run twice"));
    QVERIFY(warning && !warning->text().contains(QStringLiteral("•")));
    int bullets = 0;
    for (const QLabel *label : open.dialog.findChildren<QLabel *>()) {
        if (label->text() == QStringLiteral("•") && label->isVisible()) {
            ++bullets;
            QVERIFY(label->geometry().right() < warning->geometry().left());
        }
    }
    QVERIFY(bullets > 1);
}

QTEST_MAIN(TestDialogs)
#include "tst_dialogs.moc"
