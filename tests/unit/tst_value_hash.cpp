// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/kryo5_string.h"
#include "lockcore/synchronizers/value_hash.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;

/// All expected values were made by Redisson 4.7.0.
class TestValueHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hashesBytesAsRedissonDoes()
    {
        QCOMPARE(valueHash({}), std::string("t6rZwibGo2uy1OSmNVe8pg"));
        QCOMPARE(valueHash("a"), std::string("qwvAS12pR0CgRitaypEjUw"));
        const std::string_view longer = "-abcdefghijklmnopqrstuvwxyz0123456789abcdef";
        QCOMPARE(valueHash(longer.substr(1)), std::string("tw0gFCJc6aOQOQ9MFGq81g")); // wherever it stands
    }

    void encodesAStringAsRedissonDoes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("bytes"); // hexadecimal; none: too long to be listed
        QTest::addColumn<QByteArray>("hash");
        const auto row = [](const char *name, const QString &text, const char *bytes, const char *hash) {
            QTest::newRow(name) << text << QByteArray(bytes) << QByteArray(hash);
        };
        using namespace Qt::StringLiterals;
        row("empty", {}, "0381", "8kZ0F42HzoQfW3jDxQ6f4g");
        row("one character", u"a"_s, "038261", "Jon6GCcO+0QSJkhre5wXYA");
        row("short", u"sku"_s, "03736bf5", "+5s9OlqwjdgDeRHyIGEMTQ");
        row("colon", u"order:17"_s, "036f726465723a31b7", "9TAPUjQiigWrJ5tOF3JOzQ");
        row("last of ASCII", u"a\u007f"_s, "0361ff", "F7F7NbUcakX0ZW6BqD092w");
        row("NUL", QString(1, QChar(0)), "038200", "4OBy7ks1+ZiIJwz8serovg");
        row("two bytes a letter", u"\u00fcn\u00ef"_s, "0384c3bc6ec3af", "hp4m9bKJXl+WlbrTfN1Jyg");
        row("three bytes a letter", u"\u65e5\u672c"_s, "0383e697a5e69cac", "MSKB0r84NVMFTppCsLplMA");
        row("a pair of surrogates", u"\U0001f600"_s, "0383eda0bdedb880", "x8RNEAwQ8KZSMhraJs6dXA");
        row("32 characters", u"12345678901234567890123456789012"_s,
            "0331323334353637383930313233343536373839303132333435363738393031b2", "yhEqdsToh//tSqbykKEdEQ");
        row("33 characters", u"123456789012345678901234567890123"_s,
            "03a2313233343536373839303132333435363738393031323334353637383930313233", "60dvE/IUxy81PDE6S/UsZg");
        row("a length of one byte", QString(62, u'x'), nullptr, nullptr);
        row("a length of two bytes", QString(63, u'x'), nullptr, "ma/RvrPrjU5Zb4KYSOVxCg");
        row("one more", QString(64, u'x'), nullptr, "Bekkp6AkMLV+JUofb7pueQ");
        row("of two bytes at most", QString(8191, u'x'), nullptr, "NmpezaN+LNmtrtk6JFdEXA");
        row("of three bytes", QString(8192, u'x'), nullptr, "7HVzTJYo2Ad4m1pbihFrQg");
        row("long, not ASCII", QString(70, QChar(0xe9)), nullptr, "o5TnV5yXo0rTnAuaH1t1hw");
    }
    void encodesAStringAsRedissonDoes()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, hash);
        const auto encoded = kryo5String(text.toStdString());
        QVERIFY(encoded.has_value());
        if (!bytes.isEmpty())
            QCOMPARE(QByteArray::fromStdString(*encoded).toHex(), bytes);
        if (!hash.isEmpty())
            QCOMPARE(QByteArray::fromStdString(valueHash(*encoded)), hash);
    }

    void refusesWhatIsNoUtf8_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a byte in the middle") << QByteArray("a\x80");
        QTest::newRow("cut off") << QByteArray("\xe6\x97");
        QTest::newRow("too long for what it is") << QByteArray("\xc0\xaf");
        QTest::newRow("a surrogate") << QByteArray("\xed\xa0\xbd");
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80");
        QTest::newRow("no lead") << QByteArray("\xff");
    }
    void refusesWhatIsNoUtf8()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(kryo5String(text.toStdString()).error().code, ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(TestValueHash)
#include "tst_value_hash.moc"
