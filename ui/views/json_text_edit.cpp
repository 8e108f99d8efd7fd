// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/json_text_edit.h"

#include "ui/support/theme.h"
#include "ui/text/display_text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringListModel>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>

namespace lockui {

namespace {

constexpr int IndentSize = 2;

bool isOpening(QChar letter) { return letter == u'{' || letter == u'['; }
bool isClosing(QChar letter) { return letter == u'}' || letter == u']'; }
QChar closingOf(QChar opening) { return opening == u'{' ? u'}' : opening == u'[' ? u']' : opening; }

/// Behind the end of a string that begins there, or of its line.
int endOfString(const QString &text, int begin)
{
    int at = begin + 1;
    while (at < text.size() && text.at(at) != u'"' && text.at(at) != u'\n')
        at += text.at(at) == u'\\' ? 2 : 1;
    return std::min<int>(at + 1, int(text.size()));
}

class JsonColours : public QSyntaxHighlighter {
public:
    JsonColours(const Theme &theme, QTextDocument *document)
        : QSyntaxHighlighter(document)
        , m_theme(theme)
    {
        connect(&theme, &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
    }

protected:
    void highlightBlock(const QString &text) override
    {
        for (int at = 0; at < text.size();) {
            const QChar letter = text.at(at);
            int end = at + 1;
            if (letter == u'"') {
                end = endOfString(text, at);
                int behind = end;
                while (behind < text.size() && text.at(behind).isSpace())
                    ++behind;
                const bool isKey = behind < text.size() && text.at(behind) == u':';
                setFormat(at, end - at, m_theme.ink(isKey ? Tone::Accent : Tone::Good));
            } else if (letter.isLetterOrNumber() || letter == u'-') {
                while (end < text.size() && (text.at(end).isLetterOrNumber() || text.at(end) == u'.'))
                    ++end;
                setFormat(at, end - at, m_theme.ink(Tone::Waiting));
            } else if (!letter.isSpace()) {
                setFormat(at, 1, m_theme.color(Tone::Muted));
            }
            at = end;
        }
    }

private:
    const Theme &m_theme;
};

} // namespace

/// At the left of the text; red where something is wrong.
class JsonTextEdit::LineNumbers : public QWidget {
public:
    explicit LineNumbers(JsonTextEdit &edit)
        : QWidget(&edit)
        , m_edit(edit)
    {
    }

    int neededWidth() const
    {
        const int digits = std::max<int>(3, int(QString::number(m_edit.blockCount()).size()));
        return m_edit.fontMetrics().horizontalAdvance(QString(digits, u'0')) + 18;
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QPainter painter(this);
        painter.fillRect(event->rect(), m_edit.m_theme.colors().window);
        painter.setFont(m_edit.font());
        const QPointF offset = m_edit.contentOffset();
        for (QTextBlock block = m_edit.firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF place = m_edit.blockBoundingGeometry(block).translated(offset);
            if (place.top() > height())
                break;
            const bool isWrong = std::ranges::any_of(m_edit.m_marks, [&](const Mark &mark) {
                return mark.at >= block.position() && mark.at < block.position() + block.length();
            });
            painter.setPen(m_edit.m_theme.ink(isWrong ? Tone::Danger : Tone::Muted));
            painter.drawText(QRectF(0, place.top(), width() - 10, m_edit.fontMetrics().height()), Qt::AlignRight,
                QString::number(block.blockNumber() + 1));
        }
    }

private:
    JsonTextEdit &m_edit;
};

JsonTextEdit::JsonTextEdit(const Theme &theme, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_theme(theme)
    , m_numbers(new LineNumbers(*this))
    , m_completer(new QCompleter(this))
    , m_model(new QStringListModel(this))
{
    setProperty("role", QStringLiteral("code"));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    new JsonColours(theme, document());
    m_completer->setModel(m_model);
    m_completer->popup()->setProperty("role", QStringLiteral("words"));
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &JsonTextEdit::insertWord);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &JsonTextEdit::placeLineNumbers);
    connect(this, &QPlainTextEdit::updateRequest, m_numbers, [this](const QRect &, int) { m_numbers->update(); });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &JsonTextEdit::showMarks);
    connect(&theme, &Theme::changed, this, &JsonTextEdit::showMarks);
    placeLineNumbers();
}

QString JsonTextEdit::exactText() const { return document()->toRawText().replace(QChar::ParagraphSeparator, u'\n'); }

void JsonTextEdit::replace(int at, int size, const QString &by, bool joined)
{
    QTextCursor cursor(document());
    joined ? cursor.joinPreviousEditBlock() : cursor.beginEditBlock();
    cursor.setPosition(at);
    cursor.setPosition(at + size, QTextCursor::KeepAnchor);
    cursor.insertText(by);
    cursor.endEditBlock();
}

void JsonTextEdit::setMarks(std::vector<Mark> marks)
{
    m_marks = std::move(marks);
    showMarks();
    m_numbers->update();
}

void JsonTextEdit::goTo(int position)
{
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::clamp(position, 0, document()->characterCount() - 1));
    setTextCursor(cursor);
    centerCursor();
    setFocus(Qt::OtherFocusReason);
}

void JsonTextEdit::showMarks()
{
    QList<QTextEdit::ExtraSelection> selections;
    const int last = document()->characterCount() - 1;
    const auto select = [&](int from, int to) -> QTextCharFormat & {
        QTextEdit::ExtraSelection &selection = selections.emplace_back();
        selection.cursor = QTextCursor(document());
        selection.cursor.setPosition(std::clamp(from, 0, last));
        selection.cursor.setPosition(std::clamp(to, 0, last), QTextCursor::KeepAnchor);
        return selection.format;
    };
    for (const Mark &mark : m_marks) {
        const auto [from, to] = underlined(mark);
        QTextCharFormat &format = select(from, to);
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(m_theme.color(Tone::Danger));
    }
    const int cursor = textCursor().position();
    for (const int at : { cursor, cursor - 1 }) {
        const int other = at >= 0 ? matchingBracket(at) : -1;
        if (other < 0)
            continue;
        for (const int each : { at, other })
            select(each, each + 1).setBackground(m_theme.colors().selection);
        break;
    }
    setExtraSelections(selections);
}

/// At the end of a line there is nothing to underline: the word before it is.
std::pair<int, int> JsonTextEdit::underlined(const Mark &mark) const
{
    const auto isEnd = [this](int at) { return at >= document()->characterCount() - 1 || letterAt(at).isSpace(); };
    if (!isEnd(mark.at))
        return { mark.at, mark.at + std::max(1, mark.size) };
    int to = mark.at;
    while (to > 0 && isEnd(to - 1))
        --to;
    int from = to;
    while (from > 0 && !isEnd(from - 1))
        --from;
    return { from, to };
}

int JsonTextEdit::matchingBracket(int position) const
{
    const QChar letter = letterAt(position);
    if (!isOpening(letter) && !isClosing(letter))
        return -1;
    const QString text = exactText();
    std::vector<int> open;
    for (int at = 0; at < text.size(); ++at) {
        if (text.at(at) == u'"') {
            const int end = endOfString(text, at);
            if (position > at && position < end)
                return -1;
            at = end - 1;
        } else if (isOpening(text.at(at))) {
            open.push_back(at);
        } else if (isClosing(text.at(at)) && !open.empty()) {
            const int begin = open.back();
            open.pop_back();
            if (closingOf(text.at(begin)) == text.at(at) && (begin == position || at == position))
                return begin == position ? at : begin;
        }
    }
    return -1;
}

/// Ctrl+Space is a shortcut of the window, too; here it asks for words.
bool JsonTextEdit::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto &key = static_cast<const QKeyEvent &>(*event);
        if (key.key() == Qt::Key_Space && key.modifiers() == Qt::ControlModifier) {
            event->accept();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

void JsonTextEdit::keyPressEvent(QKeyEvent *event)
{
    if (isReadOnly())
        return QPlainTextEdit::keyPressEvent(event);
    const bool isInPopup = m_completer->popup()->isVisible();
    if (isInPopup) {
        switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
        case Qt::Key_Tab:
            return event->ignore(); // the list of words takes it
        default:
            break;
        }
    }
    const bool tabLeaves = std::exchange(m_tabLeaves, event->key() == Qt::Key_Escape);
    if (tabLeaves && (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)) {
        setTabChangesFocus(true);
        focusNextPrevChild(event->key() == Qt::Key_Tab);
        setTabChangesFocus(false);
        return;
    }
    if (!handleKey(*event))
        QPlainTextEdit::keyPressEvent(event);
    const bool writes = !event->text().isEmpty() && event->text().at(0).isPrint();
    if (writes || (isInPopup && event->key() == Qt::Key_Backspace))
        complete(false);
    else if (isInPopup && !event->text().isEmpty())
        m_completer->popup()->hide();
}

bool JsonTextEdit::handleKey(QKeyEvent &event)
{
    const bool isPlain = !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (event.key() == Qt::Key_Space && event.modifiers() == Qt::ControlModifier) {
        complete(true);
        return true;
    }
    if (!isPlain)
        return false;
    switch (event.key()) {
    case Qt::Key_Tab:
        if (textCursor().hasSelection())
            indent(IndentSize);
        else
            textCursor().insertText(QString(IndentSize - textCursor().positionInBlock() % IndentSize, u' '));
        return true;
    case Qt::Key_Backtab:
        indent(-IndentSize);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        breakLine();
        return true;
    case Qt::Key_Backspace: {
        QTextCursor cursor = textCursor();
        const QChar before = letterAt(cursor.position() - 1);
        const bool isPair = cursor.position() > 0 && (isOpening(before) || before == u'"')
            && letterAt(cursor.position()) == closingOf(before);
        if (cursor.hasSelection() || !isPair)
            return false;
        cursor.movePosition(QTextCursor::Left);
        cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, 2);
        cursor.removeSelectedText();
        return true;
    }
    default:
        return event.text().size() == 1 && handlePair(event.text());
    }
}

bool JsonTextEdit::handlePair(const QString &typed)
{
    const QChar letter = typed.at(0);
    QTextCursor cursor = textCursor();
    const QChar next = letterAt(cursor.position());
    const bool inString = isInString();
    if (cursor.hasSelection())
        return false;
    if ((letter == u'"' ? inString && !lineBefore().endsWith(u'\\') : isClosing(letter) && !inString)
        && next == letter) {
        cursor.movePosition(QTextCursor::Right); // over what was put there for the person
        setTextCursor(cursor);
        return true;
    }
    if (isClosing(letter) && !inString && !lineBefore().isEmpty() && lineBefore().trimmed().isEmpty()) {
        for (int i = 0; i < IndentSize && cursor.positionInBlock() > 0; ++i)
            cursor.deletePreviousChar();
        cursor.insertText(typed);
        return true;
    }
    const bool isFree = next.isSpace() || next == QChar::ParagraphSeparator || next == u',' || isClosing(next);
    if (inString || !isFree || (letter != u'"' && !isOpening(letter)))
        return false;
    cursor.insertText(QString(letter) + closingOf(letter));
    cursor.movePosition(QTextCursor::Left);
    setTextCursor(cursor);
    return true;
}

void JsonTextEdit::breakLine()
{
    QTextCursor cursor = textCursor();
    const QString before = lineBefore();
    QString space;
    for (const QChar letter : before) {
        if (letter != u' ' && letter != u'\t')
            break;
        space += letter;
    }
    const QString trimmed = before.trimmed();
    const bool opens = !trimmed.isEmpty() && isOpening(trimmed.back());
    const bool closes = opens && letterAt(cursor.position()) == closingOf(trimmed.back());
    cursor.beginEditBlock();
    cursor.insertText(u'\n' + space + (opens ? QString(IndentSize, u' ') : QString()));
    const int here = cursor.position();
    if (closes)
        cursor.insertText(u'\n' + space);
    cursor.endEditBlock();
    cursor.setPosition(here);
    setTextCursor(cursor);
}

void JsonTextEdit::indent(int by)
{
    QTextCursor cursor = textCursor();
    QTextBlock block = document()->findBlock(cursor.selectionStart());
    const int last = document()->findBlock(std::max(cursor.selectionStart(), cursor.selectionEnd() - 1)).blockNumber();
    cursor.beginEditBlock();
    for (; block.isValid() && block.blockNumber() <= last; block = block.next()) {
        QTextCursor line(block);
        if (by > 0) {
            line.insertText(QString(by, u' '));
            continue;
        }
        for (int i = by; i < 0 && block.text().startsWith(u' '); ++i)
            line.deleteChar();
    }
    cursor.endEditBlock();
}

QString JsonTextEdit::lineBefore() const { return textCursor().block().text().left(textCursor().positionInBlock()); }

bool JsonTextEdit::isInString() const
{
    const QString before = lineBefore();
    bool inside = false;
    for (int at = 0; at < before.size(); ++at) {
        if (before.at(at) == u'"')
            inside = !inside;
        else if (before.at(at) == u'\\' && inside)
            ++at;
    }
    return inside;
}

void JsonTextEdit::complete(bool isAskedFor)
{
    const int position = textCursor().position();
    const Words offered = m_words ? m_words(exactText().left(position)) : Words{};
    m_typed = offered.typed;
    const QString typed = exactText().mid(position - m_typed, m_typed);
    m_model->setStringList(offered.words);
    m_completer->setCompletionPrefix(typed);
    const bool isWhole = m_completer->completionCount() == 1 && m_completer->currentCompletion() == typed;
    if (m_completer->completionCount() == 0 || isWhole || (!isAskedFor && typed.isEmpty()))
        return m_completer->popup()->hide();
    QRect place = cursorRect();
    place.translate(viewport()->x(), viewport()->y());
    place.setWidth(m_completer->popup()->sizeHintForColumn(0)
        + m_completer->popup()->verticalScrollBar()->sizeHint().width() + 16);
    m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
    m_completer->complete(place);
}

void JsonTextEdit::insertWord(const QString &word)
{
    const int position = textCursor().position();
    replace(position - m_typed, m_typed, word);
    QTextCursor cursor = textCursor();
    if (letterAt(cursor.position()) == u'"')
        cursor.movePosition(QTextCursor::Right); // the word is whole
    setTextCursor(cursor);
}

void JsonTextEdit::placeLineNumbers()
{
    const int width = m_numbers->neededWidth();
    setViewportMargins(width, 0, 0, 0);
    const QRect inner = viewport()->geometry();
    m_numbers->setGeometry(inner.left() - width, inner.top(), width, inner.height());
}

void JsonTextEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    placeLineNumbers();
}

bool JsonTextEdit::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QPlainTextEdit::viewportEvent(event);
    const auto &help = static_cast<const QHelpEvent &>(*event);
    const int at = cursorForPosition(help.pos()).position();
    const auto mark = std::ranges::find_if(m_marks, [this, at](const Mark &each) {
        const auto [from, to] = underlined(each);
        return at >= from && at <= to;
    });
    if (mark == m_marks.end())
        QToolTip::hideText();
    else
        QToolTip::showText(help.globalPos(), plainToolTip(mark->message), viewport());
    return true;
}

} // namespace lockui
