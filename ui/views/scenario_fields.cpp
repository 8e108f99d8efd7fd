// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_fields.h"

#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_draft.h"
#include "ui/lab/scenario_words.h"
#include "ui/support/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStringListModel>
#include <algorithm>

namespace lockui {

namespace {

constexpr int ShortWidth = 96;

/// What a line shows of a value: a text without its quotation marks, anything else as JSON.
QString fieldText(const JsonValue &value)
{
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : lab::lineOf(value));
}

QString joinedValues(const JsonValue &value, const QString &separator)
{
    if (!value.is_array())
        return fieldText(value);
    QStringList texts;
    for (const JsonValue &each : value)
        texts << fieldText(each);
    return texts.join(separator);
}

JsonValue textList(const QStringList &texts)
{
    JsonValue list = JsonValue::array();
    for (const QString &each : texts) {
        if (!each.trimmed().isEmpty())
            list.push_back(each.trimmed().toStdString());
    }
    return list;
}

/// The words of a YesNo.
QString yesNoText(bool isYes) { return isYes ? ScenarioField::tr("yes") : ScenarioField::tr("no"); }

QString pairLines(const JsonValue &value)
{
    QStringList lines;
    for (const auto &[name, each] : value.items())
        lines << QString::fromStdString(name) + QStringLiteral(" = ") + fieldText(each);
    return lines.join(u'\n');
}

JsonValue pairsIn(const QString &text)
{
    JsonValue pairs = JsonValue::object();
    for (const QString &line : text.split(u'\n', Qt::SkipEmptyParts)) {
        const auto sign = line.indexOf(u'=');
        const QString name = line.left(sign).trimmed();
        if (!name.isEmpty())
            pairs[name.toStdString()] = sign < 0 ? std::string() : line.mid(sign + 1).trimmed().toStdString();
    }
    return pairs;
}

/// Only what is new, so that the cursor of who types stays.
void setLine(QLineEdit &line, const QString &text)
{
    if (line.text() == text)
        return;
    line.setText(text);
    if (!line.hasFocus())
        line.setCursorPosition(0); // it is read from its beginning
}

} // namespace

ScenarioField::ScenarioField(Shape shape, const QString &label, QWidget *parent)
    : QWidget(parent)
    , m_shape(shape)
    , m_inner(new QHBoxLayout)
    , m_error(plainLabel(QStringLiteral("fieldError"), this))
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(10);
    layout->setVerticalSpacing(2);
    layout->setColumnMinimumWidth(0, LabelWidth);
    layout->setColumnStretch(1, 1);
    m_error->setWordWrap(true);
    m_error->hide();
    layout->addWidget(m_error, 1, 1);
    auto *name = plainLabel(QStringLiteral("muted"), this);
    auto *inner = m_inner;
    inner->setSpacing(6);
    layout->addLayout(inner, 0, 1);
    layout->addWidget(name, 0, 0, shape == Shape::Texts || shape == Shape::Pairs ? Qt::AlignTop : Qt::AlignVCenter);
    switch (shape) {
    case Shape::Word:
    case Shape::YesNo:
        m_word = new QComboBox(this);
        m_word->setMinimumWidth(200);
        m_word->setMaxVisibleItems(20);
        m_word->installEventFilter(this);
        inner->addWidget(m_word);
        inner->addStretch(1);
        connect(m_word, &QComboBox::activated, this, [this] { Q_EMIT edited(written()); });
        break;
    case Shape::Flag:
        m_flag = new QCheckBox(label, this);
        inner->addWidget(m_flag);
        inner->addStretch(1);
        connect(m_flag, &QCheckBox::clicked, this, [this] { Q_EMIT edited(written()); });
        break;
    case Shape::Texts:
    case Shape::Pairs:
        buildTexts();
        break;
    default:
        buildLine(m_line);
        inner->addWidget(m_line);
        if (shape == Shape::Window) {
            auto *to = plainLabel(QStringLiteral("muted"), this);
            to->setText(tr("to"));
            buildLine(m_to);
            m_to->setAccessibleName(tr("%1, to").arg(label));
            inner->addWidget(to);
            inner->addWidget(m_to);
        }
        if (m_line->maximumWidth() == ShortWidth)
            inner->addStretch(1);
    }
    QWidget *first = m_word ? static_cast<QWidget *>(m_word)
        : m_flag            ? static_cast<QWidget *>(m_flag)
        : m_texts           ? static_cast<QWidget *>(m_texts)
                            : m_line;
    if (shape != Shape::Flag)
        name->setText(label);
    name->setBuddy(first);
    first->setAccessibleName(label);
    setFocusProxy(first);
}

void ScenarioField::buildTexts()
{
    constexpr int ParagraphsHeight = 108;
    constexpr int PairsHeight = 58; // two lines
    m_texts = new QPlainTextEdit(this);
    m_texts->setTabChangesFocus(true);
    m_texts->setFixedHeight(m_shape == Shape::Texts ? ParagraphsHeight : PairsHeight);
    m_texts->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // the style sheet has a least height of its own
    m_inner->addWidget(m_texts);
    connect(m_texts, &QPlainTextEdit::textChanged, this, [this] {
        if (written().value_or(JsonValue()) != m_value) // a new font is a change of its document, too
            Q_EMIT edited(written());
    });
}

void ScenarioField::buildLine(QLineEdit *&line)
{
    line = new QLineEdit(this);
    if (m_shape == Shape::Duration || m_shape == Shape::Window || m_shape == Shape::Number)
        line->setFixedWidth(ShortWidth);
    connect(line, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(written()); });
}

/// Who scrolls the form past a list of words chooses none of them.
bool ScenarioField::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Wheel) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ScenarioField::setWords(const QStringList &words)
{
    if (m_word) {
        if (m_word->count() == words.size() + 1)
            return;
        m_word->addItem(m_hint.isEmpty() ? QStringLiteral("–") : QStringLiteral("– (%1)").arg(m_hint));
        m_word->addItems(words);
        return;
    }
    if (!m_words) {
        m_words = new QStringListModel(this);
        auto *completer = new QCompleter(m_words, this);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        connect(completer, qOverload<const QString &>(&QCompleter::activated), this, [this] {
            QMetaObject::invokeMethod(
                this, [this] { Q_EMIT edited(written()); }, Qt::QueuedConnection);
        });
        m_line->setCompleter(completer);
    }
    if (m_words->stringList() != words)
        m_words->setStringList(words);
}

void ScenarioField::addNone(const QString &text)
{
    m_none = new QCheckBox(text, this);
    m_none->setAccessibleName(tr("%1: %2").arg(focusProxy()->accessibleName(), text));
    m_inner->addWidget(m_none);
    connect(m_none, &QCheckBox::clicked, this, [this](bool isNone) {
        if (m_texts && isNone) {
            const QSignalBlocker blocker(m_texts);
            m_texts->clear();
        } else if (isNone) {
            m_line->clear();
        }
        Q_EMIT edited(written());
    });
}

void ScenarioField::setHint(const QString &hint)
{
    m_hint = hint;
    if (m_shape == Shape::YesNo)
        setWords({ yesNoText(true), yesNoText(false) });
    if (m_texts)
        m_texts->setPlaceholderText(hint);
    if (m_line)
        m_line->setPlaceholderText(hint);
    if (m_to)
        m_to->setPlaceholderText(hint);
}

void ScenarioField::setValue(const JsonValue *value)
{
    const JsonValue shown = value ? *value : JsonValue();
    m_value = shown;
    // What the field says means this already, as "a, " does ["a"]: it is left as it is being typed.
    if (written().value_or(JsonValue()) != shown)
        showText(shown, value ? fieldText(shown) : QString());
    const bool isOfMany = m_shape == Shape::Names || m_shape == Shape::Pairs;
    setIsWritable(!isOfMany || !shown.is_structured() || shown.empty() || written() == shown);
}

void ScenarioField::showText(const JsonValue &shown, const QString &text)
{
    const bool isNone = shown.is_structured() && shown.empty();
    if (m_none)
        m_none->setChecked(isNone);
    if (m_word) {
        const QSignalBlocker blocker(m_word);
        const QString word = m_shape == Shape::YesNo && shown.is_boolean() ? yesNoText(shown.get<bool>()) : text;
        int index = word.isEmpty() ? 0 : m_word->findText(word);
        if (index < 0) { // no word of the list: it is shown all the same
            m_word->addItem(word);
            index = m_word->count() - 1;
        }
        m_word->setCurrentIndex(index);
    } else if (m_flag) {
        m_flag->setChecked(shown.is_boolean() && shown.get<bool>());
    } else if (m_shape == Shape::Pairs) {
        const QSignalBlocker blocker(m_texts);
        m_texts->setPlainText(shown.is_object() ? pairLines(shown) : text);
    } else if (m_texts) {
        const QSignalBlocker blocker(m_texts);
        m_texts->setPlainText(shown.is_null() ? QString() : joinedValues(shown, QStringLiteral("\n\n")));
    } else if (m_shape == Shape::Window && shown.is_array() && shown.size() == 2) {
        setLine(*m_line, fieldText(shown[0]));
        setLine(*m_to, fieldText(shown[1]));
    } else {
        setLine(
            *m_line, m_shape == Shape::Names && !shown.is_null() ? joinedValues(shown, QStringLiteral(", ")) : text);
        if (m_to)
            m_to->clear();
    }
}

/// A name with a comma in it, say, would not be the same any more once somebody has typed beside it.
void ScenarioField::setIsWritable(bool isWritable)
{
    QWidget *place = m_texts ? static_cast<QWidget *>(m_texts) : m_line;
    if (!place)
        return;
    if (m_line)
        m_line->setReadOnly(!isWritable);
    else
        m_texts->setReadOnly(!isWritable);
    place->setEnabled(!m_none || !m_none->isChecked());
    place->setToolTip(isWritable ? QString() : tr("It has signs that separate values here: edit it in the text"));
}

void ScenarioField::setError(const QString &message)
{
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    for (QWidget *place : { static_cast<QWidget *>(m_line), static_cast<QWidget *>(m_to),
             static_cast<QWidget *>(m_texts), static_cast<QWidget *>(m_word) }) {
        if (place)
            setStyleProperty(*place, "invalid", message.isEmpty() ? QString() : QStringLiteral("true"));
    }
}

std::optional<JsonValue> ScenarioField::written() const
{
    if (m_none && m_none->isChecked())
        return m_shape == Shape::Pairs ? JsonValue::object() : JsonValue::array();
    if (m_shape == Shape::YesNo && m_word->currentIndex() <= 2)
        return m_word->currentIndex() > 0 ? std::optional<JsonValue>(m_word->currentIndex() == 1) : std::nullopt;
    if (m_word)
        return m_word->currentIndex() > 0 ? std::optional<JsonValue>(m_word->currentText().toStdString())
                                          : std::nullopt;
    if (m_flag)
        return m_flag->isChecked() ? std::optional<JsonValue>(true) : std::nullopt;
    if (m_shape == Shape::Pairs) {
        const JsonValue pairs = pairsIn(m_texts->toPlainText());
        return pairs.empty() ? std::nullopt : std::optional<JsonValue>(pairs);
    }
    if (m_texts) {
        static const QRegularExpression emptyLines(QStringLiteral("\\n\\s*\\n"));
        const JsonValue list = textList(m_texts->toPlainText().split(emptyLines));
        return list.empty() ? std::nullopt : std::optional<JsonValue>(list);
    }
    const QString text = m_line->text();
    if (m_shape == Shape::Window) {
        if (text.isEmpty() && m_to->text().isEmpty())
            return std::nullopt;
        return JsonValue::array({ text.toStdString(), m_to->text().toStdString() });
    }
    if (text.trimmed().isEmpty())
        return std::nullopt;
    if (m_shape == Shape::Names) {
        const JsonValue list = textList(text.split(u','));
        return list.empty() ? std::nullopt : std::optional<JsonValue>(list);
    }
    bool isNumber = false;
    const qlonglong number = text.toLongLong(&isNumber);
    if (m_shape == Shape::Number && isNumber)
        return JsonValue(number);
    return JsonValue(text.toStdString());
}

void showFieldErrors(const std::vector<ScenarioMember> &members, const lab::JsonPath &object,
    const std::vector<lab::ScenarioError> &errors, QLabel &rest)
{
    QStringList others;
    std::vector<QString> messages(members.size());
    for (const lab::ScenarioError &error : errors) {
        if (!lab::leadsInto(error.path, object))
            continue;
        const auto member = std::ranges::find_if(members, [&](const ScenarioMember &each) {
            const lab::JsonPath around = each.isExpected ? lab::inside(object, std::string("expect")) : object;
            return lab::leadsInto(error.path, lab::inside(around, each.name));
        });
        if (member == members.end())
            others << error.message;
        else
            messages[static_cast<std::size_t>(member - members.begin())] = error.message;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        members[i].field->setError(messages[i]);
    rest.setText(others.join(u'\n'));
    rest.setVisible(!others.isEmpty());
}

QStringList toWords(const std::vector<std::string> &words)
{
    QStringList texts;
    for (const std::string &each : words)
        texts << QString::fromStdString(each);
    return texts;
}

QStringList wordsOfSchema(const std::vector<std::string> &objects, const std::string &member)
{
    return toWords(lab::wordsOf(objects, member));
}

QLabel *formSection(const QString &title, QWidget *parent)
{
    QLabel *section = plainLabel(QStringLiteral("section"), parent);
    section->setText(title);
    section->setContentsMargins(0, 8, 0, 0);
    return section;
}

} // namespace lockui
