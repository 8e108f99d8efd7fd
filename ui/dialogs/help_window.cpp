// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_window.h"

#include "ui/support/navigation.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>

namespace lockui {

namespace {

constexpr int PageMargin = 26;
constexpr qreal LinePercent = 135;
constexpr int CodeSize = 13;

/// As GitHub names headings, so that the same links work there.
QString anchorOf(const QString &heading)
{
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c == u'-' || c == u'_')
            anchor += c;
        else if (c == u' ')
            anchor += u'-';
    }
    return anchor;
}

int headingSize(int level) { return level == 1 ? 24 : level == 2 ? 18 : 15; }

bool isCode(const QTextBlock &block) { return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence); }

QTextCursor wholeOf(const QTextBlock &block)
{
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    return cursor;
}

QTextCharFormat codeLetters(const Theme &theme)
{
    QTextCharFormat letters;
    letters.setFontFamilies({ theme.monoFont().family() });
    letters.setProperty(QTextFormat::FontPixelSize, CodeSize);
    return letters;
}

} // namespace

GuideBrowser::GuideBrowser(Theme &theme, QWidget *parent)
    : QTextBrowser(parent)
    , m_theme(theme)
{
    setProperty("role", QStringLiteral("guide"));
    setAccessibleName(tr("Chapter"));
    setOpenLinks(false);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(this, &QTextBrowser::anchorClicked, this, &GuideBrowser::follow);
    connect(this, &QTextBrowser::sourceChanged, this, &GuideBrowser::format);
    connect(&theme, &Theme::changed, this, &GuideBrowser::restoreAfterThemeChange);
}

void GuideBrowser::open(const QUrl &chapter)
{
    setSource(chapter, QTextDocument::MarkdownResource);
    if (chapter.hasFragment())
        scrollToAnchor(chapter.fragment()); // headings have their names only now
}

void GuideBrowser::follow(const QUrl &link)
{
    if (link.isRelative() || link.scheme() == QLatin1String("qrc"))
        open(source().resolved(link));
    else
        QDesktopServices::openUrl(link);
}

bool GuideBrowser::findNext(const QString &text, bool backward)
{
    const auto direction = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (text.isEmpty())
        return false;
    if (find(text, direction))
        return true;
    const QTextCursor before = textCursor();
    moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
    if (find(text, direction))
        return true;
    setTextCursor(before);
    return false;
}

void GuideBrowser::restoreAfterThemeChange()
{
    const int position = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(position);
}

void GuideBrowser::format()
{
    document()->setDocumentMargin(PageMargin);
    document()->setUndoRedoEnabled(false);
    formatTables(*document()->rootFrame());
    formatBlocks();
}

void GuideBrowser::formatBlocks()
{
    std::vector<int> code;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (const int level = block.blockFormat().headingLevel())
            formatHeading(block, level);
        else if (isCode(block) && !isCode(block.previous()))
            code.push_back(block.position());
        else if (!isCode(block))
            formatText(block);
    }
    for (auto position = code.rbegin(); position != code.rend(); ++position)
        formatCode(document()->findBlock(*position));
}

void GuideBrowser::formatHeading(const QTextBlock &block, int level)
{
    QTextBlockFormat shape = block.blockFormat();
    shape.setTopMargin(level == 1 ? 0 : 16);
    shape.setBottomMargin(6);
    QTextCharFormat letters;
    letters.setAnchor(true);
    letters.setAnchorNames({ anchorOf(block.text()) });
    letters.setProperty(QTextFormat::FontPixelSize, headingSize(level));
    letters.setFontWeight(QFont::DemiBold);
    QTextCursor cursor = wholeOf(block);
    cursor.setBlockFormat(shape);
    cursor.mergeCharFormat(letters);
}

/// In a box of their own, which blocks alone cannot have.
void GuideBrowser::formatCode(QTextBlock first)
{
    QTextCursor cursor(first);
    for (QTextBlock block = first; isCode(block); block = block.next()) {
        QTextBlockFormat shape = block.blockFormat();
        shape.setTopMargin(0);
        shape.setBottomMargin(0);
        QTextCursor line = wholeOf(block);
        line.setBlockFormat(shape);
        line.mergeCharFormat(codeLetters(m_theme));
        cursor.setPosition(line.position(), QTextCursor::KeepAnchor);
    }
    QTextFrameFormat box;
    box.setBackground(blend(m_theme.colors().surface, m_theme.colors().text, 0.07));
    box.setPadding(10);
    box.setTopMargin(4);
    box.setBottomMargin(12);
    const QTextFrame *frame = cursor.insertFrame(box);
    for (const int beside : { frame->firstPosition() - 1, frame->lastPosition() + 1 }) {
        const QTextBlock empty = document()->findBlock(beside);
        if (empty.length() > 1)
            continue;
        QTextBlockFormat shape;
        shape.setLineHeight(1, QTextBlockFormat::FixedHeight);
        QTextCursor(empty).setBlockFormat(shape);
    }
}

void GuideBrowser::formatText(const QTextBlock &block)
{
    QTextBlockFormat shape = block.blockFormat();
    shape.setLineHeight(LinePercent, QTextBlockFormat::ProportionalHeight);
    if (!QTextCursor(block).currentTable())
        shape.setBottomMargin(block.textList() && block.next().textList() ? 4 : 10);
    wholeOf(block).setBlockFormat(shape);
    for (auto it = block.begin(); !it.atEnd(); ++it) {
        const QTextFragment fragment = it.fragment();
        if (!fragment.charFormat().fontFixedPitch())
            continue;
        QTextCursor code(document());
        code.setPosition(fragment.position());
        code.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        code.mergeCharFormat(codeLetters(m_theme));
    }
}

void GuideBrowser::formatTables(QTextFrame &frame)
{
    for (QTextFrame *child : frame.childFrames()) {
        if (auto *table = qobject_cast<QTextTable *>(child)) {
            QTextTableFormat shape = table->format();
            shape.setBorder(1);
            shape.setBorderCollapse(true);
            shape.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            shape.setBorderBrush(m_theme.colors().border);
            shape.setCellPadding(6);
            shape.setTopMargin(6);
            shape.setBottomMargin(10);
            table->setFormat(shape);
        }
        formatTables(*child);
    }
}

namespace {

const QString Folder = QStringLiteral(":/lockscope/help/");

QUrl urlOf(const QString &target) { return QUrl(QStringLiteral("qrc") + Folder + target); }

/// The first heading of the chapter.
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
        QStringLiteral("timeline.md"), QStringLiteral("wait-graph.md"), QStringLiteral("dashboard.md"),
        QStringLiteral("events.md"), QStringLiteral("acting-on-locks.md"), QStringLiteral("audit.md"),
        QStringLiteral("contention-lab.md"), QStringLiteral("lockctl.md"), QStringLiteral("api.md") };
}

std::vector<HelpWindow::Section> HelpWindow::sections()
{
    std::vector<Section> sections;
    for (const QString &chapter : chapters()) {
        QFile file(Folder + chapter);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString title = titleOf(chapter);
        sections.push_back({ title, chapter });
        bool inCode = false; // where a comment of a shell looks like a heading
        for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n')) {
            inCode = line.startsWith(QLatin1String("```")) ? !inCode : inCode;
            if (inCode || !line.startsWith(QLatin1String("## ")))
                continue;
            const QString heading = line.mid(3).remove(u'`').trimmed();
            sections.push_back({ title + QStringLiteral(": ") + heading, chapter + u'#' + anchorOf(heading) });
        }
    }
    return sections;
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

void HelpWindow::showChapter(const QString &target)
{
    const QUrl url = urlOf(target);
    if (url.hasFragment() || m_browser->source().adjusted(QUrl::RemoveFragment) != url)
        m_browser->open(url);
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
