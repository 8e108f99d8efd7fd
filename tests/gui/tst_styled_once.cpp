// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/test_window.h"

#include <QMap>
#include <QSet>
#include <numeric>

using namespace lockui;

namespace {

/// How often a widget was styled once more, because it or what it is in came into another widget.
class StyleCounter : public QObject {
public:
    StyleCounter() { qApp->installEventFilter(this); }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::StyleChange && m_known.contains(watched))
            ++m_styled[QString::fromLatin1(watched->metaObject()->className())];
        else if (event->type() == QEvent::StyleChange)
            m_known.insert(watched);
        return false;
    }

    int all() const { return std::accumulate(m_styled.begin(), m_styled.end(), 0); }
    const QMap<QString, int> &byClass() const { return m_styled; }

private:
    QSet<const QObject *> m_known;
    QMap<QString, int> m_styled;
};

} // namespace

class StyledOnceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Where large parts are made elsewhere than they stay, they are styled again with each move: that was half of the
    /// time until the window was there.
    void partsAreMadeWhereTheyStay()
    {
        const StyleCounter styled;
        const test::TestWindow program;
        const auto widgets = program.window.findChildren<QWidget *>().size();
        QVERIFY(widgets > 500);
        const auto most = 2 * widgets;
        if (styled.all() >= most)
            qWarning() << styled.byClass();
        QVERIFY2(styled.all() < most, qPrintable(QStringLiteral("%1 of %2").arg(styled.all()).arg(widgets)));
    }
};

QTEST_MAIN(StyledOnceTest)
#include "tst_styled_once.moc"
