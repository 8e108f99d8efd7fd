// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <QStringList>
#include <functional>
#include <utility>
#include <vector>

class QCompleter;
class QStringListModel;

namespace lockui {

class Theme;

/// JSON to be written by hand: numbers of lines, colours, pairs of brackets, words to choose from, and marks where
/// something is wrong.
class JsonTextEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    struct Mark {
        int at = 0; // characters from the beginning
        int size = 1;
        QString message;
    };

    /// Words that may stand where the text so far ends, and how many characters of one stand there already.
    struct Words {
        int typed = 0;
        QStringList words;
    };

    explicit JsonTextEdit(const Theme &theme, QWidget *parent = nullptr);

    void setWordSource(std::function<Words(const QString &before)> source) { m_words = std::move(source); }
    void setMarks(std::vector<Mark> marks);
    void goTo(int position);

    /// Character by character as it was set; QPlainTextEdit makes some of them others.
    QString exactText() const;
    /// As a person does it: it can be undone. `joined`: together with what was done before.
    void replace(int at, int size, const QString &by, bool joined = false);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    class LineNumbers;

    bool handleKey(QKeyEvent &event);
    bool handlePair(const QString &typed);
    void breakLine();
    void indent(int by); // the lines of the selection
    QChar letterAt(int position) const { return document()->characterAt(position); }
    QString lineBefore() const;
    bool isInString() const;
    void complete(bool isAskedFor);
    void insertWord(const QString &word);
    void showMarks();
    std::pair<int, int> underlined(const Mark &mark) const; // from there to there
    int matchingBracket(int position) const; // -1: none
    void placeLineNumbers();

    const Theme &m_theme;
    LineNumbers *m_numbers;
    QCompleter *m_completer;
    QStringListModel *m_model;
    std::function<Words(const QString &)> m_words;
    std::vector<Mark> m_marks;
    int m_typed = 0; // of the word that is completed
    bool m_tabLeaves = false; // Escape was pressed: the next Tab goes to the next field
};

} // namespace lockui
