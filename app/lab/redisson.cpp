// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/redisson.h"

#include "app/common/words.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QVersionNumber>
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

/// Outside of any namespace, as Qt wants it.
static void loadRedissonSource() { Q_INIT_RESOURCE(redisson); }

namespace app {

using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::transport::Deployment;
using lockcore::transport::Topology;

namespace {

tl::unexpected<lockcore::Error> missing(const QString &what)
{
    return tl::unexpected(complaint(ErrorCode::FileFailed, what, Words::tr("looking for Redisson").toStdString()));
}

/// One that runs a program from its source: a Java alone lacks the compiler.
Result<QString> findJava()
{
    const QString home = qEnvironmentVariable("JAVA_HOME");
    QString java = home.isEmpty()
        ? QString()
        : QStandardPaths::findExecutable(QStringLiteral("java"), { home + QStringLiteral("/bin") });
    if (java.isEmpty())
        java = QStandardPaths::findExecutable(QStringLiteral("java"));
    if (java.isEmpty())
        return missing(Words::tr("Java is not installed; install a JDK from version 11 on, such as the package "
                                 "default-jdk-headless"));
    const QDir folder = QFileInfo(QFileInfo(java).canonicalFilePath()).dir();
    if (!folder.exists(QStringLiteral("javac")))
        return missing(Words::tr("%1 has no compiler; install a JDK from version 11 on, such as the package "
                                 "default-jdk-headless")
                           .arg(java));
    return java;
}

/// Of `redisson-4.7.0.jar` and `redisson-all-4.7.0.jar`: 4.7.0; empty: another jar.
QString redissonVersion(const QString &jar)
{
    static const QRegularExpression name(QStringLiteral("^redisson(?:-all)?-(\\d[^/]*)\\.jar$"));
    return name.match(QFileInfo(jar).fileName()).captured(1);
}

QStringList jarsAt(const QString &place)
{
    if (!QFileInfo(place).isDir())
        return { place };
    QStringList jars;
    for (const QFileInfo &file : QDir(place).entryInfoList({ QStringLiteral("*.jar") }, QDir::Files, QDir::Name))
        jars << file.absoluteFilePath();
    return jars;
}

bool isVersion(const QString &found, const QString &wanted)
{
    return wanted.isEmpty() || found == wanted || found.startsWith(wanted + u'.');
}

} // namespace

QStringList redissonPlaces()
{
    return qEnvironmentVariable("LOCKSCOPE_REDISSON").split(QDir::listSeparator(), Qt::SkipEmptyParts);
}

Result<Redisson> findRedisson(const QStringList &places, const std::string &version)
{
    const auto java = findJava();
    if (!java)
        return tl::unexpected(java.error());
    const QString wanted = QString::fromStdString(version);
    QStringList others;
    for (const QString &place : places) {
        if (!QFileInfo::exists(place))
            return missing(Words::tr("%1 of LOCKSCOPE_REDISSON or --redisson does not exist").arg(place));
        QStringList jars = jarsAt(place);
        const auto chosen = std::ranges::find_if(jars, [&](const QString &jar) {
            const QString found = redissonVersion(jar);
            if (!found.isEmpty() && !isVersion(found, wanted))
                others << found;
            return !found.isEmpty() && isVersion(found, wanted);
        });
        if (chosen == jars.end())
            continue;
        const QString redisson = *chosen;
        // Two versions in one program would be neither of them.
        jars.removeIf([&](const QString &jar) { return jar != redisson && !redissonVersion(jar).isEmpty(); });
        return Redisson{ *java, jars, redissonVersion(redisson) };
    }
    const QString name = wanted.isEmpty() ? QStringLiteral("Redisson") : QStringLiteral("Redisson ") + wanted;
    const QString todo
        = Words::tr("LOCKSCOPE_REDISSON or --redisson names its jar with all in it, redisson-all-….jar, or "
                    "a folder with redisson-….jar and the jars that it needs");
    return missing(others.isEmpty()
            ? Words::tr("%1 is missing: %2").arg(name, todo)
            : Words::tr("%1 is missing, there is %3: %2").arg(name, todo, others.join(QStringLiteral(", "))));
}

bool knowsPlainMessagesAlone(const Redisson &redisson)
{
    return QVersionNumber::fromString(redisson.version) < QVersionNumber(3, 22);
}

QStringList redissonArguments(const Redisson &redisson, const QString &sourceFile, const Deployment &servers,
    const lockui::lab::Scenario &scenario)
{
    const auto topology = [&] {
        switch (servers.topology) {
        case Topology::Single:
            return QStringLiteral("single");
        case Topology::Sentinel:
            return QStringLiteral("sentinel");
        case Topology::Cluster:
            return QStringLiteral("cluster");
        case Topology::Nodes:
            break;
        }
        return QStringLiteral("nodes");
    };
    QStringList urls;
    for (const auto &seed : servers.seeds)
        urls << QStringLiteral("redis://%1:%2").arg(QString::fromStdString(seed.host)).arg(seed.port);
    // Small, soon ready, and nothing of it is left in the temporary folder.
    QStringList arguments{ QStringLiteral("-XX:+UseSerialGC"), QStringLiteral("-XX:TieredStopAtLevel=1"),
        QStringLiteral("-Xmx256m"), QStringLiteral("-XX:-UsePerfData"), QStringLiteral("-cp"),
        redisson.jars.join(QDir::listSeparator()), QStringLiteral("--source"), QStringLiteral("11"), sourceFile,
        topology(), urls.join(u','), QString::number(scenario.watchdog.count()),
        QString::number(scenario.fairWait.count()) };
    if (servers.topology == Topology::Sentinel)
        arguments << QString::fromStdString(servers.masterName);
    return arguments;
}

RedissonSource::RedissonSource()
    : m_descriptor(::memfd_create("ScenarioClient.java", MFD_CLOEXEC))
{
    loadRedissonSource();
    QFile source(QStringLiteral(":/lockscope/redisson/ScenarioClient.java"));
    QFile file;
    if (source.open(QIODevice::ReadOnly) && file.open(m_descriptor, QIODevice::WriteOnly))
        file.write(source.readAll());
}

RedissonSource::~RedissonSource() { ::close(m_descriptor); }

QString RedissonSource::path() const { return QStringLiteral("/proc/self/fd/%1").arg(m_descriptor); }

} // namespace app
