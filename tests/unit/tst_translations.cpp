// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>

namespace {

const QString Sources = QStringLiteral(SOURCES);

/// Context, source and comment of each message, by lines.
QStringList messagesOf(const QString &file)
{
    QFile ts(file);
    QStringList messages;
    if (!ts.open(QIODevice::ReadOnly))
        return messages;
    QXmlStreamReader reader(&ts);
    QString context;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("name"))
            context = reader.readElementText();
        else if (reader.name() == QLatin1String("message"))
            messages << context
                    + (reader.attributes().hasAttribute(QLatin1String("numerus")) ? QStringLiteral(" (n)") : QString());
        else if (reader.name() == QLatin1String("source") || reader.name() == QLatin1String("comment"))
            messages.last() += u'|' + reader.readElementText();
    }
    messages.sort();
    return messages;
}

/// Where values go, as in `%1 of %2`.
QStringList places(const QString &text)
{
    static const QRegularExpression place(QStringLiteral("%\\d"));
    QStringList found;
    for (auto each = place.globalMatch(text); each.hasNext();)
        found << each.next().captured();
    found.removeDuplicates();
    found.sort();
    return found;
}

QStringList without(const QStringList &all, const QStringList &some)
{
    QStringList rest = all;
    for (const QString &each : some)
        rest.removeOne(each);
    return rest;
}

QString withoutComments(QString code)
{
    static const QRegularExpression comment(QString::fromLatin1("(\"(?:[^\"\\\\\\n]|\\\\.)*\")|//[^\\n]*|/\\*.*?\\*/"),
        QRegularExpression::DotMatchesEverythingOption);
    return code.replace(comment, QStringLiteral("\\1"));
}

/// Literals with at least two words that stand in no call of the translator. What stands between a call and its end
/// counts as in it: nobody hands a sentence to the translator beside another one that it does not get.
QStringList untranslated(const QString &source)
{
    const QString code = withoutComments(source);
    static const QRegularExpression call(
        QString::fromLatin1("\\b(?:tr|QT_TRANSLATE_NOOP|QT_TR_NOOP|LOCKCORE_PHRASE)\\s*\\("));
    static const QRegularExpression literal(QString::fromLatin1("\"((?:[^\"\\\\\\n]|\\\\.)*)\""));
    static const QRegularExpression words(QString::fromLatin1("[A-Za-z]{2,},? [A-Za-z]{2,}"));
    QList<std::pair<qsizetype, qsizetype>> calls;
    for (auto each = call.globalMatch(code); each.hasNext();) {
        const auto begin = each.next().capturedEnd();
        qsizetype end = begin;
        bool isQuoted = false;
        for (int depth = 1; end < code.size() && depth > 0; ++end) {
            const QChar c = code.at(end);
            if (c == u'"' && code.at(end - 1) != u'\\' && code.at(end - 1) != u'\'')
                isQuoted = !isQuoted;
            else if (!isQuoted)
                depth += c == u'(' ? 1 : c == u')' ? -1 : 0;
        }
        calls.append({ begin, end });
    }
    QStringList found;
    for (auto each = literal.globalMatch(code); each.hasNext();) {
        const auto match = each.next();
        const auto at = match.capturedStart();
        const bool isTranslated = std::any_of(
            calls.begin(), calls.end(), [at](const auto &span) { return at >= span.first && at < span.second; });
        if (!isTranslated && match.captured(1).contains(words))
            found << match.captured(1);
    }
    return found;
}

/// What is no sentence for people, or not in a language at all.
bool isNoWord(const QString &file, const QString &literal)
{
    static const QStringList patterns{
        QString::fromLatin1("^\\w+[\\w ]*\\{"), // style sheets
        QString::fromLatin1("^(QT|XDG|LC)_"),
        QString::fromLatin1("^[A-Z:_*-]+( [A-Za-z:_*-]+)*$"), // commands of Redis, and what stands for values
        QString::fromLatin1("^<"), // HTML
        QString::fromLatin1("^sentinel [a-z-]+ $"), // lines of its configuration
        QString::fromLatin1("^(TAP version|not ok |Bail out! )"), // words of TAP
        QString::fromLatin1("^Noto Sans"), // fonts
        QString::fromLatin1("^lockctl run "), // commands
        QString::fromLatin1("^(hh|yyyy|HH|dd|ddd|d MMM)"), // forms of times
    };
    static const QStringList patternsOfTheLibrary{
        QString::fromLatin1("^[A-Z]{2,} "), // what servers say, commands and SQL
        QString::fromLatin1("\\b(NOT NULL|SELECT|FROM)\\b"), // SQL in several lines
        QString::fromLatin1("^(unknown ca|handshake failure)$"), // what OpenSSL says
        QString::fromLatin1(
            "^this (computer was asleep|program stood still)"), // ui/text says it with the words for times
    };
    // The demo's own shop, the guardian script of private servers, what clients of scenarios tell the program, and
    // where the keyring and the settings keep things; classes of a drawing; a check at compile time; programs to be
    // read.
    static const QStringList files{ QStringLiteral("app/demo/"), QStringLiteral("app/lab/private_server.cpp"),
        QStringLiteral("app/lab/client_program.cpp"), QStringLiteral("app/lab/client_protocol.cpp"),
        QStringLiteral("app/common/secret_store.cpp"), QStringLiteral("app/common/signal_watch.cpp"),
        QStringLiteral("ui/support/theme.cpp"), QStringLiteral("ui/lab/report_drawing.cpp"),
        QStringLiteral("lockcore/recording/codes.h"), QStringLiteral("lockcore/examples/") };
    const bool isExempt
        = std::any_of(files.begin(), files.end(), [&](const QString &each) { return file.startsWith(each); });
    const auto isOneOf = [&literal](const QStringList &some) {
        return std::any_of(
            some.begin(), some.end(), [&](const QString &each) { return literal.contains(QRegularExpression(each)); });
    };
    return isExempt || isOneOf(patterns) || (file.startsWith(u"lockcore/") && isOneOf(patternsOfTheLibrary));
}

} // namespace

/// The translations are of what the sources say, and the sources say nothing to people that cannot be translated.
class TestTranslations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areUpToDate_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("English, plurals alone") << QStringLiteral("en") << QStringList(QStringLiteral("-pluralonly"));
        QTest::newRow("Chinese") << QStringLiteral("zh_CN") << QStringList();
    }
    /// The target `update_translations` brings them up to date.
    void areUpToDate()
    {
        QFETCH(const QString, language);
        QFETCH(const QStringList, options);
        const QTemporaryDir folder;
        const QString fresh = folder.filePath(QStringLiteral("fresh_%1.ts").arg(language));
        QProcess lupdate;
        lupdate.start(QStringLiteral(LUPDATE),
            QStringList{ QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"),
                QStringLiteral("-I"), Sources, Sources + QStringLiteral("/ui"), Sources + QStringLiteral("/app"),
                Sources + QStringLiteral("/lockcore/base"), QStringLiteral("-tr-function-alias"),
                QStringLiteral("QT_TRANSLATE_NOOP+=LOCKCORE_PHRASE") }
                + options + QStringList{ QStringLiteral("-ts"), fresh });
        QVERIFY(lupdate.waitForFinished(120'000));
        QCOMPARE(lupdate.exitCode(), 0);
        const QStringList said = messagesOf(fresh);
        const QStringList kept
            = messagesOf(Sources + QStringLiteral("/resources/translations/lockscope_%1.ts").arg(language));
        QVERIFY(!said.isEmpty());
        QCOMPARE(without(said, kept), QStringList()); // missing there
        QCOMPARE(without(kept, said), QStringList()); // nobody says it any more
    }

    void hasAllPluralsOfEnglish()
    {
        QFile ts(Sources + QStringLiteral("/resources/translations/lockscope_en.ts"));
        QVERIFY(ts.open(QIODevice::ReadOnly));
        const QByteArray text = ts.readAll();
        QVERIFY(!text.contains("unfinished") && !text.contains("<numerusform></numerusform>"));
    }

    /// A form without the place of a value makes Qt complain each time it is shown.
    void eachPluralHasTheValuesOfItsSource_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void eachPluralHasTheValuesOfItsSource()
    {
        QFETCH(const QString, language);
        QFile ts(Sources + QStringLiteral("/resources/translations/lockscope_%1.ts").arg(language));
        QVERIFY(ts.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&ts);
        QString source;
        QStringList others;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (reader.name() == QLatin1String("source"))
                source = reader.readElementText();
            else if (reader.name() == QLatin1String("numerusform"))
                if (const QString form = reader.readElementText(); !form.isEmpty() && places(form) != places(source))
                    others << form;
        }
        QVERIFY(!source.isEmpty());
        QCOMPARE(others, QStringList());
    }

    void findsWhatBypassesTheTranslator()
    {
        QCOMPARE(
            untranslated(QString::fromLatin1("x.setText(tr(\"All is well\")); f(\"a b\", \"c\"); // \"not this\"")),
            QStringList());
        QCOMPARE(untranslated(QString::fromLatin1("x.setText(QStringLiteral(\"All is well\"));")),
            QStringList(QStringLiteral("All is well")));
        QCOMPARE(untranslated(QString::fromLatin1("tr(\"One (two\").arg(1); say(\"No translation\");")),
            QStringList(QStringLiteral("No translation")));
    }

    void nothingForPeopleBypassesTheTranslator()
    {
        QStringList found;
        for (const char *folder : { "/ui", "/app", "/lockcore" }) {
            QDirIterator files(Sources + QString::fromLatin1(folder),
                { QStringLiteral("*.cpp"), QStringLiteral("*.h") }, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                const QString file = path.mid(Sources.size() + 1);
                QFile source(path);
                QVERIFY(source.open(QIODevice::ReadOnly));
                for (const QString &literal : untranslated(QString::fromUtf8(source.readAll()))) {
                    if (!isNoWord(file, literal))
                        found << file + QStringLiteral(": ") + literal;
                }
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
