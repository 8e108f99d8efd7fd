// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_edit.h"
#include "ui/lab/own_scenarios.h"
#include "ui/views/json_text_edit.h"

#include <QByteArray>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace lockui {

class ElidedLabel;
class ScenarioForm;
class Theme;

/// One scenario of the person's, as text and as a form. Both are the same text: what the form has no field for stays as
/// it is written. It is read as it is typed, and what is wrong is marked where it stands.
class ScenarioEditor : public QWidget {
    Q_OBJECT
public:
    ScenarioEditor(const Theme &theme, const lab::OwnScenarios &store, QWidget *parent = nullptr);

    /// Changes of the one before that are not saved are lost: askBeforeLosing() comes first.
    void open(const lab::OwnScenario &scenario);
    void close(); // nothing is open then
    bool isOpenFor(const std::string &name) const { return m_isOpen && m_name == name; }
    bool hasUnsavedChanges() const;
    const std::string &writtenName() const { return m_reading.scenario.name; } // it may differ from that of its file
    void save(std::function<void()> then = {});
    /// Calls it at once where nothing would be lost; else when the person has saved, or does not want to.
    void askBeforeLosing(std::function<void()> then);
    /// Where nobody can be asked: keeps what is not saved for whoever opens the scenario next. False: it cannot be
    /// kept.
    bool keepUnsaved();
    void forgetUnsaved(); // what becomes of it has been decided
    /// Somebody else may have changed its file; null: it is gone.
    void compareWithDisk(const lab::OwnScenario *onDisk);

Q_SIGNALS:
    void saved(const std::string &name); // its file has this name now
    void runWanted(const lockui::lab::Scenario &scenario);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum View { AsText, AsForm };

    /// A file that goes when the scenario has another name.
    struct Former {
        std::string name;
        QByteArray text;
    };

    QWidget *buildBar();
    QWidget *buildFoot();
    void show(View view);
    std::string json() const;
    QByteArray bytes() const; // as they are saved
    QString shownText(const QByteArray &text) const;
    void setTextWhole(const QByteArray &text);
    void load(const QByteArray &text);
    void writeInto(const QByteArray &text);
    void takeUpUnsaved();
    QString keptNote() const; // empty: there is nothing to say
    QString changedNote() const; // of a file that somebody else has changed
    void textChanged();
    void read(); // what is written
    void showState();
    JsonTextEdit::Words wordsAt(const QString &before) const;
    void goToError();
    void apply(const lab::TextChange &change, const QString &what);
    void saveAs(std::function<void()> then = {});
    void saveTo(const std::string &name, const std::optional<QByteArray> &seen, const std::optional<Former> &former,
        std::function<void()> then);
    void solve(const lab::StoreProblem &problem, const std::string &name, const std::optional<Former> &former,
        std::function<void()> then);
    void revert();

    const lab::OwnScenarios &m_store;
    bool m_isOpen = false;
    std::string m_name; // of its file
    QByteArray m_seen; // what the file had when it was read or written
    bool m_isReadOnly = false; // it has something that would be lost
    std::optional<QByteArray> m_kept; // what of these changes is on the disk, and not in its file
    QString m_keptAt; // when changes were kept that nobody has decided on; empty: there are none
    bool m_hasByteOrderMark = false;
    bool m_hasCarriageReturns = false;
    lab::ScenarioReading m_reading;
    lab::Scenario m_known; // the last one that could be played: words are taken from it
    std::vector<JsonTextEdit::Mark> m_marks;
    QTimer m_readSoon;
    QString m_lastEdited; // in the form
    bool m_isApplying = false; // a change comes from the form

    QWidget *m_bar;
    ElidedLabel *m_title;
    QToolButton *m_asText;
    QToolButton *m_asForm;
    QPushButton *m_save;
    QPushButton *m_saveAs;
    QPushButton *m_revert;
    QPushButton *m_run;
    QStackedWidget *m_views;
    JsonTextEdit *m_text;
    ScenarioForm *m_form;
    QLabel *m_fileNote;
    QLabel *m_state;
    QToolButton *m_toError;
};

} // namespace lockui
