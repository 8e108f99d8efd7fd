// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString Headers = QStringLiteral(PUBLIC_HEADERS);

QStringList lines(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
}

/// The comment that ends above this line.
QString commentAbove(const QStringList &text, qsizetype line)
{
    if (line > 0 && text[line - 1].startsWith(QLatin1String("template")))
        --line;
    QString comment;
    while (line-- > 0 && text[line].startsWith(QLatin1String("///")))
        comment.prepend(text[line] + u'\n');
    return comment;
}

} // namespace

/// What others build on says what it is, and where it matters what can go wrong, on which thread, and after what.
class PublicHeaders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void typesAreDocumented_data()
    {
        QTest::addColumn<QString>("header");
        for (const QString &header : Headers.split(u'|'))
            QTest::newRow(qPrintable(header.section(QStringLiteral("lockcore/"), -1))) << header;
    }

    void typesAreDocumented()
    {
        QFETCH(QString, header);
        static const QRegularExpression type(QStringLiteral("^(?:class|struct) (LOCKCORE_EXPORT )?(\\w+)[^;]*$"));
        const QStringList text = lines(header);
        QVERIFY(!text.isEmpty());
        for (qsizetype line = 0; line < text.size(); ++line) {
            const auto found = type.match(text[line]);
            if (!found.hasMatch())
                continue;
            const QString name = found.captured(2);
            const QString comment = commentAbove(text, line);
            QVERIFY2(!comment.isEmpty(), qPrintable(name + QStringLiteral(" has no comment")));
            if (found.captured(1).isEmpty())
                continue;
            for (const char *part : { "/// Units:  ", "/// Errors: ", "/// Thread: ", "/// Source: " })
                QVERIFY2(comment.contains(QLatin1String(part)),
                    qPrintable(name + QStringLiteral(" has no line ") + QLatin1String(part)));
        }
    }
};

QTEST_APPLESS_MAIN(PublicHeaders)

#include "tst_public_headers.moc"
