// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/audit_follower.h"

#include "lockcore/service/threads/worker_thread.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTimer>
#include <functional>
#include <utility>

namespace lockcore::service {

namespace {

/// Where there is a folder already, in which what leads to the file will appear.
QString nearestFolder(const QString &file)
{
    QString folder = QFileInfo(file).absolutePath();
    while (!QFileInfo::exists(folder) && folder != QDir::rootPath())
        folder = QFileInfo(folder).absolutePath();
    return folder;
}

/// Looks at the file whenever something says that it may have changed.
/// Thread: the worker's.
class AuditWatch : public QObject {
public:
    using Tell = std::function<void(const AuditReport &)>;

    AuditWatch(QString file, std::int64_t most, Tell tell)
        : m_file(std::move(file))
        , m_most(most)
        , m_tell(std::move(tell))
        , m_reader(m_file, most)
    {
        // File systems of a network tell nothing of what other computers write.
        constexpr std::chrono::seconds Untold{ 3 };
        m_timer.setInterval(Untold);
        connect(&m_timer, &QTimer::timeout, this, &AuditWatch::look);
        connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &AuditWatch::look);
        connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &AuditWatch::look);
    }

    void follow()
    {
        m_timer.start();
        look();
    }

    void rest()
    {
        m_timer.stop();
        if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
            m_watcher.removePaths(watched);
    }

private:
    void look()
    {
        if (!m_timer.isActive())
            return; // it rests by now
        watch();
        constexpr std::int64_t AtOnce
            = std::int64_t{ 512 } * 1024; // so that a rest is not long in coming, and rows show soon
        AuditReport report;
        report.isThere = QFileInfo::exists(m_file);
        if (!report.isThere) {
            report.restarted = std::exchange(m_wasThere, false);
            m_reader = AuditReader(m_file, m_most);
            return tell(std::move(report));
        }
        auto step = m_reader.read(AtOnce);
        if (!step) {
            report.error = step.error();
            return tell(std::move(report));
        }
        m_wasThere = true;
        report.restarted = step->restarted;
        report.isReading = step->hasMore;
        report.news = std::move(step->news);
        const bool goesOn = report.isReading;
        tell(std::move(report));
        if (goesOn)
            QMetaObject::invokeMethod(this, &AuditWatch::look, Qt::QueuedConnection);
    }

    /// A file that was replaced is not the one any more that was watched.
    void watch()
    {
        const QString folder = nearestFolder(m_file);
        if (!m_watcher.directories().contains(folder)) {
            if (!m_watcher.directories().isEmpty())
                m_watcher.removePaths(m_watcher.directories());
            m_watcher.addPath(folder);
        }
        if (!m_watcher.files().contains(m_file) && QFileInfo::exists(m_file))
            m_watcher.addPath(m_file);
    }

    void tell(AuditReport report)
    {
        report.damagedLines = m_reader.damagedLines();
        report.passedOver = m_reader.passedOver();
        m_tell(report);
    }

    const QString m_file;
    const std::int64_t m_most;
    const Tell m_tell;
    AuditReader m_reader;
    bool m_wasThere = false;
    QFileSystemWatcher m_watcher{ this };
    QTimer m_timer{ this };
};

} // namespace

class AuditFollower::Private {
public:
    explicit Private(AuditFollower *owner)
        : q(owner)
    {
    }

    void follow(const QString &file, std::int64_t most)
    {
        if (!thread || file != followed) {
            stop();
            followed = file;
            thread
                = std::make_unique<WorkerThread<AuditWatch>>(QStringLiteral("audit"), [this, file, most, turn = turns] {
                      return std::make_unique<AuditWatch>(
                          file, most, [this, turn](const AuditReport &report) { onOwnThread(turn, report); });
                  });
        }
        thread->run([](AuditWatch &watch) { watch.follow(); });
    }

    /// What is on its way is of a file that is not wanted any more.
    void stop()
    {
        thread.reset();
        ++turns;
    }

    void onOwnThread(int turn, const AuditReport &report)
    {
        const auto tell = [this, turn, report] {
            if (turn == turns)
                Q_EMIT q->reported(report);
        };
        QMetaObject::invokeMethod(q, tell, Qt::QueuedConnection);
    }

    AuditFollower *q;
    QString followed;
    int turns = 0; // one for each file; changed by the own thread alone
    std::unique_ptr<WorkerThread<AuditWatch>> thread; // last: its end must find the rest
};

AuditFollower::AuditFollower(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

AuditFollower::~AuditFollower() = default;

void AuditFollower::follow(const QString &file, std::int64_t most) { d->follow(file, most); }

void AuditFollower::stop() { d->stop(); }

void AuditFollower::rest()
{
    if (d->thread)
        d->thread->run([](AuditWatch &watch) { watch.rest(); });
}

} // namespace lockcore::service
