// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/own_scenarios_view.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/scenario_dialogs.h"
#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_library.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/empty_state.h"
#include "ui/views/scenario_editor.h"
#include "ui/views/scenario_list_delegate.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

namespace {

/// Something that can be played, to be written on.
QByteArray newScenario(const std::string &name)
{
    const auto text = [](const QString &words) { return lab::lineOf(words.toStdString()); };
    return QByteArray::fromStdString("{\n  \"name\": " + lab::lineOf(name)
        + ",\n  \"title\": " + text(OwnScenariosView::tr("One takes it, the other comes too late"))
        + ",\n  \"about\": [" + text(OwnScenariosView::tr("What one sees, and why.")) + R"(],
  "clients": ["A", "B"],
  "steps": [
    { "client": "A", "do": "lock", "lock": "orders", "expect": { "outcome": "acquired" } },
    { "client": "B", "do": "lock", "lock": "orders", "wait": "0ms", "expect": { "outcome": "notAcquired" } },
    { "client": "A", "do": "unlock", "lock": "orders", "expect": { "outcome": "released" } }
  ]
}
)");
}

} // namespace

OwnScenariosView::OwnScenariosView(const Theme &theme, lab::OwnScenarios store, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_store(std::move(store))
    , m_list(new QListWidget(this))
    , m_across(new QSplitter(this))
    , m_stack(new QStackedWidget(m_across))
    , m_editor(new ScenarioEditor(theme, m_store, m_stack))
    , m_empty(new EmptyState(m_stack))
{
    m_stack->addWidget(m_editor);
    m_stack->addWidget(m_empty);
    m_across->insertWidget(0, buildSide());
    m_across->setChildrenCollapsible(false);
    m_across->setStretchFactor(1, 1);
    m_across->setSizes({ 270, 830 });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_across);
    setFocusProxy(m_list);
    connect(m_empty, &EmptyState::primaryChosen, this, &OwnScenariosView::addNew);
    connect(m_empty, &EmptyState::secondaryChosen, this, [this] { offerBuiltIns(*m_empty); });
    connect(m_editor, &ScenarioEditor::runWanted, this, &OwnScenariosView::runWanted);
    connect(m_editor, &ScenarioEditor::saved, this, [this](const std::string &name) {
        m_chosen = name;
        refresh();
    });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &OwnScenariosView::refresh);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &OwnScenariosView::refresh);
    connect(&theme, &Theme::changed, m_list->viewport(), qOverload<>(&QWidget::update));
}

QWidget *OwnScenariosView::buildSide()
{
    auto *side = new QWidget(this);
    side->setProperty("role", QStringLiteral("side"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setMinimumWidth(200);
    m_list->setProperty("role", QStringLiteral("cards"));
    m_list->setAccessibleName(tr("My scenarios"));
    m_list->setItemDelegate(new ScenarioListDelegate(m_theme, m_list));
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_refreshing && row >= 0)
            chooseRow(row);
    });
    const auto add = [&](QHBoxLayout &row, const QString &text, const QString &explanation, auto &&act) {
        auto *button = new QPushButton(text, side);
        button->setToolTip(explanation);
        button->setAutoDefault(false);
        row.addWidget(button);
        connect(button, &QPushButton::clicked, this, act);
        return button;
    };
    auto *first = new QHBoxLayout;
    auto *second = new QHBoxLayout;
    for (QHBoxLayout *row : { first, second })
        row->setSpacing(6);
    add(*first, tr("New…"), tr("Begins with a short scenario that can be played"), [this] { addNew(); });
    auto *copy = add(*first, tr("Copy of…"), tr("Begins with a copy of one that comes with the program"), [] {});
    connect(copy, &QPushButton::clicked, this, [this, copy] { offerBuiltIns(*copy); });
    add(*first, tr("Import…"), tr("Copies a file into the folder"), [this] { askForImport(); });
    m_rename = add(*second, tr("Rename…"), tr("Its file and the name in it"), [this] { rename(); });
    m_delete = add(*second, tr("Delete…"), tr("Asks first"), [this] { remove(); });
    add(*second, tr("Folder"), tr("Shows the folder in which they are kept"), [this] { showFolder(); });
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_list, 1);
    layout->addLayout(first);
    layout->addLayout(second);
    return side;
}

void OwnScenariosView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void OwnScenariosView::refresh()
{
    auto all = m_store.list();
    m_all = all ? std::move(*all) : std::vector<lab::OwnScenario>();
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    if (QDir(m_store.folder()).exists() && !watched.contains(m_store.folder()))
        m_watcher.addPath(m_store.folder());
    const QScopedValueRollback refreshing(m_refreshing, true);
    while (m_list->count() > static_cast<int>(m_all.size()))
        delete m_list->takeItem(m_list->count() - 1);
    while (m_list->count() < static_cast<int>(m_all.size()))
        m_list->addItem(QString());
    int row = -1;
    for (int i = 0; i < m_list->count(); ++i) {
        const lab::OwnScenario &each = m_all[static_cast<std::size_t>(i)];
        showItem(i, each);
        if (each.name == m_chosen)
            row = i;
    }
    if (row < 0 && !m_editor->hasUnsavedChanges() && !m_all.empty())
        row = 0;
    m_list->setCurrentRow(row);
    if (row < 0 && m_editor->hasUnsavedChanges()) {
        if (all) // else nobody knows
            m_editor->compareWithDisk(nullptr);
    } else if (row < 0) {
        m_chosen.clear();
        m_editor->close();
    } else if (const lab::OwnScenario &shown = m_all[static_cast<std::size_t>(row)]; m_editor->isOpenFor(shown.name)) {
        m_editor->compareWithDisk(&shown);
    } else {
        m_chosen = shown.name;
        m_editor->open(shown);
    }
    if (const QString file = m_store.fileOf(m_chosen); row >= 0 && !watched.contains(file))
        m_watcher.addPath(file); // what writes into it does not change the folder
    m_rename->setEnabled(row >= 0 && m_all[static_cast<std::size_t>(row)].isRead);
    m_delete->setEnabled(m_rename->isEnabled());
    m_stack->setCurrentWidget(m_chosen.empty() ? static_cast<QWidget *>(m_empty) : m_editor);
    m_empty->setContent({ all ? tr("No scenario of your own yet") : tr("Your scenarios cannot be shown"),
        tr("Write one, or begin with a copy of one that comes with the program."),
        all ? displayText(toBytes(QDir::toNativeSeparators(m_store.folder()))) : all.error().message, tr("New…"),
        tr("Copy of…") });
}

void OwnScenariosView::showItem(int row, const lab::OwnScenario &scenario)
{
    QListWidgetItem &item = *m_list->item(row);
    const QString detail = scenario.error ? placedText(*scenario.error) : displayText(scenario.scenario.title);
    item.setText(displayText(scenario.name));
    item.setData(ScenarioListDelegate::Detail, detail);
    item.setData(ScenarioListDelegate::IsBroken, scenario.error.has_value());
    item.setToolTip(plainToolTip(displayText(scenario.name) + u'\n' + detail));
}

bool OwnScenariosView::hasUnsavedChanges() const { return m_editor->hasUnsavedChanges(); }

void OwnScenariosView::askBeforeLosing(std::function<void()> then) { m_editor->askBeforeLosing(std::move(then)); }

bool OwnScenariosView::keepUnsaved() { return m_editor->keepUnsaved(); }

std::vector<OwnScenariosView::Kept> OwnScenariosView::takeKeptUnsaved()
{
    std::vector<Kept> kept;
    for (const std::string &name : m_store.unsavedNames()) {
        kept.push_back({ .name = name, .hasNewFile = !m_store.find(name) });
        if (!kept.back().hasNewFile)
            continue;
        if (const auto given = m_store.giveFileBack(name); !given)
            complain(tr("What was kept of “%1” could not be saved.").arg(displayText(name)), given.error().message);
    }
    return kept;
}

std::optional<lab::Scenario> OwnScenariosView::saved(const std::string &name) const
{
    auto own = m_store.find(name);
    return own && !own->error ? std::optional(std::move(own->scenario)) : std::nullopt;
}

std::vector<lab::Scenario> OwnScenariosView::allSaved() const
{
    std::vector<lab::Scenario> scenarios;
    for (lab::OwnScenario &own : m_store.list().value_or(std::vector<lab::OwnScenario>()))
        if (own.isRead && !own.error)
            scenarios.push_back(std::move(own.scenario));
    return scenarios;
}

bool OwnScenariosView::hasUnsaved(const std::string &name) const
{
    return m_editor->hasUnsavedChanges() && m_editor->writtenName() == name;
}

void OwnScenariosView::save(std::function<void()> then) { m_editor->save(std::move(then)); }

void OwnScenariosView::choose(const std::string &name)
{
    askBeforeLosing([this, name] {
        m_chosen = name;
        refresh();
    });
}

/// The list goes back to what is open until it is known what becomes of that.
void OwnScenariosView::chooseRow(int row)
{
    const std::string name = m_all[static_cast<std::size_t>(row)].name;
    if (name == m_chosen)
        return;
    if (!hasUnsavedChanges())
        return choose(name);
    QMetaObject::invokeMethod( // when the click that chose it is over, and marks nothing any more
        this,
        [this, name] {
            const QScopedValueRollback refreshing(m_refreshing, true);
            const auto open = std::ranges::find(m_all, m_chosen, &lab::OwnScenario::name);
            m_list->setCurrentRow(open == m_all.end() ? -1 : static_cast<int>(open - m_all.begin()));
            choose(name);
        },
        Qt::QueuedConnection);
}

const lab::OwnScenario *OwnScenariosView::chosen() const
{
    const auto found = std::ranges::find(m_all, m_chosen, &lab::OwnScenario::name);
    return found == m_all.end() ? nullptr : &*found;
}

void OwnScenariosView::askForName(
    const QString &title, const std::string &suggested, std::function<void(const std::string &)> then)
{
    askBeforeLosing([this, title, suggested, then] {
        auto *dialog = new ScenarioNameDialog(m_store, { title, tr("Make it") }, m_store.freeName(suggested), this);
        connect(dialog, &ScenarioNameDialog::chosen, this, then);
        dialog->show();
    });
}

void OwnScenariosView::add(const std::string &name, const QByteArray &text)
{
    if (const auto saved = m_store.save(name, text, std::nullopt); !saved)
        return complain(tr("The scenario was not saved."), saved.error().message);
    m_chosen = name;
    refresh();
}

void OwnScenariosView::addNew()
{
    askForName(tr("A new scenario"), "my-scenario", [this](const std::string &name) { add(name, newScenario(name)); });
}

void OwnScenariosView::copyBuiltIn(const std::string &name)
{
    askForName(tr("A copy of “%1”").arg(displayText(name)), name,
        [this, name](const std::string &own) { add(own, lab::OwnScenarios::withName(lab::builtInText(name), own)); });
}

void OwnScenariosView::offerBuiltIns(QWidget &below)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const lab::Scenario &each : lab::builtInScenarios())
        menu->addAction(
            plainMenuText(QString::fromStdString(each.title)), this, [this, name = each.name] { copyBuiltIn(name); });
    menu->popup(below.mapToGlobal(below.rect().center()));
}

void OwnScenariosView::askForImport()
{
    auto *dialog
        = new QFileDialog(this, tr("Import a scenario"), QDir::homePath(), tr("Scenarios (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &OwnScenariosView::importFile);
    dialog->open();
}

void OwnScenariosView::importFile(const QString &path)
{
    const auto foreign = lab::OwnScenarios::readFile(path);
    if (!foreign)
        return complain(tr("The file was not imported."), foreign.error().message);
    const lab::ScenarioReading reading = lab::readThrough(foreign->toStdString());
    const std::string called = reading.scenario.name;
    const std::string wanted = called.empty() ? QFileInfo(path).completeBaseName().toStdString() : called;
    if (m_store.freeName(wanted) == wanted && (called.empty() || reading.errors.empty()))
        return askBeforeLosing([this, wanted, text = *foreign] { add(wanted, text); });
    askForName(tr("Import as"), wanted,
        [this, text = *foreign](const std::string &name) { add(name, lab::OwnScenarios::withName(text, name)); });
}

void OwnScenariosView::rename()
{
    const lab::OwnScenario *scenario = chosen();
    if (!scenario)
        return;
    askForName(tr("Rename “%1”").arg(displayText(scenario->name)), scenario->name,
        [this, from = scenario->name](const std::string &to) {
            const lab::OwnScenario *now = chosen(); // what was unsaved has been decided on since
            if (!now || now->name != from)
                return;
            if (const auto renamed = m_store.rename(from, to, now->text); !renamed)
                return complain(tr("It was not renamed."), renamed.error().message);
            m_chosen = to;
            refresh();
        });
}

void OwnScenariosView::remove()
{
    const lab::OwnScenario *scenario = chosen();
    if (!scenario)
        return;
    auto *dialog = new QuestionDialog(tr("Delete “%1”?").arg(displayText(scenario->name)),
        tr("Its file goes, and does not come back: %1")
            .arg(displayText(toBytes(QDir::toNativeSeparators(m_store.fileOf(scenario->name))))),
        this);
    dialog->addAnswer(tr("Delete"), QStringLiteral("danger"), [this, name = scenario->name, text = scenario->text] {
        if (const auto removed = m_store.remove(name, text); !removed)
            return complain(tr("It was not deleted."), removed.error().message);
        m_editor->forgetUnsaved();
        m_editor->close();
        m_chosen.clear();
        refresh();
    });
    dialog->show();
}

void OwnScenariosView::showFolder()
{
    QDir().mkpath(m_store.folder());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(m_store.folder())))
        complain(tr("No program opens folders here."), QDir::toNativeSeparators(m_store.folder()));
}

void OwnScenariosView::complain(const QString &what, const QString &why)
{
    (new NoticeDialog(tr("Scenario"), what, why, this))->show();
}

} // namespace lockui
