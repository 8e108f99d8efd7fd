// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario_reader.h"
#include "ui/text/json.h"

#include <QStringList>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStringListModel;

namespace lockui {

/// One member of an object of a scenario, with its name before it and what is wrong with it below. It writes what a
/// person types as it is: whether that can be so is for the reader of scenarios to say.
class ScenarioField : public QWidget {
    Q_OBJECT
public:
    enum class Shape {
        Word, // of a fixed list
        Text, // one line
        Texts, // paragraphs
        Names, // separated by commas; a list
        Pairs, // `name = text`, a line each; an object
        Duration,
        Window, // from and to
        Number,
        Flag,
        YesNo, // either is something else than nothing
    };

    static constexpr int LabelWidth = 120;

    ScenarioField(Shape shape, const QString &label, QWidget *parent);

    void setWords(const QStringList &words); // of a Word; of a Text or Names, those to choose from
    void setHint(const QString &hint); // where nothing stands; of a Word before its words are set
    void addNone(const QString &text); // of Names and Pairs: a box that stands for the empty list, which is not nothing
    void setValue(const JsonValue *value); // null: it is not there
    void setError(const QString &message); // empty: none

Q_SIGNALS:
    void edited(const std::optional<lockui::JsonValue> &value); // absent: it is to go

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildLine(QLineEdit *&line);
    void buildTexts();
    std::optional<JsonValue> written() const;
    void showText(const JsonValue &shown, const QString &text);
    void setIsWritable(bool isWritable);

    const Shape m_shape;
    QComboBox *m_word = nullptr;
    QCheckBox *m_flag = nullptr;
    QCheckBox *m_none = nullptr;
    QLineEdit *m_line = nullptr;
    QLineEdit *m_to = nullptr; // of a Window
    QPlainTextEdit *m_texts = nullptr;
    QStringListModel *m_words = nullptr;
    QHBoxLayout *m_inner;
    JsonValue m_value; // that was shown last
    QString m_hint;
    QLabel *m_error;
};

/// A member of a step or of a scenario's head, and its field.
struct ScenarioMember {
    std::string name;
    bool isExpected = false; // a member of "expect"
    ScenarioField *field = nullptr;
};

/// Each error of the object stands at its member; those of no member of these stand in `rest`.
void showFieldErrors(const std::vector<ScenarioMember> &members, const lab::JsonPath &object,
    const std::vector<lab::ScenarioError> &errors, QLabel &rest);

QStringList toWords(const std::vector<std::string> &words);
/// The only ones that a member can have; empty: any.
QStringList wordsOfSchema(const std::vector<std::string> &objects, const std::string &member);

QLabel *formSection(const QString &title, QWidget *parent);

} // namespace lockui
