// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario_reader.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QDateTime>
#include <QString>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace lockui::lab {

/// A scenario that a person has written, as it was read.
struct OwnScenario {
    std::string name; // of its file, without the ending; a scenario that can be played calls itself so, too
    QByteArray text{}; // as it is on the disk
    bool isRead = false; // false: it cannot be, or is too large to be a scenario; there is no text then
    Scenario scenario{}; // to be relied on only when there is no error
    std::optional<ScenarioError> error{};
};

/// Why a scenario was not saved, renamed or deleted. Nothing has been changed then.
struct StoreProblem {
    enum class Kind {
        NoName, // it cannot be called so, or is what comes with the program
        NameTaken, // by a file that the person has not seen
        ChangedOnDisk, // since it was read
        GoneFromDisk,
        Failed, // the system's words are in the message
    };
    Kind kind = Kind::Failed;
    QString message;
};

/// A person's scenarios: files NAME.json in one folder, which other programs may change at any time. What somebody has
/// not seen is not overwritten.
class OwnScenarios {
    Q_DECLARE_TR_FUNCTIONS(lockui::lab::OwnScenarios)
public:
    template <typename Value>
    using Result = tl::expected<Value, StoreProblem>;

    explicit OwnScenarios(QString folder = usualFolder());

    /// The same for window and lockctl.
    static QString usualFolder();
    const QString &folder() const { return m_folder; }
    QString fileOf(const std::string &name) const;

    /// What is wrong with a name for a scenario of one's own; empty: nothing.
    static QString nameProblem(const std::string &name);
    /// A name that is free: this one, or with a number behind it.
    std::string freeName(const std::string &wanted) const;

    /// All of the folder, by name, those that are broken included. A folder that is not there yet has none.
    Result<std::vector<OwnScenario>> list() const;
    /// Absent: there is no such file.
    std::optional<OwnScenario> find(const std::string &name) const;

    /// `seen`: the text that the file had when it was read, or was shown to a person who wants it replaced; absent:
    /// there is to be no such file.
    Result<void> save(const std::string &name, const QByteArray &text, const std::optional<QByteArray> &seen) const;
    /// The text of it as it is under its new name, which has to be free.
    Result<QByteArray> rename(const std::string &from, const std::string &to, const QByteArray &seen) const;
    Result<void> remove(const std::string &name, const QByteArray &seen) const; // its file: what is kept of it stays

    // What was written and not saved when the program had to end, in a file NAME.json.unsaved beside that of the
    // scenario: behind a first line with what that had, in Base64.

    /// `takenUp`: what was kept before and went into this text. Anything else that is kept already, such as by another
    /// window that was ended at the same time, stays: then it is kept under a name that is free.
    Result<void> keepUnsaved(const std::string &name, const QByteArray &text, const QByteArray &seen,
        const std::optional<QByteArray> &takenUp = {}) const;
    struct Unsaved {
        QByteArray text;
        QByteArray seen; // what its file had when it was opened or saved last
        QDateTime keptAt;
    };
    std::optional<Unsaved> unsaved(const std::string &name) const;
    std::vector<std::string> unsavedNames() const; // also of those whose own file is gone
    /// What was kept becomes the file, which is gone or never was.
    Result<void> giveFileBack(const std::string &name) const;
    void forgetUnsaved(const std::string &name, const QByteArray &text) const; // if that is what is kept

    /// Of any place on the disk, to be taken in.
    static Result<QByteArray> readFile(const QString &path);

    /// The text with another name in it; as it is, where it is no JSON of an object.
    static QByteArray withName(const QByteArray &text, const std::string &name);

private:
    QString unsavedFileOf(const std::string &name) const;
    Result<void> write(const QString &path, const std::string &name, const QByteArray &text) const;
    Result<void> checkUnchanged(const std::string &name, const std::optional<QByteArray> &seen) const;
    OwnScenario read(const std::string &name) const;

    QString m_folder;
};

} // namespace lockui::lab
