// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString Sources = QStringLiteral(SOURCES);
const QString Guide = Sources + QStringLiteral("/resources/help/");

QString read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Indentation and line breaks may differ between a program and a page.
QString squeezed(const QString &code) { return code.simplified(); }

QString anchorOf(const QString &heading)
{
    QString anchor = heading.toLower();
    static const QRegularExpression dropped(QStringLiteral("[^\\w\\- ]"));
    return anchor.remove(dropped).replace(u' ', u'-');
}

/// Without its code, which may look like a link or a heading.
QString prose(const QString &chapter)
{
    static const QRegularExpression fence(QStringLiteral("```.*?```"), QRegularExpression::DotMatchesEverythingOption);
    return read(Guide + chapter).remove(fence);
}

QStringList anchorsOf(const QString &chapter)
{
    static const QRegularExpression heading(QStringLiteral("^#+ +(.+)$"),
        QRegularExpression::MultilineOption | QRegularExpression::UseUnicodePropertiesOption);
    QStringList anchors;
    for (auto found = heading.globalMatch(prose(chapter)); found.hasNext();)
        anchors << anchorOf(found.next().captured(1));
    return anchors;
}

} // namespace

class UserGuide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_chapters = QDir(Guide).entryList({ QStringLiteral("*.md") });
        QVERIFY(!m_chapters.isEmpty());
    }

    /// What is not in the examples is not compiled by anybody, and rots.
    void codeIsFromTheExamples()
    {
        QString examples;
        const QDir folder(Sources + QStringLiteral("/lockcore/examples"));
        for (const QFileInfo &file : folder.entryInfoList(QDir::Files))
            examples += squeezed(read(file.filePath())) + u'\n';
        static const QRegularExpression fence(
            QStringLiteral("```(cpp|cmake)\\n(.*?)```"), QRegularExpression::DotMatchesEverythingOption);
        int snippets = 0;
        for (const QString &chapter : m_chapters) {
            for (auto found = fence.globalMatch(read(Guide + chapter)); found.hasNext(); ++snippets) {
                const QString code = found.next().captured(2);
                QVERIFY2(examples.contains(squeezed(code)), qPrintable(chapter + u":\n" + code));
            }
        }
        QVERIFY(snippets > 0);
    }

    void linksHaveATarget()
    {
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]*)(?:#([^)]*))?\\)"));
        for (const QString &chapter : m_chapters) {
            for (auto found = link.globalMatch(prose(chapter)); found.hasNext();) {
                const QRegularExpressionMatch match = found.next();
                if (match.captured(1).startsWith(QLatin1String("https://")))
                    continue;
                const QString target = match.captured(1).isEmpty() ? chapter : match.captured(1);
                QVERIFY2(m_chapters.contains(target), qPrintable(chapter + u": " + match.captured(0)));
                QVERIFY2(match.captured(2).isEmpty() || anchorsOf(target).contains(match.captured(2)),
                    qPrintable(chapter + u": " + match.captured(0)));
            }
        }
    }

    void programShowsEveryChapter()
    {
        const QString resources = read(Sources + QStringLiteral("/resources/lockscope.qrc"));
        for (const QString &chapter : m_chapters)
            QVERIFY2(resources.contains(QStringLiteral("<file>help/%1</file>").arg(chapter)), qPrintable(chapter));
    }

private:
    QStringList m_chapters;
};

QTEST_APPLESS_MAIN(UserGuide)

#include "tst_user_guide.moc"
