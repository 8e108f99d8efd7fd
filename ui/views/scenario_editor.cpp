// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_editor.h"

#include "ui/dialogs/scenario_dialogs.h"
#include "ui/lab/json_outline.h"
#include "ui/lab/scenario_words.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/scenario_form.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using Problem = lab::StoreProblem::Kind;

namespace {

constexpr int ReadAfterMs = 200; // so long after the last letter
const QByteArray ByteOrderMark = QByteArrayLiteral("\xEF\xBB\xBF");

int charactersOf(std::string_view utf8) { return int(QString::fromUtf8(utf8.data(), qsizetype(utf8.size())).size()); }

/// How much is underlined: a word or a text whole, of an object its bracket.
int lengthOfToken(std::string_view json, std::size_t at)
{
    if (at >= json.size())
        return 0;
    std::size_t end = at + 1;
    if (json[at] == '"') {
        while (end < json.size() && json[end] != '"' && json[end] != '\n')
            end += json[end] == '\\' ? 2 : 1;
        ++end;
    } else if (std::string_view("{}[],:").find(json[at]) == std::string_view::npos) {
        end = json.find_first_of(",]}: \t\r\n", at);
    }
    end = std::min(std::max(end, at + 1), json.size());
    return charactersOf(json.substr(at, end - at));
}

} // namespace

ScenarioEditor::ScenarioEditor(const Theme &theme, const lab::OwnScenarios &store, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_bar(nullptr)
    , m_title(new ElidedLabel(QStringLiteral("lockTitle"), this))
    , m_asText(new QToolButton(this))
    , m_asForm(new QToolButton(this))
    , m_save(new QPushButton(tr("Save"), this))
    , m_saveAs(new QPushButton(tr("Save as…"), this))
    , m_revert(new QPushButton(tr("Revert"), this))
    , m_run(new QPushButton(tr("Run"), this))
    , m_views(new QStackedWidget(this))
    , m_text(new JsonTextEdit(theme, m_views))
    , m_form(new ScenarioForm(theme, m_views))
    , m_fileNote(plainLabel(QStringLiteral("warningBox"), this))
    , m_state(plainLabel(QStringLiteral("status"), this))
    , m_toError(new QToolButton(this))
{
    m_bar = buildBar();
    m_fileNote->setWordWrap(true);
    m_text->setAccessibleName(tr("Text of the scenario"));
    m_text->setWordSource([this](const QString &before) { return wordsAt(before); });
    m_views->addWidget(m_text);
    m_views->addWidget(m_form);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_fileNote);
    layout->addWidget(m_views, 1);
    layout->addWidget(buildFoot());
    m_readSoon.setSingleShot(true);
    m_readSoon.setInterval(ReadAfterMs);
    connect(&m_readSoon, &QTimer::timeout, this, &ScenarioEditor::read);
    connect(m_text, &QPlainTextEdit::textChanged, this, &ScenarioEditor::textChanged);
    connect(m_form, &ScenarioForm::changeWanted, this, &ScenarioEditor::apply);
    const auto inForm = [this](QKeySequence::StandardKey key, void (QPlainTextEdit::*act)()) {
        auto *shortcut = new QShortcut(key, m_form, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, m_text, act); // a field that is written in has its own
        connect(shortcut, &QShortcut::activated, this, &ScenarioEditor::read);
    };
    inForm(QKeySequence::Undo, &QPlainTextEdit::undo);
    inForm(QKeySequence::Redo, &QPlainTextEdit::redo);
    connect(m_form, &ScenarioForm::textWanted, this, [this](const lab::JsonPath &path) {
        const std::string text = json();
        const auto at = lab::positionOf(text, path).offset;
        show(AsText);
        m_text->goTo(charactersOf(std::string_view(text).substr(0, at)));
    });
    close();
}

QWidget *ScenarioEditor::buildBar()
{
    auto *bar = new QWidget(this);
    makeBar(*bar);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(14, 6, 12, 7);
    layout->setSpacing(8);
    layout->addWidget(m_title, 1);
    auto *which = new QButtonGroup(bar);
    for (const auto &[button, text, explanation] :
        { std::tuple{ m_asText, tr("Text"), tr("The scenario as it is saved") },
            std::tuple{ m_asForm, tr("Form"), tr("The same, step by step, in fields") } }) {
        button->setText(text);
        button->setToolTip(explanation);
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("pill"));
        button->setFocusPolicy(Qt::TabFocus);
        which->addButton(button);
        layout->addWidget(button);
    }
    m_asText->setChecked(true);
    connect(m_asText, &QToolButton::clicked, this, [this] { show(AsText); });
    connect(m_asForm, &QToolButton::clicked, this, [this] { show(AsForm); });
    layout->addSpacing(12);
    m_save->setToolTip(tr("Writes it to its file (Ctrl+S)"));
    m_saveAs->setToolTip(tr("Keeps it under another name; the one saved before stays"));
    m_revert->setToolTip(tr("Back to what was saved; can be undone (Ctrl+Z)"));
    m_run->setProperty("role", QStringLiteral("primary"));
    for (QPushButton *button : { m_save, m_saveAs, m_revert, m_run }) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    connect(m_save, &QPushButton::clicked, this, [this] { save(); });
    connect(m_saveAs, &QPushButton::clicked, this, [this] { saveAs(); });
    connect(m_revert, &QPushButton::clicked, this, &ScenarioEditor::revert);
    connect(m_run, &QPushButton::clicked, this, [this] {
        read();
        if (m_reading.errors.empty())
            Q_EMIT runWanted(m_reading.scenario);
    });
    auto *saveKey = new QShortcut(QKeySequence::Save, this);
    connect(saveKey, &QShortcut::activated, m_save, &QPushButton::click);
    return bar;
}

QWidget *ScenarioEditor::buildFoot()
{
    auto *foot = new QWidget(this);
    foot->setProperty("role", QStringLiteral("strip"));
    foot->setAttribute(Qt::WA_StyledBackground);
    m_state->setWordWrap(true);
    m_state->installEventFilter(this);
    m_state->setObjectName(QStringLiteral("state"));
    m_toError->setText(tr("Go there (F8)"));
    m_toError->setToolTip(tr("To the next place where something is wrong"));
    m_toError->setProperty("role", QStringLiteral("button"));
    connect(m_toError, &QToolButton::clicked, this, &ScenarioEditor::goToError);
    auto *layout = new QHBoxLayout(foot);
    layout->setContentsMargins(14, 6, 12, 6);
    layout->addWidget(m_state, 1);
    layout->addWidget(m_toError);
    foot->setMinimumHeight(40);
    return foot;
}

/// F8 is a shortcut of the window, too; within the editor it goes to what is wrong here.
bool ScenarioEditor::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<const QKeyEvent &>(*event).key() == Qt::Key_F8) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void ScenarioEditor::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_F8)
        goToError();
    else
        QWidget::keyPressEvent(event);
}

bool ScenarioEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_state && event->type() == QEvent::MouseButtonRelease)
        goToError();
    return QWidget::eventFilter(watched, event);
}

void ScenarioEditor::open(const lab::OwnScenario &scenario)
{
    m_isOpen = true;
    m_name = scenario.name;
    m_seen = scenario.text;
    m_fileNote->clear();
    m_kept.reset();
    m_keptAt.clear();
    m_isReadOnly = false;
    setTextWhole(scenario.text);
    if (!scenario.isRead) {
        m_isReadOnly = true;
        m_fileNote->setText(scenario.error->message);
    } else if (bytes() != scenario.text) {
        m_isReadOnly = true;
        m_fileNote->setText(tr("This file has bytes that would be lost here: it can be read, and changed with another "
                               "program. Scenarios are UTF-8 text with one kind of line breaks."));
    }
    m_text->setReadOnly(m_isReadOnly);
    m_form->setEnabled(!m_isReadOnly);
    m_form->chooseStep(-1);
    if (!m_isReadOnly)
        takeUpUnsaved();
    read();
}

/// As if it had been written just now: it is not in its file yet, and can be taken back. Where that has changed since,
/// it is as if somebody had done so just now, too.
void ScenarioEditor::takeUpUnsaved()
{
    const auto kept = m_store.unsaved(m_name);
    if (!kept)
        return;
    m_kept = kept->text;
    const bool isOther = kept->seen != m_seen;
    if (isOther) {
        m_seen = kept->seen;
        setTextWhole(m_seen);
    }
    writeInto(kept->text);
    if (!hasUnsavedChanges())
        return forgetUnsaved();
    const auto wall
        = [](const QDateTime &time) { return lockcore::WallTime(lockcore::Millis(time.toMSecsSinceEpoch())); };
    m_keptAt = clockText(wall(kept->keptAt), wall(QDateTime::currentDateTime()));
    m_fileNote->setText(isOther ? changedNote() : keptNote());
}

QString ScenarioEditor::keptNote() const
{
    return m_keptAt.isEmpty() ? QString()
                              : tr("These changes were not saved when the program was ended, at %1. Save keeps them, "
                                   "Revert goes back to what is in the file.")
                                    .arg(m_keptAt);
}

QString ScenarioEditor::changedNote() const
{
    return m_keptAt.isEmpty()
        ? tr("Somebody else has changed its file meanwhile. Save asks what is to become of that.")
        : tr("These changes were not saved when the program was ended, at %1. Somebody else has changed its file "
             "meanwhile: Save asks what is to become of that.")
              .arg(m_keptAt);
}

bool ScenarioEditor::keepUnsaved()
{
    if (!hasUnsavedChanges())
        return true;
    const QByteArray text = bytes();
    const bool isKept = m_store.keepUnsaved(m_name, text, m_seen, m_kept).has_value();
    if (isKept)
        m_kept = text;
    return isKept;
}

void ScenarioEditor::forgetUnsaved()
{
    m_keptAt.clear();
    if (m_kept)
        m_store.forgetUnsaved(m_name, *std::exchange(m_kept, std::nullopt));
}

void ScenarioEditor::close()
{
    m_isOpen = false;
    m_kept.reset();
    m_keptAt.clear();
    m_name.clear();
    m_seen.clear();
    m_fileNote->clear();
    setTextWhole({});
    m_text->setReadOnly(true);
    read();
}

void ScenarioEditor::setTextWhole(const QByteArray &text)
{
    m_hasByteOrderMark = text.startsWith(ByteOrderMark);
    m_hasCarriageReturns = text.contains("\r\n") && text.count("\r\n") == text.count('\n');
    m_text->setPlainText(shownText(text));
}

QString ScenarioEditor::shownText(const QByteArray &text) const
{
    QString shown = QString::fromUtf8(m_hasByteOrderMark ? text.mid(ByteOrderMark.size()) : text);
    return m_hasCarriageReturns ? shown.replace(QStringLiteral("\r\n"), QStringLiteral("\n")) : shown;
}

std::string ScenarioEditor::json() const { return toBytes(m_text->exactText()); }

QByteArray ScenarioEditor::bytes() const
{
    QString text = m_text->exactText();
    if (m_hasCarriageReturns)
        text.replace(u'\n', QStringLiteral("\r\n"));
    return (m_hasByteOrderMark ? ByteOrderMark : QByteArray()) + text.toUtf8();
}

bool ScenarioEditor::hasUnsavedChanges() const { return m_isOpen && !m_isReadOnly && bytes() != m_seen; }

void ScenarioEditor::textChanged()
{
    if (!m_isApplying)
        m_lastEdited.clear();
    m_readSoon.start();
    showState();
}

void ScenarioEditor::read()
{
    m_readSoon.stop();
    const std::string text = json();
    m_reading = lab::readThrough(text);
    const lab::JsonPath namePath{ std::string("name") };
    if (const QString wrong = lab::OwnScenarios::nameProblem(m_reading.scenario.name);
        m_reading.errors.empty() && !wrong.isEmpty()) // what is played is known by its name
        m_reading.errors.push_back({ lab::positionOf(text, namePath), wrong, namePath });
    if (m_reading.errors.empty())
        m_known = m_reading.scenario;
    std::vector<JsonTextEdit::Mark> marks;
    for (const lab::ScenarioError &error : m_reading.errors) {
        if (m_isOpen)
            marks.push_back({ charactersOf(std::string_view(text).substr(0, error.at.offset)),
                lengthOfToken(text, error.at.offset), error.message });
    }
    m_marks = marks;
    m_text->setMarks(std::move(marks));
    m_form->setText(text, m_reading.errors);
    showState();
}

void ScenarioEditor::showState()
{
    const bool isUnsaved = hasUnsavedChanges();
    const bool isRead = !m_readSoon.isActive();
    m_title->setText(displayText(m_name) + (isUnsaved ? tr(" · not saved") : QString()));
    m_save->setEnabled(isUnsaved);
    m_revert->setEnabled(isUnsaved);
    m_saveAs->setEnabled(m_isOpen && !m_isReadOnly);
    m_run->setEnabled(m_isOpen && isRead && m_reading.errors.empty());
    m_fileNote->setVisible(!m_fileNote->text().isEmpty());
    if (!isRead)
        return; // what was wrong may be mended meanwhile: it is said anew in a moment
    QString state;
    if (m_isOpen && !m_reading.errors.empty()) {
        state = placedText(m_reading.errors.front());
        if (const auto more = int(m_reading.errors.size()) - 1; more > 0)
            state += tr(" (and %n more)", nullptr, more);
    } else if (m_isOpen) {
        state = tr("Can be played: %1, %2")
                    .arg(tr("%n step(s)", nullptr, int(m_reading.scenario.steps.size())),
                        tr("%n client(s)", nullptr, int(m_reading.scenario.clients.size())));
    }
    const bool isWrong = m_isOpen && !m_reading.errors.empty();
    m_run->setToolTip(isWrong ? tr("Something is wrong with it: see below") : tr("Plays it as it is written here"));
    m_state->setText(state);
    m_state->setCursor(isWrong ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setStyleProperty(*m_state, "tone", isWrong ? QStringLiteral("danger") : QString());
    m_toError->setVisible(isWrong);
}

void ScenarioEditor::goToError()
{
    read();
    if (m_marks.empty())
        return;
    const bool isShown = m_views->currentIndex() == AsText;
    show(AsText);
    const int cursor = m_text->textCursor().position();
    const auto next
        = std::ranges::find_if(m_marks, [&](const JsonTextEdit::Mark &mark) { return !isShown || mark.at > cursor; });
    m_text->goTo(next == m_marks.end() ? m_marks.front().at : next->at);
}

void ScenarioEditor::show(View view)
{
    read();
    m_views->setCurrentIndex(view);
    (view == AsText ? m_asText : m_asForm)->setChecked(true);
}

JsonTextEdit::Words ScenarioEditor::wordsAt(const QString &before) const
{
    const std::string text = toBytes(before);
    const auto place = lab::writingPlace(text);
    if (!place)
        return {};
    const std::string &member = place->member;
    std::vector<std::string> words
        = member.empty() ? lab::membersOf(place->objects) : lab::wordsOf(place->objects, member);
    if (member == "client") {
        for (const lab::ScenarioClient &client : m_known.clients)
            words.push_back(client.name);
    }
    for (const lab::Step &step : m_known.steps) {
        if (member == "lock" || member == "locks")
            words.push_back(step.lock);
        else if (member == "after" || member == "order" || member == "tokenAbove")
            words.push_back(step.id);
    }
    JsonTextEdit::Words offered;
    offered.typed = charactersOf(std::string_view(text).substr(place->begin));
    for (const std::string &word : words)
        offered.words << displayText(word);
    offered.words.removeAll(QString());
    offered.words.removeDuplicates();
    return offered;
}

void ScenarioEditor::apply(const lab::TextChange &change, const QString &what)
{
    if (m_isReadOnly)
        return;
    const std::string text = json();
    const std::string_view whole = text;
    const bool isJoined = !what.isEmpty() && what == m_lastEdited;
    {
        const QScopedValueRollback applying(m_isApplying, true);
        m_text->replace(charactersOf(whole.substr(0, change.at)), charactersOf(whole.substr(change.at, change.size)),
            QString::fromStdString(change.by), isJoined);
    }
    m_lastEdited = what;
    read();
}

void ScenarioEditor::save(std::function<void()> then)
{
    read();
    const std::string name = m_reading.errors.empty() ? m_reading.scenario.name : m_name;
    if (name == m_name)
        saveTo(name, m_seen, {}, std::move(then));
    else
        saveTo(name, std::nullopt, Former{ m_name, m_seen }, std::move(then));
}

void ScenarioEditor::saveAs(std::function<void()> then)
{
    read();
    const std::string wanted = m_reading.scenario.name.empty() ? m_name : m_reading.scenario.name;
    auto *dialog
        = new ScenarioNameDialog(m_store, { tr("Save the scenario as"), tr("Save") }, m_store.freeName(wanted), this);
    connect(dialog, &ScenarioNameDialog::chosen, this, [this, then = std::move(then)](const std::string &name) {
        if (m_form->isOpen())
            apply(lab::setMember(json(), {}, "name", name), {});
        saveTo(name, std::nullopt, {}, then);
    });
    dialog->show();
}

void ScenarioEditor::saveTo(const std::string &name, const std::optional<QByteArray> &seen,
    const std::optional<Former> &former, std::function<void()> then)
{
    const QByteArray text = bytes();
    if (const auto result = m_store.save(name, text, seen); !result)
        return solve(result.error(), name, former, std::move(then));
    forgetUnsaved();
    m_name = name;
    m_seen = text;
    m_fileNote->clear();
    if (former) {
        const auto removed = m_store.remove(former->name, former->text);
        if (!removed && removed.error().kind != Problem::GoneFromDisk)
            m_fileNote->setText(
                tr("It is saved under its new name. The file of the old one stays: %1").arg(removed.error().message));
    }
    showState();
    Q_EMIT saved(name);
    if (then)
        then();
}

void ScenarioEditor::solve(const lab::StoreProblem &problem, const std::string &name,
    const std::optional<Former> &former, std::function<void()> then)
{
    const auto onDisk = m_store.find(name); // what stands there while the person is asked is what may be replaced
    auto *dialog = new QuestionDialog(problem.message, tr("Nothing was saved yet."), this);
    dialog->addAnswer(tr("Save as…"), {}, [this, then] { saveAs(then); });
    const auto write = [this, name, former, then](const std::optional<QByteArray> &seen) {
        return [this, name, former, then, seen] { saveTo(name, seen, former, then); };
    };
    if (problem.kind == Problem::ChangedOnDisk && onDisk) {
        dialog->addAnswer(tr("Load theirs"), {}, [this, text = onDisk->text] { load(text); });
        dialog->addAnswer(tr("Replace theirs"), QStringLiteral("danger"), write(onDisk->text));
    } else if (problem.kind == Problem::NameTaken && onDisk) {
        dialog->addAnswer(tr("Replace it"), QStringLiteral("danger"), write(onDisk->text));
    } else if (problem.kind == Problem::GoneFromDisk) {
        dialog->addAnswer(tr("Save it anew"), QStringLiteral("primary"), write(std::nullopt));
    }
    dialog->show();
}

void ScenarioEditor::askBeforeLosing(std::function<void()> then)
{
    if (!hasUnsavedChanges())
        return then();
    auto *dialog = new QuestionDialog(
        tr("Save the changes of “%1”?").arg(displayText(m_name)), tr("They are not in its file yet."), this);
    dialog->addAnswer(tr("Discard"), QStringLiteral("danger"), [this, then] {
        revert();
        then();
    });
    dialog->addAnswer(tr("Save"), QStringLiteral("primary"), [this, then] { save(then); });
    dialog->show();
}

/// What is written now comes back with an undo.
void ScenarioEditor::load(const QByteArray &text)
{
    m_seen = text;
    forgetUnsaved();
    writeInto(text);
    m_fileNote->clear();
    read();
}

void ScenarioEditor::writeInto(const QByteArray &text)
{
    const QString shown = shownText(text);
    if (shown != m_text->exactText())
        m_text->replace(0, int(m_text->exactText().size()), shown);
}

/// To what the file has now.
void ScenarioEditor::revert()
{
    const auto onDisk = m_store.find(m_name);
    load(onDisk && onDisk->isRead ? onDisk->text : QByteArray(m_seen));
}

void ScenarioEditor::compareWithDisk(const lab::OwnScenario *onDisk)
{
    if (!m_isOpen)
        return;
    const QString note = m_isReadOnly ? m_fileNote->text() : keptNote();
    if (onDisk && onDisk->text != m_seen && !hasUnsavedChanges())
        return onDisk->isRead && !m_isReadOnly ? load(onDisk->text) : open(*onDisk);
    if (!onDisk)
        m_fileNote->setText(tr("Its file is gone from the folder. Save writes it anew."));
    else if (onDisk->text != m_seen)
        m_fileNote->setText(changedNote());
    else
        m_fileNote->setText(note);
    showState();
}

} // namespace lockui
