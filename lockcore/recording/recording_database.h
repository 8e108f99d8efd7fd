// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariant>
#include <map>
#include <memory>
#include <optional>

class QLockFile;
class QSqlError;

namespace lockcore::recording {

/// A moment as it stands in rows, and back.
inline qint64 number(MonoTime time) { return time.time_since_epoch().count(); }
inline MonoTime toTime(qint64 number) { return MonoTime(MonoTime::duration(number)); }

/// The first so many values of a row as they were written, for which their checksum stands.
QVariantList valuesOf(const QSqlQuery &row, int columns);

/// Whether it is the file that is damaged.
bool isDamage(const Error &error);

/// A recording as an SQLite file: opened, made or brought to this version's schema.
/// Errors: local/file-failed in words for the person who named the file.
/// Thread: the one that opened it.
class RecordingDatabase {
public:
    /// Made where there is none; one that is there is gone on with.
    [[nodiscard]] static Result<std::unique_ptr<RecordingDatabase>> openToWrite(const QString &file);
    /// Nothing of it is changed.
    [[nodiscard]] static Result<std::unique_ptr<RecordingDatabase>> openToRead(const QString &file);
    ~RecordingDatabase();
    RecordingDatabase(const RecordingDatabase &) = delete;
    RecordingDatabase &operator=(const RecordingDatabase &) = delete;

    /// A statement, prepared once, with values for its question marks. Null: failed, and `error` says why.
    QSqlQuery *run(const char *statement, const QVariantList &values = {});
    /// After its rows: none of them is missing because the file is damaged.
    [[nodiscard]] Result<void> end(QSqlQuery &query);
    /// A statement whose rows, if there are any, do not matter.
    bool execute(const char *statement, const QVariantList &values = {});
    /// What is stored beside values, so that a damaged one is noticed.
    static std::int64_t checksum(const QVariantList &values);
    /// Values as read, with the sum read beside them.
    bool isIntact(const QVariantList &values, const QVariant &sum) const;
    bool hasSums() const { return m_hasSums; } // not before version 2
    bool hasNumberedFields() const { return m_hasNumberedFields; } // not before version 3
    /// The file was copied while it was recorded to, and without its log: what was written last is missing.
    bool lacksLog() const { return m_lacksLog; }
    /// The end of the file is missing: rows are there until one that is not.
    bool isCutShort() const { return m_isCutShort; }
    /// Of one that is only read: its first picture that needs none before it. Absent: it has none that can be found.
    std::optional<MonoTime> beginning() const { return m_beginning; }
    /// That it is damaged there, told by how long after its beginning that is.
    tl::unexpected<Error> damagedAt(MonoTime moment) const;
    /// What was read: where it is the file that is damaged, that is behind what could be read of it last.
    [[nodiscard]] Result<void> placed(Result<void> read, MonoTime last) const;

    /// What is read while it lives is of one moment, though the recording is written to meanwhile.
    class OneMoment {
    public:
        explicit OneMoment(RecordingDatabase &database);
        ~OneMoment();
        OneMoment(const OneMoment &) = delete;
        OneMoment &operator=(const OneMoment &) = delete;

    private:
        RecordingDatabase &m_database;
    };

    bool begin() { return execute("BEGIN IMMEDIATE"); }
    bool commit() { return execute("COMMIT"); }
    void rollBack() { execute("ROLLBACK"); }
    /// Of a statement with one number as its answer; absent: it has none, or failed.
    std::optional<std::int64_t> number(const char *statement, const QVariantList &values = {});

    /// The same, of one with a moment as its value and its answer.
    std::optional<MonoTime> moment(const char *statement, MonoTime than);

    const Error &error() const { return m_error; }
    const Said &context() const { return m_context; }
    std::int64_t bytesUsed(); // pages in use
    std::int64_t bytesOfFile();

private:
    explicit RecordingDatabase(const QString &file);

    Result<void> open(const QString &name, const QString &options);
    Result<void> lockForWriting();
    void makePrivate();
    Result<void> checkVersion(bool toWrite);
    Result<void> findBeginning();
    Result<void> create();
    void failed(const QSqlError &error);

    QString m_file;
    QString m_connection;
    Said m_context;
    Error m_error;
    bool m_hasSums = true;
    bool m_hasNumberedFields = true;
    bool m_lacksLog = false;
    bool m_isCutShort = false;
    std::optional<MonoTime> m_beginning;
    int m_moments = 0; // one within the other
    QSqlDatabase m_database;
    std::map<const char *, QSqlQuery> m_statements; // by the literal itself
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace lockcore::recording
