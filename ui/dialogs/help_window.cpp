// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_window.h"

#include "ui/dialogs/guide_browser.h"
#include "ui/support/navigation.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"

#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QShortcut>
#include <QUrl>
#include <QVBoxLayout>

namespace lockui {

namespace {

const QString Folder = QStringLiteral(":/lockscope/help/");

QUrl urlOf(const QString &chapter) { return QUrl(QStringLiteral("qrc") + Folder + chapter); }

/// Its first heading.
QString titleOf(const QString &chapter)
{
    QFile file(Folder + chapter);
    if (!file.open(QIODevice::ReadOnly))
        return chapter;
    return QString::fromUtf8(file.readLine()).remove(u'#').trimmed();
}

} // namespace

QStringList HelpWindow::chapters()
{
    return { QStringLiteral("index.md"), QStringLiteral("getting-started.md"), QStringLiteral("reading-the-window.md"),
        QStringLiteral("acting-on-locks.md"), QStringLiteral("lockctl.md"), QStringLiteral("api.md") };
}

HelpWindow::HelpWindow(Theme &theme, QWidget *parent)
    : QDialog(parent)
    , m_chapters(new Navigation(theme, this))
    , m_browser(new GuideBrowser(theme, this))
    , m_find(new QLineEdit(this))
{
    setWindowFlags(Qt::Window);
    setWindowTitle(tr("User guide"));
    setMinimumSize(620, 400);
    const QRect room = (parent ? parent->screen() : screen())->availableGeometry();
    resize(QSize(1080, 780).boundedTo(room.size() * 0.9)); // its frame has to be on the screen, too
    move(room.center() - rect().center());
    build();
    connectKeys();
    connect(m_browser, &QTextBrowser::sourceChanged, this, &HelpWindow::markCurrent);
    connect(m_chapters, &QListWidget::currentRowChanged, this, [this](int row) { showChapter(chapters().value(row)); });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { search(false); });
    showChapter(chapters().front());
}

void HelpWindow::build()
{
    m_chapters->setAccessibleName(tr("Chapters"));
    m_chapters->setFixedWidth(200);
    for (const QString &chapter : chapters())
        m_chapters->addEntry(titleOf(chapter));
    m_find->setPlaceholderText(tr("Find in this chapter: Enter for the next, Shift+Enter for the one before"));
    m_find->setAccessibleName(tr("Find in this chapter"));
    m_find->hide();

    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_browser, 1);
    right->addWidget(m_find);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_chapters);
    layout->addLayout(right, 1);
    m_browser->setFocus();
}

void HelpWindow::connectKeys()
{
    const auto onKey = [this](const QKeySequence &key, auto action) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, action);
    };
    onKey(Qt::ALT | Qt::Key_Left, [this] { m_browser->backward(); });
    onKey(Qt::ALT | Qt::Key_Right, [this] { m_browser->forward(); });
    onKey(Qt::CTRL | Qt::Key_F, [this] { showFindField(); });
    onKey(Qt::SHIFT | Qt::Key_Return, [this] { search(true); });
    onKey(Qt::CTRL | Qt::Key_W, [this] { close(); });
}

void HelpWindow::showChapter(const QString &name)
{
    if (m_browser->source().adjusted(QUrl::RemoveFragment) != urlOf(name))
        m_browser->open(urlOf(name));
}

void HelpWindow::markCurrent(const QUrl &source)
{
    const QSignalBlocker ours(m_chapters);
    m_chapters->setCurrentRow(static_cast<int>(chapters().indexOf(source.fileName())));
}

void HelpWindow::showFindField()
{
    m_find->show();
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

void HelpWindow::search(bool backward)
{
    const bool found = m_find->text().isEmpty() || m_browser->findNext(m_find->text(), backward);
    setStyleProperty(*m_find, "invalid", found ? QStringLiteral("false") : QStringLiteral("true"));
}

/// Escape first leaves the search.
void HelpWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_find->isVisible()) {
        m_find->hide();
        m_browser->setFocus();
    } else if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QDialog::keyPressEvent(event);
    }
}

} // namespace lockui
