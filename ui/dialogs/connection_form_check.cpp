// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_form.h"

#include "lockcore/synchronizers/token_recognition.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <limits>

/// What is wrong in the fields of a connection.
namespace lockui {

using lockcore::transport::Topology;

namespace {

bool isNumber(const QString &text, int least, int most)
{
    bool ok = false;
    const int value = text.toInt(&ok);
    return ok && value >= least && value <= most;
}

bool hasSpace(const QString &text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.isSpace() || !c.isPrint(); });
}

/// CLIENT SETNAME takes printable ASCII without spaces.
bool isClientName(const QString &text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c > u' ' && c <= u'~'; });
}

} // namespace

void ConnectionForm::check()
{
    const bool overSocket = topology() == Topology::Single && !m_socket.edit->text().trimmed().isEmpty();
    for (QWidget *widget :
        { static_cast<QWidget *>(m_host.edit), static_cast<QWidget *>(m_port.edit), static_cast<QWidget *>(m_tls) })
        widget->setEnabled(!overSocket);
    m_tlsFields->setVisible(m_tls->isChecked() && !overSocket);

    const auto text = [](const Field &field) { return field.edit->text().trimmed(); };
    m_problems = 0;
    say(m_url, m_urlProblem);
    say(m_host,
        overSocket || m_setAside     ? QString()
            : text(m_host).isEmpty() ? tr("Enter a host name or an address.")
            : hasSpace(text(m_host)) ? tr("A host has no spaces.")
                                     : QString());
    say(m_port, overSocket || isNumber(text(m_port), 1, 65'535) ? QString() : tr("A number from 1 to 65535."));
    say(m_socket,
        overSocket && !text(m_socket).startsWith(QLatin1Char('/')) ? tr("Enter the whole path, from /.") : QString());
    say(m_user, hasSpace(text(m_user)) ? tr("A user name has no spaces.") : QString());
    say(m_clientName, isClientName(text(m_clientName)) ? QString() : tr("Only printable ASCII, no spaces."));
    const bool cluster = topology() == Topology::Cluster;
    const int mostDatabase = cluster ? 0 : std::numeric_limits<int>::max();
    say(m_database,
        isNumber(text(m_database), 0, mostDatabase) ? QString()
            : cluster                               ? tr("A cluster has database 0 only.")
                                                    : tr("A number from 0."));
    const QString name = m_name.edit->text();
    const bool printable = std::all_of(name.begin(), name.end(), [](QChar c) { return c.isPrint(); });
    say(m_name, printable ? QString() : tr("Only printable characters."));
    const auto also = lockcore::synchronizers::checkTokenNames(tokenNames());
    say(m_alsoLocks, also ? QString() : errorReason(also.error()));
    m_name.edit->setPlaceholderText(displayText(deployment().display(), 80));
    checkServers();
    checkTls();
    Q_EMIT changed();
}

void ConnectionForm::checkServers()
{
    const bool sentinels = topology() == Topology::Sentinel;
    show(m_socket, topology() == Topology::Single);
    show(m_more, topology() != Topology::Single);
    for (const Field &field : { m_master, m_sentinelUser, m_sentinelPassword })
        show(field, sentinels);
    const bool isMasterMissing = sentinels && !m_setAside && m_master.edit->text().trimmed().isEmpty();
    say(m_master, isMasterMissing ? tr("As the sentinels call it.") : QString());
    const auto more = serversIn(m_more.edit->text(), topology());
    say(m_more, topology() == Topology::Single || more ? QString() : errorReason(more.error()));
}

void ConnectionForm::show(const Field &field, bool shown)
{
    field.edit->setVisible(shown);
    for (QWidget *widget : field.beside)
        widget->setVisible(shown);
}

void ConnectionForm::checkTls()
{
    const bool used = m_tls->isChecked() && m_tls->isEnabled();
    for (const Field &field : { m_caFile, m_certificate, m_key }) {
        const QFileInfo file(field.edit->text().trimmed());
        const bool missing = used && !file.filePath().isEmpty() && !(file.isFile() && file.isReadable());
        say(field, missing ? tr("There is no such file that can be read.") : QString());
    }
    const bool certificate = !m_certificate.edit->text().trimmed().isEmpty();
    const bool key = !m_key.edit->text().trimmed().isEmpty();
    if (used && certificate && !key)
        say(m_key, tr("The certificate needs its key."));
    if (used && key && !certificate)
        say(m_certificate, tr("The key needs its certificate."));
    say(m_serverName, used && hasSpace(m_serverName.edit->text().trimmed()) ? tr("A host has no spaces.") : QString());
}

void ConnectionForm::say(const Field &field, const QString &problem)
{
    if (!problem.isEmpty())
        ++m_problems;
    field.reason->setText(problem);
    field.reason->setVisible(!problem.isEmpty());
    field.edit->setAccessibleDescription(problem);
    setStyleProperty(*field.edit, "invalid", problem.isEmpty() ? QString() : QStringLiteral("true"));
}

} // namespace lockui
