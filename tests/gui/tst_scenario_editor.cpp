// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "ui/dialogs/scenario_dialogs.h"
#include "ui/lab/json_outline.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_words.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"
#include "ui/views/json_text_edit.h"
#include "ui/views/own_scenarios_view.h"
#include "ui/views/scenario_editor.h"
#include "ui/views/scenario_expectation_card.h"
#include "ui/views/scenario_form.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lockui;
using namespace lockui::lab;
using namespace lockui::test;

namespace {

const QByteArray Mine = R"({
  "name": "mine",   "title": "My own",
  "about": ["ä € \u00e4", "two"],
  "watchdog": "3s",
  "clients": ["A", {"name": "B", "renews": false}],
  "steps": [
    { "client": "A", "do": "lock", "lock": "orders",  "expect": {"outcome": "acquired"} },
    {
      "client": "B",
      "do": "lock",
      "lock": "orders",
      "id": "B waits", "wait": "0ms",
      "expect": { "outcome": "notAcquired", "redis": [{"key": "orders", "fields": {"$A:1": "1"}}] }
    },
    { "client": "A", "do": "unlock", "lock": "orders" }
  ]
}
)";

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(nothing)");
}

void writeFile(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class TestScenarioEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("scenarios"));
        write("mine", Mine);
        comeAgain();
    }
    void cleanup() { m_view.reset(); }

    void aMistakeIsMarkedWhereItIsAndMended()
    {
        placeCursorBehind("\"orders\",  \"expect\": {\"outcome\": \"acq");
        QTest::keyClick(text(), Qt::Key_Escape); // no words are offered
        type(*m_view, "x");
        QTest::keyClick(text(), Qt::Key_Escape);
        QTRY_VERIFY(state()->text().startsWith(QStringLiteral("line 7, column 77: expected one of acquired")));
        const auto marked = text()->extraSelections();
        QCOMPARE(marked.size(), 1);
        QCOMPARE(marked[0].cursor.selectedText(), QStringLiteral("\"acqxuired\""));
        QVERIFY(!button(*m_view, QStringLiteral("Run"))->isEnabled());
        // F8 goes there from anywhere.
        press(*m_view, Qt::Key_Home, Qt::ControlModifier);
        press(*m_view, Qt::Key_F8);
        QCOMPARE(text()->textCursor().blockNumber(), 6);
        QCOMPARE(text()->textCursor().positionInBlock(), 76);
        for (int i = 0; i < 5; ++i)
            press(*m_view, Qt::Key_Right);
        QTest::keyClick(text(), Qt::Key_Backspace);
        QTRY_VERIFY2(
            state()->text().startsWith(QStringLiteral("Can be played: 3 step")), qPrintable(text()->exactText()));
        QVERIFY(text()->extraSelections().isEmpty());
        QCOMPARE(toBytes(text()->exactText()), Mine.toStdString());
        QSignalSpy runs(m_view.get(), &OwnScenariosView::runWanted);
        click(middleOf(*button(*m_view, QStringLiteral("Run"))));
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs[0][0].value<Scenario>().name, std::string("mine"));
    }

    void whatIsNoJsonIsSaidAtItsPlaceAndClosesTheForm()
    {
        asForm();
        QVERIFY(form()->isOpen());
        asText();
        placeCursorBehind("\"title\": \"My own\"");
        press(*m_view, Qt::Key_Delete); // the comma
        QTRY_VERIFY2(state()->text().startsWith(QStringLiteral("line 3, column 3: this is no JSON")),
            qPrintable(state()->text()));
        asForm();
        QVERIFY(!form()->isOpen());
        QVERIFY(saying<QLabel>(*form(), QStringLiteral("The form is closed")));
        click(middleOf(*state())); // the error leads back to the text
        QVERIFY(text()->isVisible());
        QCOMPARE(text()->textCursor().blockNumber(), 2);
        press(*m_view, Qt::Key_Z, Qt::ControlModifier);
        asForm();
        QVERIFY(form()->isOpen());
        QCOMPARE(written(), Mine);
    }

    void whatIsMissingAtTheEndOfALineIsSaidAndMarkedThere()
    {
        asText();
        placeCursorBehind("\"title\": \"My own\"");
        press(*m_view, Qt::Key_Backspace);
        press(*m_view, Qt::Key_Delete); // and the comma
        QTRY_VERIFY2(state()->text().endsWith(
                         QStringLiteral("this is no JSON: expected a quotation mark that ends this text in its line")),
            qPrintable(state()->text()));
        QVERIFY2(state()->text().startsWith(QStringLiteral("line 2, column 37: ")), qPrintable(state()->text()));
        const auto marks = text()->extraSelections();
        QVERIFY(std::ranges::any_of(marks, [](const QTextEdit::ExtraSelection &each) {
            return each.format.underlineStyle() == QTextCharFormat::WaveUnderline
                && each.cursor.selectedText() == QStringLiteral("own");
        }));
    }

    void theFormChangesOneValueAndNothingElse()
    {
        asForm();
        chooseStep(2);
        QLineEdit *wait = named<QLineEdit>(*form(), QStringLiteral("Waits at most"));
        QCOMPARE(wait->text(), QStringLiteral("0ms"));
        click(middleOf(*wait));
        press(*m_view, Qt::Key_A, Qt::ControlModifier);
        type(*m_view, "25");
        QVERIFY(saying<QLabel>(*form(), QStringLiteral("expected a duration"))); // at its field
        QVERIFY(!button(*m_view, QStringLiteral("Run"))->isEnabled());
        type(*m_view, "0ms");
        QVERIFY(!saying<QLabel>(*form(), QStringLiteral("expected a duration")));
        QCOMPARE(written(), QByteArray(Mine).replace("\"0ms\"", "\"250ms\""));
        // A member that is new comes behind the others, as they are laid out.
        QLineEdit *note = named<QLineEdit>(*form(), QStringLiteral("Note"));
        note->setFocus();
        type(*m_view, "why \"so\"");
        const QByteArray expected
            = QByteArray(Mine)
                  .replace("\"0ms\"", "\"250ms\"")
                  .replace("{\"$A:1\": \"1\"}}] }\n", "{\"$A:1\": \"1\"}}] },\n      \"note\": \"why \\\"so\\\"\"\n");
        QCOMPARE(written(), expected);
        // Each field is undone as a whole.
        asText();
        text()->setFocus();
        press(*m_view, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(written(), QByteArray(Mine).replace("\"0ms\"", "\"250ms\""));
        press(*m_view, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(written(), Mine);
    }

    void stepsAreAddedDuplicatedMovedAndDeleted()
    {
        asForm();
        chooseStep(2);
        click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Duplicate the step"))));
        QCOMPARE(form()->chosenStep(), 2);
        QByteArray doubled = Mine;
        const auto second
            = QByteArray::fromStdString(textAt(Mine.toStdString(), { std::string("steps"), std::size_t{ 1 } }));
        doubled.replace(
            second, QByteArray(second + ",\n    " + QByteArray(second).replace("\"B waits\"", "\"B waits 2\"")));
        QCOMPARE(written(), doubled);
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played: 4 step")));
        click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Delete the step"))));
        QCOMPARE(written(), Mine);
        chooseStep(1);
        click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Move the step down"))));
        QCOMPARE(form()->chosenStep(), 1);
        click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Move the step up"))));
        QCOMPARE(written(), Mine);
        click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Add a step"))));
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played: 4 step")));
        QVERIFY(written().contains("{ \"client\": \"A\", \"do\": \"lock\", \"lock\": \"orders\" }"));
        // All of them can go: then it is said that there is none.
        for (int i = 0; i < 4; ++i)
            click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Delete the step"))));
        QVERIFY(state()->text().contains(QStringLiteral("expected one to 500 steps")));
        QCOMPARE(form()->chosenStep(), -1);
        click(middleOf(*named<QToolButton>(*form(), QStringLiteral("Add a step"))));
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played: 1 step")));
    }

    void theKeysLeadFromTheStepsToTheirButtons()
    {
        asForm();
        chooseStep(1);
        steps()->setFocus();
        QTest::keyClick(steps(), Qt::Key_Tab);
        QVERIFY(qApp->focusWidget());
        QCOMPARE(qApp->focusWidget()->accessibleName(), QStringLiteral("Add a step"));
    }

    void wordsAndExpectationsAreChosen()
    {
        asForm();
        chooseStep(3);
        auto *act = named<QComboBox>(*form(), QStringLiteral("Does"));
        act->setFocus();
        type(*m_view, "crash"); // as one does in a list of words
        QTRY_VERIFY(written().contains("\"do\": \"crash\""));
        QVERIFY(!named<QComboBox>(*form(), QStringLiteral("Kind"))->isVisible()); // a crash has none
        QVERIFY(named<QLineEdit>(*form(), QStringLiteral("Lock"))->isVisible()); // it stands in the text
        chooseStep(1);
        chooseFromMenu(QStringLiteral("Expect more"), QStringLiteral("What the monitor shows"));
        QVERIFY(written().contains(
            R"("expect": {"outcome": "acquired", "seen": [{ "lock": "orders", "holders": ["$A:1"] }]})"));
        chooseFromMenu(QStringLiteral("Expect more"), QStringLiteral("A key in Redis"));
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played")));
        click(middleOf(*inForm<QToolButton>("redis", 0, QStringLiteral("Remove what is expected"))));
        QTRY_VERIFY(!written().contains("\"fields\": { \"$A:1\": \"1\" }"));
        click(middleOf(*button(*form(), QStringLiteral("Edit in the text"))));
        QVERIFY(text()->hasFocus());
        QCOMPARE(text()->textCursor().blockNumber(), 6);
    }

    void whatIsExpectedOfRedisIsChangedInItsFields()
    {
        const QByteArray laidOut = QByteArray(Mine).replace(R"([{"key": "orders", "fields": {"$A:1": "1"}}] })", R"([
        {"key": "orders",  "ttl": ["1ms",
                                   "30s"],
         "fields": {"$A:1":  "1",
                    "mode":  "write"}},
        { "channel": "redisson_lock__channel:{orders}", "subscribers":  0 }
      ] })");
        write("mine", laidOut);
        QTRY_COMPARE(written(), laidOut);
        asForm();
        chooseStep(2);
        QCOMPARE(inForm<QLineEdit>("redis", 0, QStringLiteral("Key"))->text(), QStringLiteral("orders"));
        auto *fields = inForm<QPlainTextEdit>("redis", 0, QStringLiteral("Fields"));
        QCOMPARE(fields->toPlainText(), QStringLiteral("$A:1 = 1\nmode = write"));
        // One of several values: what stands beside it stays as it is laid out.
        setCursorTo(*fields, Qt::Key_End);
        press(*m_view, Qt::Key_Backspace);
        type(*m_view, "ing");
        const QByteArray fieldChanged = QByteArray(laidOut).replace("\"write\"", "\"writing\"");
        QCOMPARE(written(), fieldChanged);
        auto *to = inForm<QLineEdit>("redis", 0, QStringLiteral("Time to live, to"));
        setCursorTo(*to, Qt::Key_Home);
        press(*m_view, Qt::Key_Delete);
        const QByteArray tooShort = QByteArray(fieldChanged).replace("\"30s\"", "\"0s\"");
        QCOMPARE(written(), tooShort);
        QVERIFY(saying<QLabel>(*to->parentWidget(), QStringLiteral("expected a window of time"))); // at its field
        QVERIFY(to->property("invalid").toBool());
        type(*m_view, "3");
        QVERIFY(!saying<QLabel>(*form(), QStringLiteral("expected a window of time")));
        QCOMPARE(written(), fieldChanged);
        // Of a channel there is nothing but who listens to it.
        QVERIFY(!inForm<QLineEdit>("redis", 1, QStringLiteral("Key"))->isVisible());
        QVERIFY(!inForm<QLineEdit>("redis", 0, QStringLiteral("Channel"))->isVisible());
        auto *listeners = inForm<QLineEdit>("redis", 1, QStringLiteral("Listeners"));
        setCursorTo(*listeners, Qt::Key_End);
        type(*m_view, "x");
        QVERIFY(saying<QLabel>(*listeners->parentWidget(), QStringLiteral("expected a whole number")));
        press(*m_view, Qt::Key_Backspace);
        QCOMPARE(written(), fieldChanged);
        // Yes and no both are something else than nothing.
        auto *exists = inForm<QComboBox>("redis", 0, QStringLiteral("Is there"));
        QCOMPARE(exists->currentIndex(), 0);
        setCursorTo(*exists, Qt::Key_Down);
        press(*m_view, Qt::Key_Down);
        QVERIFY(written().contains(R"("mode":  "writing"},
         "exists": false},)"));
        press(*m_view, Qt::Key_Up);
        QVERIFY(written().contains(R"("exists": true},)"));
        press(*m_view, Qt::Key_Up);
        QCOMPARE(written(), fieldChanged);
        // A hash without fields is not one of which nothing is expected.
        auto *none = inForm<QCheckBox>("redis", 0, QStringLiteral("Fields: none"));
        showFully(*none);
        click(middleOf(*none));
        QVERIFY(written().contains(R"("fields": {}},)"));
        QVERIFY(!fields->isEnabled());
        showFully(*none);
        click(middleOf(*none));
        QVERIFY(!written().contains("\"mode\"") && !written().contains("\"fields\""));
    }

    void whatTheMonitorShowsAndTellsIsChangedInItsFields()
    {
        const QByteArray expecting = QByteArray(Mine).replace(
            R"("redis": [{"key": "orders", "fields": {"$A:1": "1"}}])",
            R"("seen": [{"lock": "orders", "holders": [ "$A:1" ]}], "events": [{"event":"acquired","lock":"orders"}])");
        write("mine", expecting);
        QTRY_COMPARE(written(), expecting);
        asForm();
        chooseStep(2);
        auto *holders = inForm<QLineEdit>("seen", 0, QStringLiteral("Holders"));
        QCOMPARE(holders->text(), QStringLiteral("$A:1"));
        setCursorTo(*holders, Qt::Key_End);
        type(*m_view, ", $X:1");
        QVERIFY(written().contains(R"("holders": [ "$A:1", "$X:1" ])"));
        QVERIFY(saying<QLabel>(*holders->parentWidget(), QStringLiteral("behind $ stands the name of a client")));
        QVERIFY(!saying<QLabel>(*inForm<QLineEdit>("events", 0, QStringLiteral("Lock"))->parentWidget(),
            QStringLiteral("behind $ stands")));
        for (int i = 0; i < 6; ++i)
            press(*m_view, Qt::Key_Backspace);
        QCOMPARE(written(), QByteArray(expecting).replace("[ \"$A:1\" ]", "[\"$A:1\"]"));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape); // names of holders
        auto *nobody = inForm<QCheckBox>("seen", 0, QStringLiteral("Waiters: nobody"));
        showFully(*nobody);
        click(middleOf(*nobody));
        QVERIFY(written().contains(R"("waiters": []})"));
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played")));
        // Of words a person chooses; the schema has them.
        for (const auto &[list, label, member, word] : { std::tuple{ "seen", "Lease", "lease", "watchdog" },
                 std::tuple{ "seen", "What is wrong", "suspect", "noTtl" },
                 std::tuple{ "events", "Event", "event", "renewed" },
                 std::tuple{ "events", "Certainty", "certainty", "inferred" } }) {
            auto *box = inForm<QComboBox>(list, 0, QString::fromLatin1(label));
            showFully(*box);
            box->setFocus();
            type(*m_view, word);
            QTRY_VERIFY2(written().contains(QByteArray("\"" + QByteArray(member) + "\": \"" + word + "\""))
                    || written().contains(QByteArray("\"" + QByteArray(member) + "\":\"" + word + "\"")),
                word);
        }
        QVERIFY(!inForm<QLineEdit>("seen", 0, QStringLiteral("Free permits"))->isVisible()); // there is no semaphore
        click(middleOf(*shownFully(inForm<QToolButton>("events", 0, QStringLiteral("Show it in the text")))));
        QVERIFY(text()->hasFocus());
        QVERIFY(text()->exactText().mid(text()->textCursor().position()).startsWith(QStringLiteral("{\"event\"")));
    }

    void whatIsOfAnotherShapeIsLeftToTheText()
    {
        const QByteArray odd = QByteArray(Mine).replace(R"([{"key": "orders", "fields": {"$A:1": "1"}}])",
            R"([5, {"key": "orders", "fields": {"a = b": "1"}, "elements": ["a,b"], "new": 1}])");
        write("mine", odd);
        QTRY_COMPARE(written(), odd);
        asForm();
        chooseStep(2);
        // What cannot be written in a field without becoming something else is only shown there.
        for (QPlainTextEdit *each : { inForm<QPlainTextEdit>("redis", 1, QStringLiteral("Fields")) }) {
            QVERIFY(each->isReadOnly());
            QVERIFY(each->toolTip().contains(QStringLiteral("edit it in the text")));
        }
        QVERIFY(inForm<QLineEdit>("redis", 1, QStringLiteral("Elements"))->isReadOnly());
        auto *key = inForm<QLineEdit>("redis", 0, QStringLiteral("Key"));
        QVERIFY(saying<QLabel>(*cardOf("redis", 0), QStringLiteral("expected an object")));
        setCursorTo(*key, Qt::Key_End);
        type(*m_view, "x");
        QCOMPARE(written(), odd);
        click(middleOf(*shownFully(inForm<QToolButton>("redis", 0, QStringLiteral("Remove what is expected")))));
        QVERIFY(saying<QLabel>(*cardOf("redis", 0), QStringLiteral("new"))); // a member that nobody knows
        QCOMPARE(written(), QByteArray(odd).replace("5, ", ""));
    }

    void theFormHasAFieldForAllThatTheSchemaKnows()
    {
        asForm();
        for (const char *list : WorldLists) {
            QStringList members;
            for (const std::string &each : membersOf({ "steps", "expect", list }))
                members << QString::fromStdString(each);
            QVERIFY(!members.isEmpty());
            members.sort();
            QStringList fields = ScenarioExpectationCard(list, nullptr).memberNames();
            fields.sort();
            QCOMPARE(fields, members);
        }
    }

    void theHeadHasItsFields()
    {
        asForm();
        chooseStep(0);
        auto *title = named<QLineEdit>(*form(), QStringLiteral("Title"));
        click(middleOf(*title));
        press(*m_view, Qt::Key_End);
        type(*m_view, "!");
        QCOMPARE(written(), QByteArray(Mine).replace("\"My own\"", "\"My own!\""));
        auto *servers = named<QComboBox>(*form(), QStringLiteral("Servers"));
        for (const auto &setting : Settings)
            QVERIFY2(servers->findText(QString::fromLatin1(setting.text)) > 0, setting.text);
        servers->setFocus();
        type(*m_view, "i");
        QTRY_VERIFY(written().contains("\"servers\": { \"independent\": 3 }"));
        auto *count = named<QLineEdit>(*form(), QStringLiteral("How many"));
        QVERIFY(count->isVisible());
        click(middleOf(*count));
        press(*m_view, Qt::Key_Backspace);
        type(*m_view, "9");
        QVERIFY(saying<QLabel>(*form(), QStringLiteral("from 2 to 7")));
        press(*m_view, Qt::Key_Backspace);
        type(*m_view, "5");
        QVERIFY(written().contains("\"servers\": { \"independent\": 5 }"));
        click(middleOf(*button(*form(), QStringLiteral("Add a client"))));
        QVERIFY(written().contains(R"(["A", {"name": "B", "renews": false}, "C"])"));
        auto *name = named<QLineEdit>(*form(), QStringLiteral("Name of client 2"));
        click(middleOf(*name));
        type(*m_view, "b");
        QVERIFY(written().contains(R"({"name": "Bb", "renews": false})")
            || written().contains(R"({"name": "bB", "renews": false})"));
        auto *program = named<QComboBox>(*form(), QStringLiteral("Program of client 1"));
        auto *version = named<QLineEdit>(*form(), QStringLiteral("Version of client 1"));
        QVERIFY(!version->isVisible());
        program->setFocus();
        type(*m_view, "r");
        QTRY_VERIFY(written().contains(R"([{ "name": "A", "program": "redisson" }, )"));
        QVERIFY(version->isVisible());
        version->setFocus();
        type(*m_view, "4x");
        QVERIFY(saying<QLabel>(*version->parentWidget(), QStringLiteral("expected a version such as")));
        press(*m_view, Qt::Key_Backspace);
        QVERIFY(written().contains(R"({ "name": "A", "program": "redisson", "version": "4" })"));
        QVERIFY(!saying<QLabel>(*form(), QStringLiteral("expected a version such as")));
    }

    void switchingLosesNothing_data()
    {
        QTest::addColumn<QString>("name");
        for (const Scenario &each : builtInScenarios())
            QTest::newRow(each.name.c_str()) << QString::fromStdString(each.name);
    }
    void switchingLosesNothing()
    {
        QFETCH(const QString, name);
        const QByteArray bytes = OwnScenarios::withName(builtInText(name.toStdString()), "copy");
        write("copy", bytes);
        m_view->choose("copy");
        for (int round = 0; round < 2; ++round) {
            asForm();
            for (int row = 0; row < steps()->count(); ++row)
                chooseStep(row);
            asText();
        }
        QCOMPARE(written(), bytes);
        QVERIFY(!m_view->hasUnsavedChanges());
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played")));
    }

    void stepsAreEditedByKeys()
    {
        asForm();
        chooseStep(1); // above it is the head
        const int before = steps()->count();
        press(*m_view, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(steps()->count(), before + 1);
        chooseStep(1);
        press(*m_view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(steps()->currentRow(), 2);
        press(*m_view, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(steps()->currentRow(), 1);
        press(*m_view, Qt::Key_Delete);
        QCOMPARE(steps()->count(), before);
    }

    /// Form and text are one document.
    void whatIsDeletedInTheFormComesBack()
    {
        asForm();
        chooseStep(2);
        press(*m_view, Qt::Key_Delete);
        const QByteArray without = written();
        QVERIFY(without != Mine);
        press(*m_view, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(written(), Mine);
        QCOMPARE(steps()->currentRow(), 2);
        QCOMPARE(named<QLineEdit>(*form(), QStringLiteral("Waits at most"))->text(), QStringLiteral("0ms"));
        press(*m_view, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(written(), without);
        press(*m_view, Qt::Key_Z, Qt::ControlModifier);
        asText();
        text()->setFocus();
        press(*m_view, Qt::Key_Z, Qt::ControlModifier); // nothing is left to be undone
        QCOMPARE(written(), Mine);
    }

    /// A text that is longer than its field is read from its beginning.
    void aLongTextIsShownFromItsBeginning()
    {
        QByteArray json = Mine;
        const QByteArray code = "\"forYourCode\": \"" + QByteArray("many words ").repeated(60) + "\", ";
        json.insert(json.indexOf("\"watchdog\""), code);
        text()->setFocus();
        press(*m_view, Qt::Key_A, Qt::ControlModifier);
        text()->insertPlainText(QString::fromUtf8(json));
        asForm();
        chooseStep(0);
        const auto *field = named<QLineEdit>(*form(), QStringLiteral("For your code"));
        QVERIFY(field->text().size() > 600);
        QCOMPARE(field->cursorPosition(), 0);
    }

    void savesAndOpensAgain()
    {
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        QVERIFY(m_view->hasUnsavedChanges());
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!m_view->hasUnsavedChanges());
        QCOMPARE(contentsOf(file("mine")), QByteArray(Mine).replace("My own", "My own!"));
        OwnScenariosView again(m_theme, OwnScenarios(m_path));
        again.show();
        QCOMPARE(again.findChild<JsonTextEdit *>()->exactText(), text()->exactText());
    }

    void aChangedNameRenamesTheFile()
    {
        asForm();
        chooseStep(0);
        auto *name = named<QLineEdit>(*form(), QStringLiteral("Name"));
        click(middleOf(*name));
        press(*m_view, Qt::Key_A, Qt::ControlModifier);
        type(*m_view, "watchdog");
        QVERIFY(saying<QLabel>(*form(), QStringLiteral("comes with the program")));
        QVERIFY(!button(*m_view, QStringLiteral("Run"))->isEnabled());
        press(*m_view, Qt::Key_A, Qt::ControlModifier);
        type(*m_view, "other");
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(contentsOf(file("other")), QByteArray(Mine).replace("\"mine\"", "\"other\""));
        QVERIFY(!QFile::exists(file("mine")));
        QCOMPARE(list()->count(), 1);
    }

    void changesOfOthersAreNotOverwritten()
    {
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        const QByteArray theirs = QByteArray(Mine).replace("My own", "Theirs");
        write("mine", theirs);
        QTRY_VERIFY(saying<QLabel>(*m_view, QStringLiteral("Somebody else has changed its file")));
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(answer(QStringLiteral("was changed on the disk"), QStringLiteral("Cancel")));
        QCOMPARE(contentsOf(file("mine")), theirs);
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(answer(QStringLiteral("was changed on the disk"), QStringLiteral("Load theirs")));
        QCOMPARE(written(), theirs);
        QVERIFY(!m_view->hasUnsavedChanges());
        press(*m_view, Qt::Key_Z, Qt::ControlModifier); // ours is not lost either
        QCOMPARE(written(), QByteArray(Mine).replace("My own", "My own!"));
        write("mine", theirs + "\n");
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(answer(QStringLiteral("was changed on the disk"), QStringLiteral("Replace theirs")));
        QCOMPARE(contentsOf(file("mine")), QByteArray(Mine).replace("My own", "My own!"));
    }

    void whatNobodyHasTouchedFollowsTheDisk()
    {
        const QByteArray theirs = QByteArray(Mine).replace("My own", "Theirs");
        write("mine", theirs);
        QTRY_COMPARE(written(), theirs);
        QVERIFY(!m_view->hasUnsavedChanges());
        QFile::remove(file("mine"));
        QTRY_COMPARE(list()->count(), 0);
        QVERIFY(saying<QLabel>(*m_view, QStringLiteral("No scenario of your own yet")));
    }

    void aFileThatIsGoneIsWrittenAnewWhenAsked()
    {
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        QFile::remove(file("mine"));
        QTRY_VERIFY(saying<QLabel>(*m_view, QStringLiteral("gone from the folder")));
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(answer(QStringLiteral("not in the folder any more"), QStringLiteral("Save it anew")));
        QCOMPARE(contentsOf(file("mine")), QByteArray(Mine).replace("My own", "My own!"));
    }

    void unsavedChangesAreAskedFor()
    {
        write("zebra", QByteArray(Mine).replace("\"mine\"", "\"zebra\""));
        QTRY_COMPARE(list()->count(), 2);
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        const auto chooseZebra
            = [this] { click(placeIn(*list()->viewport(), list()->visualItemRect(list()->item(1)).center())); };
        chooseZebra();
        QVERIFY(answer(QStringLiteral("Save the changes"), QStringLiteral("Cancel")));
        QCOMPARE(list()->currentRow(), 0);
        QVERIFY(m_view->hasUnsavedChanges());
        chooseZebra();
        QVERIFY(answer(QStringLiteral("Save the changes"), QStringLiteral("Save")));
        QCOMPARE(list()->currentRow(), 1);
        QCOMPARE(contentsOf(file("mine")), QByteArray(Mine).replace("My own", "My own!"));
        QVERIFY(written().contains("\"zebra\""));
        bool isLeft = false;
        m_view->askBeforeLosing([&] { isLeft = true; });
        QVERIFY(isLeft); // nothing is unsaved
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "?");
        isLeft = false;
        m_view->askBeforeLosing([&] { isLeft = true; });
        QVERIFY(!isLeft);
        QVERIFY(answer(QStringLiteral("Save the changes"), QStringLiteral("Discard")));
        QVERIFY(isLeft);
        QCOMPARE(contentsOf(file("zebra")), QByteArray(Mine).replace("\"mine\"", "\"zebra\""));
    }

    /// Nobody was there to be asked.
    void whatWasNotSavedComesBackTheNextTime()
    {
        const QByteArray changed = QByteArray(Mine).replace("My own", "My own!");
        QVERIFY(m_view->keepUnsaved()); // nothing is unsaved
        QVERIFY(m_view->takeKeptUnsaved().empty());
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        QVERIFY(m_view->keepUnsaved());
        QCOMPARE(contentsOf(file("mine")), Mine);
        comeAgain();
        QCOMPARE(m_view->takeKeptUnsaved().size(), std::size_t{ 1 });
        QVERIFY(m_view->hasUnsavedChanges());
        QCOMPARE(toBytes(text()->exactText()), changed.toStdString());
        write("zebra", QByteArray(Mine).replace("\"mine\"", "\"zebra\""));
        QTRY_COMPARE(list()->count(), 2); // which has looked at the disk
        QVERIFY(saying<QLabel>(*m_view, QStringLiteral("not saved when the program was ended")));

        click(middleOf(*button(*m_view, QStringLiteral("Revert"))));
        QCOMPARE(toBytes(text()->exactText()), Mine.toStdString());
        QVERIFY(!saying<QLabel>(*m_view, QStringLiteral("not saved when")));
        QVERIFY(m_view->takeKeptUnsaved().empty());
        text()->undo();
        QVERIFY(m_view->keepUnsaved());
        comeAgain();
        QVERIFY(m_view->hasUnsavedChanges());
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(contentsOf(file("mine")), changed);
        QVERIFY(m_view->takeKeptUnsaved().empty());
        comeAgain();
        QVERIFY(!m_view->hasUnsavedChanges());
    }

    /// What somebody did meanwhile is not overwritten unseen, and what has no file any more gets one.
    void whatWasNotSavedIsToldOfAFileThatChanged()
    {
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        QVERIFY(m_view->keepUnsaved());
        const QByteArray theirs = QByteArray(Mine).replace("My own", "Theirs");
        write("mine", theirs);
        comeAgain();
        QVERIFY(m_view->hasUnsavedChanges());
        QVERIFY(saying<QLabel>(*m_view, QStringLiteral("Somebody else has changed its file meanwhile: Save asks")));
        click(middleOf(*button(*m_view, QStringLiteral("Revert"))));
        QCOMPARE(toBytes(text()->exactText()), theirs.toStdString());
        QVERIFY(!m_view->hasUnsavedChanges());
        text()->undo();
        QVERIFY(QFile::remove(file("mine")));
        QTRY_VERIFY(saying<QLabel>(*m_view, QStringLiteral("gone from the folder")));
        QVERIFY(m_view->keepUnsaved());
        QCOMPARE(contentsOf(file("mine")), QByteArray(Mine).replace("My own", "My own!"));
    }

    /// Also where that was before the program was ended, and whatever the clocks of the disk say.
    void whatWasNotSavedReplacesNothingUnseen()
    {
        placeCursorBehind("\"title\": \"My own");
        type(*m_view, "!");
        write("mine", QByteArray(Mine).replace("My own", "Theirs"));
        QTRY_VERIFY(saying<QLabel>(*m_view, QStringLiteral("Somebody else has changed its file")));
        QVERIFY(m_view->keepUnsaved());
        comeAgain();
        QVERIFY(m_view->hasUnsavedChanges());
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(m_view->findChild<QuestionDialog *>());
        QVERIFY(contentsOf(file("mine")).contains("Theirs"));
        QVERIFY(m_view->keepUnsaved());
        comeAgain(); // and once more
        QVERIFY(saying<QLabel>(*m_view, QStringLiteral("Somebody else has changed its file meanwhile: Save asks")));
    }

    void newOnesCopiesAndDeleting()
    {
        click(middleOf(*button(*list()->parentWidget(), QStringLiteral("New…"))));
        auto *dialog = m_view->findChild<ScenarioNameDialog *>();
        QVERIFY(dialog);
        press(*dialog, Qt::Key_A, Qt::ControlModifier);
        type(*dialog, "mine");
        QVERIFY(saying<QLabel>(*dialog, QStringLiteral("of this name already")));
        QVERIFY(!button(*dialog, QStringLiteral("Make it"))->isEnabled());
        type(*dialog, "2");
        press(*dialog, Qt::Key_Return);
        QTRY_COMPARE(list()->count(), 2);
        QCOMPARE(list()->currentRow(), 1);
        QVERIFY(state()->text().startsWith(QStringLiteral("Can be played: 3 step")));
        m_view->copyBuiltIn("holder-crashes");
        QTRY_VERIFY(m_view->findChild<ScenarioNameDialog *>());
        press(*m_view->findChild<ScenarioNameDialog *>(), Qt::Key_Return);
        QTRY_COMPARE(list()->count(), 3);
        QCOMPARE(written(), OwnScenarios::withName(builtInText("holder-crashes"), "holder-crashes-2"));
        click(middleOf(*button(*m_view, QStringLiteral("Delete…"))));
        QVERIFY(answer(QStringLiteral("Delete “holder-crashes-2”?"), QStringLiteral("Delete")));
        QCOMPARE(list()->count(), 2);
        QVERIFY(!QFile::exists(file("holder-crashes-2")));
    }

    void filesAreImportedAndNothingIsOverwritten()
    {
        const QString outside = m_folder->filePath(QStringLiteral("mine.json"));
        writeFile(outside, QByteArray(Mine).replace("My own", "Theirs"));
        m_view->importFile(outside); // there is one of this name
        auto *dialog = m_view->findChild<ScenarioNameDialog *>();
        QVERIFY(dialog);
        press(*dialog, Qt::Key_Return);
        QTRY_COMPARE(list()->count(), 2);
        QCOMPARE(contentsOf(file("mine")), Mine);
        QCOMPARE(
            contentsOf(file("mine-2")), QByteArray(Mine).replace("My own", "Theirs").replace("\"mine\"", "\"mine-2\""));
        const QString free = m_folder->filePath(QStringLiteral("free.json"));
        writeFile(free, QByteArray(Mine).replace("\"mine\"", "\"free\""));
        m_view->importFile(free);
        QTRY_COMPARE(list()->count(), 3);
        QCOMPARE(contentsOf(file("free")), contentsOf(free));
        // What is no scenario at all comes under the name of its file, with its error.
        const QString text = m_folder->filePath(QStringLiteral("notes.txt"));
        writeFile(text, "no JSON");
        m_view->importFile(text);
        QTRY_COMPARE(list()->count(), 4);
        QVERIFY(state()->text().contains(QStringLiteral("this is no JSON")));
        m_view->importFile(m_folder->filePath(QStringLiteral("nowhere")));
        QVERIFY(saying<QLabel>(*m_view, QStringLiteral("The file was not imported")));
    }

    void whereNothingCanBeSavedItIsSaidAndNothingIsLost()
    {
        QDir(m_path).removeRecursively();
        writeFile(m_path, "a file where the folder was");
        QTRY_COMPARE(list()->count(), 0);
        click(middleOf(*button(*list()->parentWidget(), QStringLiteral("New…"))));
        press(*m_view->findChild<ScenarioNameDialog *>(), Qt::Key_Return);
        QTRY_VERIFY(saying<QLabel>(*m_view, QStringLiteral("The scenario was not saved")));
        QCOMPARE(contentsOf(m_path), QByteArray("a file where the folder was"));
    }

    void keysAreSensible()
    {
        text()->setFocus();
        press(*m_view, Qt::Key_A, Qt::ControlModifier);
        press(*m_view, Qt::Key_Delete);
        type(*m_view, "{");
        press(*m_view, Qt::Key_Return);
        type(*m_view, "\"name\": \"x\",");
        QCOMPARE(text()->exactText(), QStringLiteral("{\n  \"name\": \"x\",\n}"));
        press(*m_view, Qt::Key_Return);
        type(*m_view, "\"steps\": [");
        press(*m_view, Qt::Key_Return);
        QCOMPARE(text()->exactText(), QStringLiteral("{\n  \"name\": \"x\",\n  \"steps\": [\n    \n  ]\n}"));
        type(*m_view, "{ \"do\": \"loc");
        auto *words = QApplication::activePopupWidget();
        QVERIFY(words);
        QTest::keyClick(words, Qt::Key_Return); // lock
        QCOMPARE(text()->textCursor().block().text(), QStringLiteral("    { \"do\": \"lock\"}"));
        type(*m_view, ", \"cl");
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Tab);
        QCOMPARE(text()->textCursor().block().text(), QStringLiteral("    { \"do\": \"lock\", \"client\"}"));
        press(*m_view, Qt::Key_A, Qt::ControlModifier);
        press(*m_view, Qt::Key_Tab);
        QVERIFY(text()->exactText().startsWith(QStringLiteral("  {\n    \"name\"")));
        press(*m_view, Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(text()->exactText().startsWith(QStringLiteral("{\n  \"name\"")));
        press(*m_view, Qt::Key_End, Qt::ControlModifier);
        press(*m_view, Qt::Key_Escape);
        press(*m_view, Qt::Key_Tab); // leaves
        QVERIFY(!text()->hasFocus());
    }

    void hostileTextsAreShownAndKept_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("bytes") << QByteArray("\xff\xfe\x80{}");
        QTest::newRow("zero") << QByteArray("{\"name\": \"a\0b\"}", 15);
        QTest::newRow("paragraph") << QByteArray("{\"name\": \"a\xe2\x80\xa9\"}");
        QTest::newRow("line separator") << QByteArray("{\"name\": \"a\xe2\x80\xa8\"}");
        QTest::newRow("no-break space") << QByteArray("{\"name\": \"a\xc2\xa0\"}");
        QTest::newRow("byte order mark") << "\xef\xbb\xbf" + Mine;
        QTest::newRow("carriage returns") << QByteArray(Mine).replace('\n', "\r\n");
        QTest::newRow("mixed line breaks") << QByteArray(Mine).replace("]\n", "]\r\n");
        QTest::newRow("lone carriage return") << QByteArray(Mine).replace(" ", "\r");
        QTest::newRow("HTML") << QByteArray(Mine).replace("My own", "<img src=x><b>boo</b>");
        QTest::newRow("other direction") << QByteArray(Mine).replace("My own", "\xe2\x80\xae gnp.exe");
        QTest::newRow("brackets") << QByteArray(200'000, '[');
        QTest::newRow("deep") << QByteArray(50'000, '[') + QByteArray(50'000, ']');
        QTest::newRow("long line") << QByteArray(Mine).replace("My own", QByteArray(200'000, 'x'));
        QTest::newRow("other shapes") << QByteArray(
            R"({"name": "mine", "title": {}, "clients": {"A": 1}, "about": "x", "servers": [], "steps": [1, "x", [], null, {"expect": [], "after": 5, "do": {}, "lock": ["a"], "wait": null}]})");
        QTest::newRow("steps of no list")
            << QByteArray(R"({"name": "mine", "title": "t", "clients": ["A"], "steps": {"a": 1}})");
        QTest::newRow("list") << QByteArray("[1, 2]");
        QTest::newRow("twice") << QByteArray(Mine).replace("\"title\"", "\"name\"");
        QTest::newRow("huge") << QByteArray(3 << 20, ' ');
    }
    void hostileTextsAreShownAndKept()
    {
        QFETCH(const QByteArray, bytes);
        write("hostile", bytes);
        m_view->choose("hostile");
        QCOMPARE(list()->currentRow(), 0);
        QVERIFY(!m_view->hasUnsavedChanges());
        asForm();
        for (int row = 0; form()->isOpen() && form()->isEnabled() && row < steps()->count(); ++row) {
            chooseStep(row);
            for (QToolButton *each : form()->findChildren<QToolButton *>()) {
                if (each->isVisible() && each->isEnabled() && each->text() == QStringLiteral("↑"))
                    each->click();
            }
        }
        asText();
        if (!text()->isReadOnly()) {
            while (text()->document()->isUndoAvailable())
                text()->undo();
        }
        QVERIFY(!m_view->hasUnsavedChanges());
        for (const QLabel *label : m_view->findChildren<QLabel *>())
            QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(QStringLiteral("<img")));
        press(*m_view, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(contentsOf(file("hostile")), bytes);
        // What cannot be kept exactly cannot be changed; all else is saved with its bytes.
        if (!text()->isReadOnly()) {
            text()->setFocus();
            press(*m_view, Qt::Key_End, Qt::ControlModifier);
            QTest::keyClick(text(), Qt::Key_Space);
            QVERIFY(m_view->hasUnsavedChanges());
            press(*m_view, Qt::Key_S, Qt::ControlModifier);
            if (const auto dialogs = m_view->findChildren<QuestionDialog *>();
                dialogs.isEmpty() && QFile::exists(file("hostile")))
                QCOMPARE(contentsOf(file("hostile")), bytes + " ");
        } else {
            QVERIFY(!m_view->findChildren<QLabel *>().isEmpty());
            QTest::keyClick(text(), Qt::Key_Space);
            QCOMPARE(contentsOf(file("hostile")), bytes);
        }
    }

private:
    QString file(const std::string &name) const { return OwnScenarios(m_path).fileOf(name); }
    void write(const std::string &name, const QByteArray &bytes) const { writeFile(file(name), bytes); }
    JsonTextEdit *text() const { return m_view->findChild<JsonTextEdit *>(); }
    ScenarioForm *form() const { return m_view->findChild<ScenarioForm *>(); }
    QLabel *state() const { return m_view->findChild<QLabel *>(QStringLiteral("state")); }
    QListWidget *list() const { return named<QListWidget>(*m_view, QStringLiteral("My scenarios")); }
    QListWidget *steps() const { return named<QListWidget>(*m_view, QStringLiteral("Steps")); }
    QByteArray written() const { return QByteArray::fromStdString(toBytes(text()->exactText())); }
    void asForm() const { click(middleOf(*button(*m_view, QStringLiteral("Form")))); }
    void asText() const { click(middleOf(*button(*m_view, QStringLiteral("Text")))); }

    /// 0: the head.
    void chooseStep(int row) const
    {
        steps()->scrollToItem(steps()->item(row));
        click(placeIn(*steps()->viewport(), steps()->visualItemRect(steps()->item(row)).center()));
        QCOMPARE(form()->chosenStep(), row - 1);
    }

    void placeCursorBehind(const char *what) const
    {
        const qsizetype at = text()->exactText().indexOf(QString::fromUtf8(what));
        QVERIFY(at >= 0);
        text()->goTo(int(at + QString::fromUtf8(what).size()));
    }

    void chooseFromMenu(const QString &of, const QString &entry) const
    {
        auto *opener = button(*form(), of);
        QCoreApplication::processEvents(); // layouts follow what they hold
        form()->findChildren<QScrollArea *>().back()->ensureWidgetVisible(opener);
        click(middleOf(*opener));
        QTRY_VERIFY(qobject_cast<QMenu *>(QApplication::activePopupWidget()));
        choose(*qobject_cast<QMenu *>(QApplication::activePopupWidget()), entry);
    }

    ScenarioExpectationCard *cardOf(const std::string &list, int index) const
    {
        for (auto *each : form()->findChildren<ScenarioExpectationCard *>()) {
            if (each->isVisible() && each->list() == list && index-- == 0)
                return each;
        }
        return nullptr;
    }

    /// Of the card of what is expected of the world.
    template <typename Widget>
    Widget *inForm(const std::string &list, int index, const QString &name) const
    {
        QWidget *card = cardOf(list, index);
        return card ? named<Widget>(*card, name) : nullptr;
    }

    void showFully(QWidget &widget) const
    {
        QCoreApplication::processEvents(); // layouts follow what they hold
        form()->findChildren<QScrollArea *>().back()->ensureWidgetVisible(&widget);
    }
    QWidget *shownFully(QWidget *widget) const
    {
        showFully(*widget);
        return widget;
    }
    void setCursorTo(QWidget &widget, Qt::Key key) const
    {
        showFully(widget);
        widget.setFocus();
        press(*m_view, key, qobject_cast<QPlainTextEdit *>(&widget) ? Qt::ControlModifier : Qt::NoModifier);
    }

    /// In the dialog that says this.
    bool answer(const QString &says, const QString &text) const
    {
        for (QuestionDialog *dialog : m_view->findChildren<QuestionDialog *>()) {
            if (!dialog->isVisible() || !saying<QLabel>(*dialog, says))
                continue;
            const QPointer<QuestionDialog> gone(dialog);
            click(middleOf(*button(*dialog, text)));
            m_view->activateWindow(); // as a window manager does
            return QTest::qWaitFor([&] { return gone.isNull(); }) && QTest::qWaitForWindowActive(m_view.get());
        }
        return false;
    }

    void comeAgain()
    {
        m_view.reset();
        m_view = std::make_unique<OwnScenariosView>(m_theme, OwnScenarios(m_path));
        m_view->resize(1'100, 700);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    }

    Theme m_theme{ *qApp };
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<OwnScenariosView> m_view;
};

QTEST_MAIN(TestScenarioEditor)
#include "tst_scenario_editor.moc"
