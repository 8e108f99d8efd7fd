// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/error_text.h"

#include "lockcore/service/actions/audit_entry.h"
#include "ui/text/display_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace lockui {

namespace {
struct ErrorText {
    Q_DECLARE_TR_FUNCTIONS(ErrorText)
};

/// A line of ACL rules may be long, and is to be copied.
QString whole(const std::string &bytes)
{
    constexpr qsizetype Most = 8'192;
    return displayText(bytes, Most);
}
} // namespace

QString errorText(lockcore::ErrorCode code)
{
    using lockcore::ErrorCode;
    switch (code) {
    case ErrorCode::HostNotFound:
        return ErrorText::tr("The host name has no address. Check its spelling and your DNS or VPN.");
    case ErrorCode::ConnectionRefused:
        return ErrorText::tr(
            "No server answers at this address. Check host and port, or the socket, and that the server runs.");
    case ErrorCode::ConnectTimeout:
        return ErrorText::tr("The server did not answer in time. Check host, port and any firewall between.");
    case ErrorCode::ReplyTimeout:
        return ErrorText::tr("The server stopped answering. It may be overloaded or blocked by a slow command.");
    case ErrorCode::ConnectionClosed:
        return ErrorText::tr("The connection was closed. The server may have restarted or dropped this client.");
    case ErrorCode::TlsFailed:
        return ErrorText::tr(
            "No TLS connection could be made. Check that this port speaks TLS, and what it asks of clients.");
    case ErrorCode::CertificateRejected:
        return ErrorText::tr("The server's certificate is not trusted for this host. "
                             "Name the authority that signed it, or the host it was made for.");
    case ErrorCode::NetworkOther:
        return ErrorText::tr("The network failed. Check the connection to the server.");
    case ErrorCode::MalformedReply:
        return ErrorText::tr(
            "The answer is not Redis' protocol. Check that the port is Redis', and whether it wants TLS.");
    case ErrorCode::ReplyTooLarge:
        return ErrorText::tr("An answer was larger than the safety limit, so it was not read.");
    case ErrorCode::AuthenticationFailed:
        return ErrorText::tr("The user name or the password is wrong or missing. Correct it and try again.");
    case ErrorCode::PermissionDenied:
        return ErrorText::tr("This user may not do that. Ask for the right in the server's ACL, or use another user.");
    case ErrorCode::Loading:
        return ErrorText::tr("The server is still loading its data. It will be tried again by itself.");
    case ErrorCode::ReadOnlyReplica:
        return ErrorText::tr("This is a read-only replica. Connect to its master to change anything.");
    case ErrorCode::NoScript:
        return ErrorText::tr("The server no longer knows the script. Try again.");
    case ErrorCode::WrongType:
        return ErrorText::tr("The key is of another type than a lock's. Nothing was changed.");
    case ErrorCode::OutOfMemory:
        return ErrorText::tr("The server is out of memory and refuses writes. Free memory there first.");
    case ErrorCode::ScriptBusy:
        return ErrorText::tr("The server is busy with a slow script. Try again when that has ended.");
    case ErrorCode::Moved:
        return ErrorText::tr(
            "Another node of the cluster keeps this. Connect to the cluster instead of one of its nodes.");
    case ErrorCode::ClusterBusy:
        return ErrorText::tr("A part of the cluster is down or being moved. Try again when that has ended.");
    case ErrorCode::ServerOther:
        return ErrorText::tr("The server refused. Its own words are below.");
    case ErrorCode::UnknownLayout:
        return ErrorText::tr("The data is not in a form that Redisson writes, so it was left alone.");
    case ErrorCode::InvalidArgument:
        return ErrorText::tr("Something entered cannot be right. Correct it and try again.");
    case ErrorCode::ReadOnlyMode:
        return ErrorText::tr("The connection is read-only. Switch it to writable first.");
    case ErrorCode::NotSupported:
        return ErrorText::tr("This version cannot do that.");
    case ErrorCode::FileFailed:
        return ErrorText::tr("A file could not be read or written. Check its path, its rights and what it holds.");
    case ErrorCode::Cancelled:
        return ErrorText::tr("It was cancelled.");
    case ErrorCode::NotHeld:
        return ErrorText::tr("The lock is not held by that client. Nothing was changed.");
    case ErrorCode::HolderChanged:
        return ErrorText::tr("The holders are no longer those that were seen. Nothing was changed.");
    case ErrorCode::LockLost:
        return ErrorText::tr("The lock was held until now and is gone without our doing.");
    case ErrorCode::AlreadyHeld:
        return ErrorText::tr("The lock is held by that client already and cannot be taken twice.");
    case ErrorCode::NotReplicated:
        return ErrorText::tr(
            "Too few replicas had the lock in time, so it was given back. Check the replication of the server.");
    case ErrorCode::ClientCertificateRejected:
        return ErrorText::tr("The server wants a certificate of this client, or does not accept the one it got. "
                             "Name one that it accepts, and its key.");
    }
    return {};
}

bool isDoneInPart(const lockcore::Error &error) { return says(error, lockcore::Phrase::DoneOn); }

QString errorText(const lockcore::Error &error)
{
    using lockcore::Phrase;
    if (isDoneInPart(error))
        return lockcore::service::mayHaveBeenDone(error.code)
            ? ErrorText::tr("It was done on some of the servers. Whether it was done on all is not known.")
            : ErrorText::tr("It was done on some of the servers, and not on all.");
    if (says(error, Phrase::NowhereAsSeen))
        return ErrorText::tr("None of the servers that are seen has it. Nothing was changed.");
    if (says(error, Phrase::QueueOfAnother))
        return ErrorText::tr("Who stands in this queue waits for another lock.");
    if (isOfSentinelLogin(error))
        return ErrorText::tr("The sentinels' own user name or password is wrong or missing. Correct it and try again.");
    if (says(error, Phrase::MaybeTlsPort))
        return ErrorText::tr(
            "The server closed the connection at once. Perhaps this port speaks TLS: then switch TLS on.");
    if (says(error, Phrase::IsSentinel))
        return ErrorText::tr("This is a sentinel. Choose Sentinel as the kind of server, and name the master.");
    if (says(error, Phrase::KeyIsEncrypted))
        return ErrorText::tr("The private key is encrypted. Name a file that has it decrypted.");
    if (says(error, Phrase::KeyOfAnotherCertificate))
        return ErrorText::tr("Certificate and private key do not belong together. Name those that do.");
    if (says(error, Phrase::OfCertificateAndKey))
        return ErrorText::tr("This client's certificate and private key cannot be used. Name others.");
    return errorText(error.code);
}

bool isOfSentinelLogin(const lockcore::Error &error)
{
    return error.code == lockcore::ErrorCode::AuthenticationFailed
        && std::ranges::any_of(
            error.tried, [](const lockcore::Said &tried) { return tried.phrase == lockcore::Phrase::AskingForMaster; });
}

QString phraseText(const lockcore::Said &said)
{
    if (said.phrase == lockcore::Phrase::Nothing)
        return {};
    if (said.phrase == lockcore::Phrase::Words)
        return said.details.empty() ? QString() : whole(said.details.front());
    const bool wasAsleep = said.phrase == lockcore::Phrase::WasAsleep;
    if ((wasAsleep || said.phrase == lockcore::Phrase::StoodStill) && !said.details.empty()) {
        const std::chrono::seconds time(QByteArray::fromStdString(said.details.front()).toLongLong());
        return (wasAsleep ? ErrorText::tr("this computer was asleep for %1: connecting again")
                          : ErrorText::tr("this program stood still for %1: connecting again"))
            .arg(durationText(time));
    }
    if (said.phrase == lockcore::Phrase::DamagedAt && !said.details.empty())
        return ErrorText::tr("it is damaged %1 after its beginning")
            .arg(ttlText(lockcore::Millis(QByteArray::fromStdString(said.details.front()).toLongLong())));
    QString text
        = QCoreApplication::translate("Phrase", rowOf(lockcore::Phrases, said.phrase).text); // marked beside the table
    if (said.details.empty())
        return text;
    const auto detail = [&said](std::size_t i) { return i < said.details.size() ? whole(said.details[i]) : QString(); };
    return said.details.size() == 1 ? text.arg(detail(0))
        : said.details.size() == 2  ? text.arg(detail(0), detail(1))
                                    : text.arg(detail(0), detail(1), detail(2));
}

QString errorReason(const lockcore::Error &error)
{
    QString text;
    for (const lockcore::Said &said : error.why)
        text += phraseText(said);
    return error.why.empty() ? whole(error.message) : text;
}

QString errorSentence(const lockcore::Error &error)
{
    QString text = errorReason(error);
    if (text.isEmpty())
        return text;
    text[0] = text[0].toUpper();
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

QString errorDetail(const lockcore::Error &error)
{
    QStringList parts;
    for (const lockcore::Said &said : error.tried)
        parts << phraseText(said);
    const QString tried = parts.isEmpty() ? whole(error.context) : parts.join(QStringLiteral(", "));
    return tried.isEmpty() ? errorReason(error)
                           : ErrorText::tr("%1: %2", "what was tried, why it failed").arg(tried, errorReason(error));
}

} // namespace lockui
