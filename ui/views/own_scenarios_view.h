// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/own_scenarios.h"

#include <QFileSystemWatcher>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

class QListWidget;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace lockui {

class EmptyState;
class ScenarioEditor;
class Theme;

/// The scenarios that a person has written: all of their folder at the left, the chosen one to be changed at the right.
class OwnScenariosView : public QWidget {
    Q_OBJECT
public:
    explicit OwnScenariosView(
        const Theme &theme, lab::OwnScenarios store = lab::OwnScenarios(), QWidget *parent = nullptr);

    bool hasUnsavedChanges() const;
    /// Before the window is closed: calls it at once where nothing would be lost; else when the person has decided.
    void askBeforeLosing(std::function<void()> then);

    bool keepUnsaved(); // where nobody can be asked; false: it cannot be kept
    /// Whose changes nobody has decided on since the last time. Where its file was gone, or two windows kept changes of
    /// the same, there is a file with them now.
    struct Kept {
        std::string name;
        bool hasNewFile = false;
    };
    std::vector<Kept> takeKeptUnsaved();

    void choose(const std::string &name);
    void copyBuiltIn(const std::string &name); // asks for the name of the copy
    void importFile(const QString &path);

    /// What lockctl would play of this name; absent: nothing that can be played.
    std::optional<lab::Scenario> saved(const std::string &name) const;
    std::vector<lab::Scenario> allSaved() const; // of these, by name
    bool hasUnsaved(const std::string &name) const; // what is written here is called so, and has changes
    void save(std::function<void()> then);

Q_SIGNALS:
    void runWanted(const lockui::lab::Scenario &scenario); // as it is written, saved or not

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildSide();
    void refresh();
    void showItem(int row, const lab::OwnScenario &scenario);
    void chooseRow(int row);
    const lab::OwnScenario *chosen() const; // null: none
    void askForName(const QString &title, const std::string &suggested, std::function<void(const std::string &)> then);
    void add(const std::string &name, const QByteArray &text);
    void addNew();
    void offerBuiltIns(QWidget &below);
    void askForImport();
    void rename();
    void remove();
    void showFolder();
    void complain(const QString &what, const QString &why);

    const Theme &m_theme;
    lab::OwnScenarios m_store;
    std::vector<lab::OwnScenario> m_all;
    std::string m_chosen; // empty: none
    bool m_refreshing = false; // what is chosen in the list is not chosen by a person
    QFileSystemWatcher m_watcher;

    QListWidget *m_list;
    QPushButton *m_rename = nullptr;
    QPushButton *m_delete = nullptr;
    QSplitter *m_across;
    QStackedWidget *m_stack;
    ScenarioEditor *m_editor;
    EmptyState *m_empty;
};

} // namespace lockui
