// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/own_scenarios.h"

#include "ui/lab/json_edit.h"
#include "ui/lab/json_outline.h"
#include "ui/lab/scenario_library.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

namespace lockui::lab {

using Problem = StoreProblem::Kind;

namespace {

constexpr std::size_t LongestName = 64;
/// No story is as long; who puts a recording into the folder shall not fill the memory with it.
constexpr qint64 LargestFile = qint64(1) << 20;
constexpr int LongestTurn = 3'000; // milliseconds: a program that is being ended does not wait for long

QString ending() { return QStringLiteral(".json"); }

/// Behind the other one: such a file is no scenario.
QString unsavedEnding() { return QStringLiteral(".unsaved"); }

tl::unexpected<StoreProblem> problem(Problem kind, const QString &message)
{
    return tl::unexpected(StoreProblem{ kind, message });
}

} // namespace

OwnScenarios::OwnScenarios(QString folder)
    : m_folder(std::move(folder))
{
}

QString OwnScenarios::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/lockscope/scenarios");
}

QString OwnScenarios::fileOf(const std::string &name) const
{
    return m_folder + u'/' + QString::fromStdString(name) + ending();
}

QString OwnScenarios::nameProblem(const std::string &name)
{
    const auto isLetter = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    };
    const bool isPlain = !name.empty() && name.size() <= LongestName && isLetter(name.front())
        && std::ranges::all_of(name, [&](char letter) { return isLetter(letter) || letter == '-' || letter == '_'; });
    if (!isPlain)
        return tr("A name is one word, as on a command line: letters a to z, digits, - and _, up to %1 of them.")
            .arg(LongestName);
    if (builtInScenario(name))
        return tr("“%1” comes with the program: choose another name, such as %1-2.").arg(QString::fromStdString(name));
    return {};
}

std::string OwnScenarios::freeName(const std::string &wanted) const
{
    const auto isFree = [this](const std::string &name) {
        return nameProblem(name).isEmpty() && !QFileInfo::exists(fileOf(name))
            && !QFileInfo::exists(unsavedFileOf(name));
    };
    if (isFree(wanted))
        return wanted;
    const std::string stem = nameProblem(wanted).isEmpty() || builtInScenario(wanted) ? wanted : "scenario";
    for (int number = 2;; ++number) {
        const std::string behind = "-" + std::to_string(number);
        if (std::string name = stem.substr(0, LongestName - behind.size()) + behind; isFree(name))
            return name;
    }
}

OwnScenarios::Result<std::vector<OwnScenario>> OwnScenarios::list() const
{
    const QDir folder(m_folder);
    if (QFileInfo::exists(m_folder) && !folder.isReadable())
        return problem(Problem::Failed, tr("The folder %1 cannot be read.").arg(m_folder));
    std::vector<OwnScenario> all;
    const QStringList files = folder.entryList({ QStringLiteral("*") + ending() }, QDir::Files, QDir::Name);
    for (const QString &file : files)
        all.push_back(read(file.chopped(ending().size()).toStdString()));
    return all;
}

std::optional<OwnScenario> OwnScenarios::find(const std::string &name) const
{
    if (!nameProblem(name).isEmpty() || !QFileInfo(fileOf(name)).isFile())
        return std::nullopt;
    return read(name);
}

OwnScenarios::Result<QByteArray> OwnScenarios::readFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return problem(Problem::Failed, tr("It cannot be read: %1.").arg(file.errorString()));
    if (file.size() > LargestFile)
        return problem(Problem::Failed, tr("It is larger than any scenario."));
    return file.read(LargestFile);
}

OwnScenario OwnScenarios::read(const std::string &name) const
{
    OwnScenario own{ .name = name };
    const auto text = readFile(fileOf(name));
    if (!text) {
        own.error = ScenarioError{ {}, text.error().message };
        return own;
    }
    own.text = *text;
    own.isRead = true;
    const std::string json = own.text.toStdString();
    ScenarioReading reading = readThrough(json);
    own.scenario = std::move(reading.scenario);
    if (!reading.errors.empty())
        own.error = reading.errors.front();
    else if (const QString wrong = nameProblem(name); !wrong.isEmpty())
        own.error = ScenarioError{ {}, wrong };
    else if (own.scenario.name != name)
        own.error = ScenarioError{ positionOf(json, { std::string("name") }),
            tr("expected \"%1\": its file is called %1%2").arg(QString::fromStdString(name), ending()),
            { std::string("name") } };
    return own;
}

OwnScenarios::Result<void> OwnScenarios::checkUnchanged(
    const std::string &name, const std::optional<QByteArray> &seen) const
{
    const QString shown = QString::fromStdString(name);
    QFile file(fileOf(name));
    if (!file.exists()) {
        if (seen)
            return problem(Problem::GoneFromDisk, tr("“%1” is not in the folder any more.").arg(shown));
        return {};
    }
    if (!seen)
        return problem(Problem::NameTaken, tr("There is a scenario “%1” already.").arg(shown));
    if (!file.open(QIODevice::ReadOnly))
        return problem(Problem::Failed, tr("“%1” cannot be read: %2.").arg(shown, file.errorString()));
    if (file.read(LargestFile) != *seen)
        return problem(Problem::ChangedOnDisk, tr("“%1” was changed on the disk by somebody else.").arg(shown));
    return {};
}

OwnScenarios::Result<void> OwnScenarios::save(
    const std::string &name, const QByteArray &text, const std::optional<QByteArray> &seen) const
{
    if (const QString wrong = nameProblem(name); !wrong.isEmpty())
        return problem(Problem::NoName, wrong);
    if (text.size() > LargestFile)
        return problem(Problem::Failed, tr("It is larger than any scenario."));
    if (auto unchanged = checkUnchanged(name, seen); !unchanged)
        return unchanged;
    return write(fileOf(name), name, text);
}

OwnScenarios::Result<void> OwnScenarios::write(
    const QString &path, const std::string &name, const QByteArray &text) const
{
    if (!QDir().mkpath(m_folder))
        return problem(Problem::Failed, tr("The folder %1 cannot be made.").arg(m_folder));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return problem(
            Problem::Failed, tr("“%1” was not saved: %2.").arg(QString::fromStdString(name), file.errorString()));
    return {};
}

QString OwnScenarios::unsavedFileOf(const std::string &name) const { return fileOf(name) + unsavedEnding(); }

/// Where its own file is gone there is nothing that could be overwritten: it becomes that file. Windows that are ended
/// together do this one after the other.
OwnScenarios::Result<void> OwnScenarios::keepUnsaved(const std::string &name, const QByteArray &text,
    const QByteArray &seen, const std::optional<QByteArray> &takenUp) const
{
    if (text.size() > LargestFile)
        return problem(Problem::Failed, tr("It is larger than any scenario."));
    if (!QDir().mkpath(m_folder))
        return problem(Problem::Failed, tr("The folder %1 cannot be made.").arg(m_folder));
    QLockFile turn(m_folder + QStringLiteral("/.unsaved.lock"));
    if (!turn.tryLock(LongestTurn))
        return problem(Problem::Failed, tr("Nothing can be kept in the folder %1.").arg(m_folder));
    if (!QFileInfo::exists(fileOf(name)))
        return write(fileOf(name), name, text);
    const auto before = unsaved(name);
    if (!before || before->text == text || before->text == takenUp)
        return write(unsavedFileOf(name), name, seen.toBase64() + '\n' + text);
    const std::string free = freeName(name);
    return write(unsavedFileOf(free), free, '\n' + withName(text, free));
}

std::optional<OwnScenarios::Unsaved> OwnScenarios::unsaved(const std::string &name) const
{
    QFile kept(unsavedFileOf(name));
    if (!kept.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray seen = QByteArray::fromBase64(kept.readLine(2 * LargestFile));
    return Unsaved{ kept.read(LargestFile), seen, QFileInfo(kept).lastModified() };
}

std::vector<std::string> OwnScenarios::unsavedNames() const
{
    std::vector<std::string> names;
    const QString end = ending() + unsavedEnding();
    for (const QString &file : QDir(m_folder).entryList({ u'*' + end }, QDir::Files, QDir::Name))
        if (std::string name = file.chopped(end.size()).toStdString(); nameProblem(name).isEmpty())
            names.push_back(std::move(name));
    return names;
}

OwnScenarios::Result<void> OwnScenarios::giveFileBack(const std::string &name) const
{
    const auto kept = unsaved(name);
    if (!kept)
        return {};
    if (auto saved = save(name, kept->text, std::nullopt); !saved)
        return saved;
    forgetUnsaved(name, kept->text);
    return {};
}

void OwnScenarios::forgetUnsaved(const std::string &name, const QByteArray &text) const
{
    if (const auto kept = unsaved(name); kept && kept->text == text)
        QFile::remove(unsavedFileOf(name));
}

OwnScenarios::Result<QByteArray> OwnScenarios::rename(
    const std::string &from, const std::string &to, const QByteArray &seen) const
{
    if (const auto unchanged = checkUnchanged(from, seen); !unchanged)
        return tl::unexpected(unchanged.error());
    QByteArray text = withName(seen, to);
    if (const auto saved = save(to, text, std::nullopt); !saved)
        return tl::unexpected(saved.error());
    if (const auto removed = remove(from, seen); !removed)
        return tl::unexpected(removed.error()); // both are there then: nothing is lost
    return text;
}

OwnScenarios::Result<void> OwnScenarios::remove(const std::string &name, const QByteArray &seen) const
{
    if (auto unchanged = checkUnchanged(name, seen); !unchanged)
        return unchanged;
    QFile file(fileOf(name));
    if (!file.remove())
        return problem(
            Problem::Failed, tr("“%1” was not deleted: %2.").arg(QString::fromStdString(name), file.errorString()));
    return {};
}

QByteArray OwnScenarios::withName(const QByteArray &text, const std::string &name)
{
    const std::string json = text.toStdString();
    const JsonValue value = JsonValue::parse(json, nullptr, false);
    return value.is_object() ? QByteArray::fromStdString(changed(json, setMember(json, {}, "name", name))) : text;
}

} // namespace lockui::lab
