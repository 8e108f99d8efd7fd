// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recording_database.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSqlError>
#include <QUrl>
#include <QUuid>
#include <QtEndian>
#include <algorithm>
#include <string>
#include <vector>

namespace lockcore::recording {

namespace {

constexpr std::int64_t ApplicationId = 0x4C6B5363; // "LkSc"
constexpr std::int64_t Version = 4;
constexpr std::int64_t FirstWithSums = 2;
constexpr std::int64_t FirstWithNumberedFields = 3; // and with the tables of today

/// Times are microseconds of the recording's time line, `wall` milliseconds of the wall clock; names are bytes.
/// A frame that is whole stands for itself and begins a segment, any other is what changed since the one before;
/// `before` is the checksum of that one, and `frame` that of the last one: so it is noticed where one is missing.
/// `event_gap_again` tells where `event_gap` is damaged and hides one; recordings of before it have the latter alone.
/// `clock`: how far the line is ahead of the wall clock from then on. `sum`: the checksum of the row before it.
/// Since version 4 there are events of servers. They have no owner: `client` is the command that was slow or the former
/// master, and `thread` the command's key; `count` is 1 for a slow command with a name that Lockscope itself sent.
const char *const Schema[] = {
    // clang-tidy takes a long line's parts for two statements. NOLINTBEGIN(bugprone-suspicious-missing-comma)
    "CREATE TABLE session(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, "
    "frame INTEGER NOT NULL, sum INTEGER NOT NULL)",
    "CREATE TABLE clock(at INTEGER PRIMARY KEY, ahead INTEGER NOT NULL, sum INTEGER NOT NULL)",
    "CREATE TABLE frame(at INTEGER PRIMARY KEY, whole INTEGER NOT NULL, data BLOB NOT NULL, before INTEGER NOT NULL, "
    "sum INTEGER NOT NULL)",
    "CREATE INDEX frame_whole ON frame(at) WHERE whole = 1",
    "CREATE TABLE event(at INTEGER NOT NULL, number INTEGER NOT NULL, wall INTEGER NOT NULL, kind INTEGER NOT NULL, "
    "lock BLOB NOT NULL, lock_kind INTEGER, client BLOB, thread BLOB, count INTEGER, ttl INTEGER, node BLOB NOT NULL, "
    "certainty INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(at, number)) WITHOUT ROWID",
    // NOLINTEND(bugprone-suspicious-missing-comma)
    "CREATE INDEX event_gap ON event(at) WHERE kind = 14",
    "CREATE INDEX event_gap_again ON event(at) WHERE kind = 14",
    "CREATE TABLE tally(second INTEGER PRIMARY KEY, events INTEGER NOT NULL)",
};

/// Version 1 had no checksums, and took the time line for the wall clock. Its tables are read as if they had them.
const char *const ReadAsToday[] = {
    "CREATE TEMP VIEW session AS SELECT *, NULL AS frame, NULL AS sum FROM main.session",
    "CREATE TEMP VIEW clock AS SELECT first AS at, 0 AS ahead, NULL AS sum FROM main.session",
    "CREATE TEMP VIEW frame AS SELECT *, NULL AS before, NULL AS sum FROM main.frame",
    "CREATE TEMP VIEW event AS SELECT *, NULL AS sum FROM main.event",
};

namespace sqlite { // its result codes
constexpr int Busy = 5;
constexpr int Locked = 6;
constexpr int ReadOnly = 8;
constexpr int InputOutput = 10;
constexpr int Corrupt = 11;
constexpr int Full = 13;
constexpr int CannotOpen = 14;
constexpr int NotADatabase = 26;
} // namespace sqlite

Said whyOf(const QSqlError &error)
{
    switch (error.nativeErrorCode().toInt() & 0xff) {
    case sqlite::Busy:
    case sqlite::Locked:
        return { Phrase::FileInUse };
    case sqlite::ReadOnly:
        return { Phrase::FileReadOnly };
    case sqlite::InputOutput:
        return { Phrase::FileUnusable };
    case sqlite::Corrupt:
        return { Phrase::FileDamaged };
    case sqlite::Full:
        return { Phrase::DiskFull };
    case sqlite::CannotOpen:
        return { Phrase::FileUnopened };
    case sqlite::NotADatabase:
        return { Phrase::NotARecording };
    default:
        return { Phrase::Words,
            { (error.databaseText().isEmpty() ? error.driverText() : error.databaseText()).toStdString() } };
    }
}

/// Whether it was in use with a write-ahead log, and nobody ended that: SQLite's header says 2 for how it is written.
bool wantsLog(const QString &name)
{
    constexpr qint64 WrittenHow = 18;
    QFile file(name);
    return file.open(QIODevice::ReadOnly) && file.seek(WrittenHow) && file.read(1) == QByteArray(1, 2);
}

/// Whether there are fewer bytes than SQLite's header says: pages of which size, and how many.
bool isShorterThanItSays(const QString &name)
{
    constexpr qsizetype Header = 32;
    constexpr qsizetype PageSize = 16;
    constexpr qsizetype PageCount = 28;
    QFile file(name);
    const QByteArray header = file.open(QIODevice::ReadOnly) ? file.read(Header) : QByteArray();
    return header.size() == Header
        && file.size() < qint64(qFromBigEndian<quint16>(header.constData() + PageSize))
            * qFromBigEndian<quint32>(header.constData() + PageCount);
}

} // namespace

QVariantList valuesOf(const QSqlQuery &row, int columns)
{
    QVariantList values;
    for (int column = 0; column < columns; ++column)
        values.append(row.isNull(column) ? QVariant() : row.value(column));
    return values;
}

bool isDamage(const Error &error) { return says(error, Phrase::FileDamaged) || says(error, Phrase::DamagedAt); }

RecordingDatabase::RecordingDatabase(const QString &file)
    : m_file(QFileInfo(file).absoluteFilePath())
    , m_connection(QStringLiteral("recording ") + QUuid::createUuid().toString())
    , m_context{ Phrase::ARecording, { file.toStdString() } }
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection))
{
}

RecordingDatabase::~RecordingDatabase()
{
    m_statements.clear();
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<RecordingDatabase>> RecordingDatabase::openToRead(const QString &file)
{
    std::unique_ptr<RecordingDatabase> database(new RecordingDatabase(file));
    const QFileInfo info(file);
    if (!info.exists())
        return failure(ErrorCode::FileFailed, { Phrase::NoSuchFile }, database->m_context);
    if (!info.isFile())
        return failure(ErrorCode::FileFailed, { Phrase::NotAFile }, database->m_context);
    if (!info.isReadable())
        return failure(ErrorCode::FileFailed, { Phrase::FileUnreadable }, database->m_context);
    const bool hasLog = QFileInfo::exists(database->m_file + QStringLiteral("-wal"));
    database->m_lacksLog = !hasLog && wantsLog(database->m_file);
    database->m_isCutShort = !hasLog && isShorterThanItSays(database->m_file);
    // Where nothing can be written beside it, only a file that nobody writes to can be read. Without the log that it
    // had, it is read as it is: an empty new one would hide that it had one.
    const bool beside = QFileInfo(info.absolutePath()).isWritable();
    QString name = database->m_file;
    if (database->m_lacksLog || (!beside && !hasLog))
        name = QString::fromLatin1(QUrl::fromLocalFile(name).toEncoded()) + QStringLiteral("?immutable=1");
    return database->open(name, QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI;QSQLITE_BUSY_TIMEOUT=2000"))
        .and_then([&] {
            // Else SQLite refuses the whole file for the pages that are missing; nothing is written all the same.
            if (database->m_isCutShort)
                database->execute("PRAGMA writable_schema = ON");
            return database->checkVersion(false);
        })
        .and_then([&] { return database->findBeginning(); })
        .map([&] { return std::move(database); });
}

RecordingDatabase::OneMoment::OneMoment(RecordingDatabase &database)
    : m_database(database)
{
    if (m_database.m_moments++ == 0)
        m_database.execute("BEGIN");
}

RecordingDatabase::OneMoment::~OneMoment()
{
    if (--m_database.m_moments == 0)
        m_database.execute("COMMIT");
}

Result<void> RecordingDatabase::findBeginning()
{
    constexpr std::int64_t None = -1;
    const auto first = number("SELECT coalesce(min(at), -1) FROM frame WHERE whole = 1");
    if (!first && !m_isCutShort && !m_lacksLog)
        return tl::unexpected(m_error);
    if (first.value_or(None) != None)
        m_beginning = toTime(*first);
    return {};
}

tl::unexpected<Error> RecordingDatabase::damagedAt(MonoTime moment) const
{
    const MonoTime beginning = m_beginning.value_or(moment);
    const auto passed = std::chrono::duration_cast<Millis>(std::max(moment, beginning) - beginning);
    return failure(ErrorCode::FileFailed, { Phrase::DamagedAt, { std::to_string(passed.count()) } }, m_context);
}

Result<void> RecordingDatabase::placed(Result<void> read, MonoTime last) const
{
    return !read && isDamage(read.error()) ? damagedAt(last) : read;
}

Result<std::unique_ptr<RecordingDatabase>> RecordingDatabase::openToWrite(const QString &file)
{
    std::unique_ptr<RecordingDatabase> database(new RecordingDatabase(file));
    return database->lockForWriting()
        .and_then([&] {
            database->makePrivate();
            return database->open(database->m_file, QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
        })
        .and_then([&] { return database->checkVersion(true); })
        .map([&] { return std::move(database); });
}

/// A new file is its owner's from its first moment on, and SQLite gives those beside it the same rights. SQLite says
/// what is wrong where it cannot be made.
void RecordingDatabase::makePrivate()
{
    QFile file(m_file);
    if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly, QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        file.close();
}

Result<void> RecordingDatabase::open(const QString &name, const QString &options)
{
    if (!m_database.isValid())
        return failure(ErrorCode::FileFailed, { Phrase::NoSqlite }, m_context);
    m_database.setConnectOptions(options);
    m_database.setDatabaseName(name);
    if (m_database.open())
        return {};
    failed(m_database.lastError());
    return tl::unexpected(m_error);
}

/// SQLite keeps writers apart by the transaction; two recordings in one file must be kept apart altogether.
Result<void> RecordingDatabase::lockForWriting()
{
    m_lock = std::make_unique<QLockFile>(m_file + QStringLiteral(".lock"));
    m_lock->setStaleLockTime(0); // held for as long as its process lives
    if (m_lock->tryLock())
        return {};
    return failure(ErrorCode::FileFailed,
        { m_lock->error() == QLockFile::LockFailedError ? Phrase::AlreadyRecording : Phrase::CannotMakeFile },
        m_context);
}

Result<void> RecordingDatabase::checkVersion(bool toWrite)
{
    const auto application = number("PRAGMA application_id");
    const auto version = number("PRAGMA user_version");
    const auto tables = number("SELECT count(*) FROM sqlite_master");
    if (!application || !version || !tables)
        return tl::unexpected(m_error);
    if (toWrite && *application == 0 && *version == 0 && *tables == 0)
        return create();
    if (*application != ApplicationId)
        return failure(ErrorCode::FileFailed, { Phrase::NotARecording }, m_context);
    if (*version < FirstWithNumberedFields && toWrite)
        return failure(ErrorCode::FileFailed, { Phrase::OldRecording }, m_context);
    if (*version < Version && toWrite && !execute("PRAGMA user_version = 4"))
        return tl::unexpected(m_error);
    for (const char *view : ReadAsToday) {
        if (*version < FirstWithSums && !execute(view))
            return tl::unexpected(m_error);
    }
    m_hasSums = *version >= FirstWithSums;
    m_hasNumberedFields = *version >= FirstWithNumberedFields;
    if (*version > Version)
        return failure(ErrorCode::FileFailed,
            { Phrase::NewerRecording, { std::to_string(*version), std::to_string(Version) } }, m_context);
    return {};
}

Result<void> RecordingDatabase::create()
{
    // Space that becomes free can be given back, little by little.
    bool done = execute("PRAGMA auto_vacuum = INCREMENTAL") && begin();
    for (const char *statement : Schema)
        done = done && execute(statement);
    static_assert(ApplicationId == 1282102115 && Version == 4);
    done = done && execute("PRAGMA application_id = 1282102115") && execute("PRAGMA user_version = 4") && commit();
    if (done)
        return {};
    return tl::unexpected(m_error);
}

QSqlQuery *RecordingDatabase::run(const char *statement, const QVariantList &values)
{
    auto place = m_statements.find(statement);
    if (place == m_statements.end()) {
        QSqlQuery query(m_database);
        query.setForwardOnly(true);
        if (!query.prepare(QLatin1String(statement))) {
            failed(query.lastError());
            return nullptr;
        }
        place = m_statements.emplace(statement, std::move(query)).first;
    }
    QSqlQuery &query = place->second;
    for (qsizetype i = 0; i < values.size(); ++i)
        query.bindValue(static_cast<int>(i), values[i]);
    if (query.exec())
        return &query;
    failed(query.lastError());
    query.finish();
    return nullptr;
}

bool RecordingDatabase::execute(const char *statement, const QVariantList &values)
{
    QSqlQuery *query = run(statement, values);
    if (query == nullptr)
        return false;
    while (query->isSelect() && query->next()) { }
    return end(*query).has_value();
}

Result<void> RecordingDatabase::end(QSqlQuery &query)
{
    const QSqlError error = query.lastError();
    query.finish();
    if (!error.isValid())
        return {};
    failed(error);
    return tl::unexpected(m_error);
}

std::optional<MonoTime> RecordingDatabase::moment(const char *statement, MonoTime than)
{
    const auto found = number(statement, { recording::number(than) });
    return found ? std::optional(toTime(*found)) : std::nullopt;
}

std::optional<std::int64_t> RecordingDatabase::number(const char *statement, const QVariantList &values)
{
    QSqlQuery *query = run(statement, values);
    if (query == nullptr)
        return std::nullopt;
    const bool found = query->next() && !query->isNull(0);
    const auto number = found ? std::optional(query->value(0).toLongLong()) : std::nullopt;
    return end(*query) ? number : std::nullopt;
}

std::int64_t RecordingDatabase::checksum(const QVariantList &values)
{
    QCryptographicHash hash(QCryptographicHash::Md5); // against accidents, not against people
    for (const QVariant &value : values) {
        const bool isBytes = value.typeId() == QMetaType::QByteArray;
        const QByteArray bytes = isBytes ? value.toByteArray() : QByteArray();
        const qint64 number = isBytes ? bytes.size() : value.toLongLong();
        const char type = value.isNull() ? 'n' : isBytes ? 'b' : 'i';
        hash.addData({ &type, 1 });
        hash.addData({ reinterpret_cast<const char *>(&number), sizeof number });
        hash.addData(bytes);
    }
    return qFromLittleEndian<quint32>(hash.result().constData());
}

bool RecordingDatabase::isIntact(const QVariantList &values, const QVariant &sum) const
{
    return m_hasSums ? !sum.isNull() && sum.toLongLong() == checksum(values) : sum.isNull();
}

void RecordingDatabase::failed(const QSqlError &error)
{
    m_error = errorOf(ErrorCode::FileFailed, whyOf(error), m_context);
}

std::int64_t RecordingDatabase::bytesUsed()
{
    const auto pages = number("PRAGMA page_count").value_or(0) - number("PRAGMA freelist_count").value_or(0);
    return pages * number("PRAGMA page_size").value_or(0);
}

std::int64_t RecordingDatabase::bytesOfFile() { return QFileInfo(m_file).size(); }

} // namespace lockcore::recording
