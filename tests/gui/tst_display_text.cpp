// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/look_alikes.h"
#include "ui/text/printable_text.h"

#include <QTest>

using namespace lockui;
using namespace Qt::StringLiterals;
using namespace lockcore;
using namespace lockcore::monitor;

class DisplayTextTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Where lines are broken, a number stays with its unit.
    void keepsTimesInOneLine()
    {
        const QString space(QChar::Nbsp);
        QCOMPARE(withUnbrokenTimes(QStringLiteral("in 13 m 00 s. It is number 4 in the queue, 1.5 s, 3 ms, 2 d 4 h")),
            QStringLiteral("in 13_m_00_s. It is number 4 in the queue, 1.5_s, 3_ms, 2_d_4_h")
                .replace(QLatin1Char('_'), space));
        QCOMPARE(withUnbrokenTimes(QStringLiteral("lock 7 seven: 5 so")), QStringLiteral("lock 7 seven: 5 so"));
    }

    /// The wall clock is read in milliseconds, the other one more finely.
    void aMomentOfThePastDoesNotMove()
    {
        const MonoTime start{ std::chrono::hours(100) };
        const WallTime wall{ Millis(1'790'000'000'000) };
        ViewClock clock;
        clock.setReference({ start, wall });
        const MonoTime moment = start - std::chrono::microseconds(12'300);
        const WallTime told = clock.wallAt(moment);
        clock.setReference({ start + std::chrono::microseconds(5'000'900), wall + Millis(5'000) });
        QCOMPARE(clock.wallAt(moment), told);
        // A computer that is busy may read the wall clock a little late: what was told already stays where it was.
        clock.setReference({ start + Millis(5'500), wall + Millis(5'530) });
        QCOMPARE(clock.wallAt(start), wall);
        clock.setReference({ start + Millis(5'600), wall + Millis(5'600) });
        QCOMPARE(clock.wallAt(start), wall);
        clock.setReference({ start + Millis(5'700), wall + Millis(5'730) });
        clock.setReference({ start + Millis(5'800), wall + Millis(5'820) }); // it was set: by 20 ms, it seems
        QCOMPARE(clock.wallAt(start), wall + Millis(20));
        clock.setReference({ start + Millis(5'900), wall + Millis(5'900) }); // it was not: both were late
        QCOMPARE(clock.wallAt(start), wall);
        clock.setReference({ start + Millis(6'000), wall + Millis(7'000) }); // the clock was set
        QCOMPARE(clock.wallAt(moment), told + Millis(1'000));
    }

    void doubtsTheWordAndNotTheNumber()
    {
        const MonoTime now{ std::chrono::hours(100) };
        LockState lock;
        lock.lastChange = { now - Millis(35'000), EventKind::Released, Certainty::Inferred };
        QCOMPARE(shortChangeText(lock, now), QStringLiteral("released? 35 s"));
        lock.lastChange.certainty = Certainty::Seen;
        QCOMPARE(shortChangeText(lock, now), QStringLiteral("released 35 s"));
    }

    /// As `lockctl` does: in a recording it is not told which other databases have keys.
    void saysWhereOthersMayWaitForALockElsewhere()
    {
        LockState lock;
        lock.subscribers = 1;
        Snapshot snapshot;
        QCOMPARE(waitingText(lock, &snapshot), QStringLiteral("≥ 1"));
        snapshot.status.recordedAt = WallTime(Millis(1));
        QCOMPARE(waitingText(lock, &snapshot), QStringLiteral("1?"));
    }

    void countsGhostsAndSaysSo()
    {
        LockState lock;
        lock.kind = lockcore::synchronizers::Kind::Fair;
        lock.waiters.resize(3);
        QVERIFY(!waitingExplanation(lock, false).contains(QStringLiteral("ghost")));
        lock.waiters[1].subscribed = false;
        QVERIFY(waitingExplanation(lock, false).contains(QStringLiteral("1 of them")));
    }

    /// As after FLUSHALL: the table counts them as waiting, and nothing else tells of them.
    void saysWhoListensAndStandsInNoQueue()
    {
        LockState lock;
        lock.kind = lockcore::synchronizers::Kind::Fair;
        QCOMPARE(waitingExplanation(lock, false), QStringLiteral("The queue is empty."));
        QCOMPARE(waitedExplanation(lock), QStringLiteral("The queue was empty."));
        lock.subscribers = 2;
        QCOMPARE(waitingText(lock, nullptr), QStringLiteral("≥ 2"));
        for (const QString &said : { waitingExplanation(lock, false), waitedExplanation(lock) }) {
            QVERIFY2(!said.contains(QStringLiteral("empty")), qPrintable(said));
            QVERIFY2(said.contains(QStringLiteral("for their turn: 2")), qPrintable(said));
        }
    }

    void showsEveryByte_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const QByteArray &bytes, const QString &text) {
            QTest::newRow(name) << bytes << text;
        };
        row("plain", "order:{8812}:pay", QStringLiteral("order:{8812}:pay"));
        row("empty", "", QString());
        row("html", "<b>&amp;", QStringLiteral("<b>&amp;"));
        row("newline", "a\nb\r\tc", QStringLiteral("a\\x0ab\\x0d\\x09c"));
        row("zero", QByteArray("a\0b", 3), QStringLiteral("a\\x00b"));
        row("escape", "\x1b[31m", QStringLiteral("\\x1b[31m"));
        row("private use", "\xee\x80\x80", QStringLiteral("\\u{e000}"));
        row("what looks like an escape", "pay\\x1b", QStringLiteral("pay\\\\x1b"));
        row("backslash", "a\\nb", QStringLiteral("a\\\\nb"));
        row("rtl mark",
            "a\xe2\x80\x8f"
            "b",
            QStringLiteral("a\\u{200f}b"));
        row("override", "\xe2\x80\xae", QStringLiteral("\\u{202e}"));
        row("isolate", "\xe2\x81\xa8", QStringLiteral("\\u{2068}"));
        row("zero width", "\xe2\x80\x8b", QStringLiteral("\\u{200b}"));
        row("Hangul filler", "pay\xe3\x85\xa4", QStringLiteral("pay\\u{3164}"));
        row("half-width filler", "\xef\xbe\xa0", QStringLiteral("\\u{ffa0}"));
        row("grapheme joiner", "\xcd\x8f", QStringLiteral("\\u{034f}"));
        row("variation selector", "\xef\xb8\x8f", QStringLiteral("\\u{fe0f}"));
        row("selector of a higher plane", "\xf3\xa0\x84\x80", QStringLiteral("\\u{e0100}"));
        row("Khmer vowel", "\xe1\x9e\xb4", QStringLiteral("\\u{17b4}"));
        row("blank Braille", "\xe2\xa0\x80", QStringLiteral("\\u{2800}"));
        row("line separator", "\xe2\x80\xa8", QStringLiteral("\\u{2028}"));
        row("no-break space", "\xc2\xa0", QStringLiteral("\\u{00a0}"));
        row("blanks at its ends", "  pay  it ", QStringLiteral("\\x20 pay  it\\x20"));
        row("a blank alone", " ", QStringLiteral("\\x20"));
        row("c1", "\xc2\x9b", QStringLiteral("\\u{009b}"));
        row("chinese", "\xe9\x94\x81", QStringLiteral("锁"));
        row("marks of one letter", "e\xcc\x81\xcc\x82\xcc\x83", QString::fromUtf16(u"e\u0301\u0302\u0303"));
        row("marks that pile up over other lines", "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81:7",
            QString::fromUtf16(u"e\u0301\u0301\u0301\\u{0301}\\u{0301}:7"));
        row("marks of several letters", "e\xcc\x81\xcc\x82o\xcc\x81\xcc\x82",
            QString::fromUtf16(u"e\u0301\u0302o\u0301\u0302"));
        row("a mark for what stands before the name", "\xcc\x81pay", QStringLiteral("\\u{0301}pay"));
        row("an enclosing mark after others", "a\xcc\x81\xcc\x81\xcc\x81\xe2\x83\x9d",
            QString::fromUtf16(u"a\u0301\u0301\u0301\\u{20dd}"));
        row("emoji", "\xf0\x9f\x94\x92", QString::fromUtf8("\xf0\x9f\x94\x92"));
        row("not utf-8", "a\xff\xfe", QStringLiteral("a\\xff\\xfe"));
        row("cut short", "\xe9\x94", QStringLiteral("\\xe9\\x94"));
        row("overlong", "\xc0\xaf", QStringLiteral("\\xc0\\xaf"));
        row("surrogate", "\xed\xa0\x80", QStringLiteral("\\xed\\xa0\\x80"));
        row("too high", "\xf4\x90\x80\x80", QStringLiteral("\\xf4\\x90\\x80\\x80"));
    }

    void showsEveryByte()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, text);
        QCOMPARE(displayText(bytes.toStdString()), text);
        // lockctl says the same, and takes it back.
        QCOMPARE(QString::fromStdString(lockui::printable(bytes.toStdString())), text);
        QCOMPARE(lockui::fromPrintable(text.toStdString()), std::optional(bytes.toStdString()));
    }

    void takesNothingElseForAnEscape()
    {
        for (const char *text :
            { "\\", "a\\n", "\\x1", "\\x1g", "\\u1b", "\\u{}", "\\u{110000}", "\\u{d800}", "\\u{1b" })
            QVERIFY2(!lockui::fromPrintable(text), text);
    }

    /// In one notation, wherever it is copied: else two names could be copied alike.
    void copiesANameAsItCanBeTakenBack()
    {
        QCOMPARE(copyText("\t=1+1"), QStringLiteral("\\x09=1+1"));
        QCOMPARE(copyText("\\x09=1+1"), QStringLiteral("\\\\x09=1+1"));
        QCOMPARE(copyText("a\\nb c"), QStringLiteral("a\\\\nb c"));
        QCOMPARE(copyText("pay "), QStringLiteral("pay\\x20"));
        QCOMPARE(copyText("a\nb"), QStringLiteral("a\\x0ab"));
    }

    void tellsLettersOfOtherAlphabetsApart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("told");
        const auto row = [](const char *what, const char16_t *name, const char16_t *shown, const char *told = "") {
            QTest::newRow(what) << QString::fromUtf16(name) << QString::fromUtf16(shown) << QString::fromUtf8(told);
        };
        row("Latin", u"nightly-report", u"nightly-report");
        row("a Greek letter in a Latin word", u"nightly-rep\u03bfrt", u"nightly-rep\\u{03bf}rt",
            "Letters of several alphabets look alike in this name: \u03bf is Greek (U+03BF)");
        row("a Latin letter in a Cyrillic word", u"\u0440a\u0431\u043e\u0442\u0430",
            u"\u0440\\u{0061}\u0431\u043e\u0442\u0430",
            "Letters of several alphabets look alike in this name: a is Latin (U+0061)");
        row("words of two alphabets", u"\u0437\u0430\u043a\u0430\u0437:pay:7", u"\u0437\u0430\u043a\u0430\u0437:pay:7");
        row("a word that reads as Latin", u"order:\u0441\u043e\u0440", u"order:\u0441\u043e\u0440",
            "Letters of several alphabets look alike in this name: \u0441 is Cyrillic (U+0441), \u043e is Cyrillic "
            "(U+043E), \u0440 is Cyrillic (U+0440)");
        row("no look-alike", u"\u0394t:\u03c0r", u"\u0394t:\u03c0r");
        row("Cyrillic alone", u"\u0441\u043e\u0440", u"\u0441\u043e\u0440");
        row("Chinese and Latin", u"\u9501a", u"\u9501a");
    }

    /// Else two rows would be the same, of which one is the wrong one to release.
    void tellsLettersOfOtherAlphabetsApart()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, shown);
        QFETCH(const QString, told);
        QCOMPARE(lockNameText(toBytes(name)), shown);
        QCOMPARE(lookAlikeText(toBytes(name)), told);
        QCOMPARE(lockui::fromPrintable(toBytes(shown)), std::optional(toBytes(name)));
    }

    void cutsLongNamesAndSaysSo()
    {
        const QString text = displayText(std::string(1'000'000, 'x'), 10);
        QCOMPARE(text, QStringLiteral("xxxxxxxxxx… (1,000,000 bytes in all)"));
    }

    void neverMakesRichText()
    {
        QCOMPARE(plainToolTip(QStringLiteral("<img src=x>\nb")), QStringLiteral("<qt>&lt;img src=x&gt;<br>b</qt>"));
        QCOMPARE(plainMenuText(QStringLiteral("a&b")), QStringLiteral("a&&b"));
    }

    /// A name without a blank is broken all the same, and no tip is wider than a screen.
    void wrapsLongWordsInToolTips()
    {
        const QString name(400, QLatin1Char('n'));
        QString tip = plainToolTip(name);
        for (const QString &part : tip.split(QChar(0x200b)))
            QVERIFY2(part.count(QLatin1Char('n')) <= 80, qPrintable(part));
        QCOMPARE(tip.remove(QChar(0x200b)), QStringLiteral("<qt>") + name + QStringLiteral("</qt>"));
        QCOMPARE(plainToolTip(QString(40, QLatin1Char('n'))).count(QLatin1Char('n')), 40);
        const QString key = QStringLiteral("👩‍💻").repeated(50); // a letter of several code points is one
        QCOMPARE(breakable(key, 1).remove(QChar(0x200b)), key);
        QCOMPARE(breakable(key, 1).count(QChar(0x200b)), 49);
    }

    void shortensOwners()
    {
        QCOMPARE(shortOwner({ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" }), QStringLiteral("7f21aa09…:7"));
        QCOMPARE(shortOwner({ "me", "41" }), QStringLiteral("me:41"));
        QCOMPARE(shortOwner({ "a\nb", "1" }), QStringLiteral("a\\x0ab:1"));
    }

    void wordsDurations_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QString>("duration");
        QTest::addColumn<QString>("ttl");
        const auto row = [](qint64 ms, const char *duration, const char *ttl) {
            QTest::newRow(duration) << ms << QString::fromLatin1(duration) << QString::fromLatin1(ttl);
        };
        row(-5, "0.0 s", "0.0 s");
        row(400, "0.4 s", "0.4 s");
        row(28'799, "28 s", "28.7 s");
        row(252'000, "4 m 12 s", "4 m 12 s");
        row(723'000, "12 m 03 s", "12 m 03 s");
        row(4'920'000, "1 h 22 m", "1 h 22 m");
        row(273'600'000, "3 d 4 h", "3 d 4 h");
        row(863'999'999'000, "9999 d 23 h", "9999 d 23 h");
        row(1LL << 52, "142,808 y", "142,808 y"); // of a lease whose unit was taken for another again and again
    }

    void wordsDurations()
    {
        QFETCH(const qint64, ms);
        QTEST(durationText(Millis(ms)), "duration");
        QTEST(ttlText(Millis(ms)), "ttl");
    }

    /// What happened once an hour did happen.
    void wordsRates()
    {
        QCOMPARE(rateText(0), u"0"_s);
        QCOMPARE(rateText(0.002), u"< 0.1"_s);
        QCOMPARE(rateText(0.26), u"0.3"_s);
        QCOMPARE(rateText(12.6), u"13"_s);
        SourceStatus status;
        status.rates = { .acquires = 0.002, .expiries = 0.002, .mayHaveMoreExpiries = true };
        QCOMPARE(latelyText(&Rates::acquires, status), u"< 0.1"_s);
        QCOMPARE(latelyText(&Rates::expiries, status), u"> 0"_s);
        QCOMPARE(latelyText(&Rates::renewals, status), u"0"_s);
        status.rates.areUnknown = true;
        QCOMPARE(latelyText(&Rates::renewals, status), u"?"_s);
    }
};

QTEST_GUILESS_MAIN(DisplayTextTest)
#include "tst_display_text.moc"
