// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/guide_browser.h"

#include "ui/support/theme.h"

#include <QDesktopServices>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>
#include <vector>

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
    connect(this, &QTextBrowser::sourceChanged, this, &GuideBrowser::dress);
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

void GuideBrowser::dress()
{
    document()->setDocumentMargin(PageMargin);
    document()->setUndoRedoEnabled(false);
    dressTables(*document()->rootFrame());
    dressBlocks();
}

void GuideBrowser::dressBlocks()
{
    std::vector<int> code;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (const int level = block.blockFormat().headingLevel())
            dressHeading(block, level);
        else if (isCode(block) && !isCode(block.previous()))
            code.push_back(block.position());
        else if (!isCode(block))
            dressText(block);
    }
    for (auto position = code.rbegin(); position != code.rend(); ++position)
        dressCode(document()->findBlock(*position));
}

void GuideBrowser::dressHeading(const QTextBlock &block, int level)
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
void GuideBrowser::dressCode(QTextBlock first)
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

void GuideBrowser::dressText(const QTextBlock &block)
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

void GuideBrowser::dressTables(QTextFrame &frame)
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
        dressTables(*child);
    }
}

} // namespace lockui
