// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_form.h"

#include "ui/dialogs/connection_store.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <tuple>
#include <utility>

namespace lockui {

using lockcore::transport::Deployment;
using lockcore::transport::Endpoint;
using lockcore::transport::parseDeployment;
using lockcore::transport::TlsOptions;
using lockcore::transport::Topology;

namespace {

enum GridColumn { LeftLabel, Left, RightLabel, Right };

QGridLayout *formGrid(QWidget *parent)
{
    auto *grid = new QGridLayout(parent);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(7);
    grid->setColumnMinimumWidth(LeftLabel, 108);
    grid->setColumnMinimumWidth(RightLabel, 88);
    grid->setColumnStretch(Left, 1);
    grid->setColumnStretch(Right, 1);
    return grid;
}

QToolButton *smallButton(const QString &text, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setProperty("role", QStringLiteral("button"));
    button->setText(text);
    return button;
}

QString toText(const std::string &bytes) { return QString::fromStdString(bytes); }

/// Who would be sent a password: the servers, and the user whose it is.
std::string placeOf(const Deployment &deployment)
{
    std::string place = std::to_string(int(deployment.topology)) + ' ' + deployment.masterName;
    for (const Endpoint &seed : deployment.seeds)
        place += ' ' + seed.user + '@' + seed.host + ':' + std::to_string(seed.port) + ':' + seed.socketPath;
    return place;
}

/// The servers alone, whoever logs in.
std::string serversOf(Deployment deployment)
{
    for (Endpoint &seed : deployment.seeds)
        seed.user.clear();
    return placeOf(deployment);
}

Endpoint nowhere()
{
    Endpoint endpoint;
    endpoint.host.clear();
    return endpoint;
}

} // namespace

ConnectionForm::ConnectionForm(QWidget *parent)
    : QWidget(parent)
{
    auto *grid = formGrid(this);
    buildAddress(*grid);
    buildServers(*grid);
    buildLogin(*grid);
    m_tls = new QCheckBox(tr("Encrypt with T&LS"), this);
    grid->addWidget(m_tls, 18, Left, 1, 3);
    m_tlsFields = buildTls();
    grid->addWidget(m_tlsFields, 19, LeftLabel, 1, 4);
    buildPolicy(*grid);
    tabByRows(*grid);

    connect(m_tls, &QCheckBox::toggled, this, &ConnectionForm::fieldsChanged);
    for (const Field &field : { m_clientName, m_serverName, m_name, m_alsoLocks })
        connect(field.edit, &QLineEdit::textEdited, this, &ConnectionForm::restChanged);
    fill(ConnectionProfile().deployment);
    fieldsChanged();
}

void ConnectionForm::beginWithUrl()
{
    m_url.edit->setFocus();
    m_url.edit->selectAll();
}

void ConnectionForm::beginWithPassword(bool ofSentinels)
{
    QLineEdit *edit = ofSentinels ? m_sentinelPassword.edit : m_password.edit;
    edit->setFocus();
    edit->selectAll();
}

/// The label and the field; below it the place for what is wrong.
ConnectionForm::Field ConnectionForm::addField(const Place &place, const QString &label, QWidget *beside)
{
    Field field{ new QLineEdit(this), plainLabel(QStringLiteral("fieldError"), this) };
    connect(field.edit, &QLineEdit::editingFinished, this, [this, edit = field.edit] {
        const bool isPassword = edit == m_password.edit || edit == m_sentinelPassword.edit; // may begin with a blank
        if (const QString trimmed = edit->text().trimmed(); !isPassword && trimmed != edit->text())
            edit->setText(trimmed);
    });
    keepAltOut(*field.edit);
    field.edit->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    field.reason->setWordWrap(true);
    field.reason->hide();
    auto *name = plainLabel(QStringLiteral("muted"), this);
    name->setText(label);
    name->setBuddy(field.edit);
    place.grid.addWidget(name, place.row, place.column);
    field.beside.push_back(name);
    if (beside) {
        auto *line = new QHBoxLayout;
        line->setSpacing(6);
        line->addWidget(field.edit, 1);
        line->addWidget(beside);
        field.beside.push_back(beside);
        place.grid.addLayout(line, place.row, place.column + 1, 1, place.span);
    } else {
        place.grid.addWidget(field.edit, place.row, place.column + 1, 1, place.span);
    }
    place.grid.addWidget(field.reason, place.row + 1, place.column + 1, 1, place.span);
    return field;
}

ConnectionForm::Field ConnectionForm::addFile(QGridLayout &grid, int row, const QString &label, Change change)
{
    auto *choose = smallButton(tr("Choose…"), this);
    Field field = addField({ grid, row, LeftLabel, 3 }, label, choose);
    const QString name = field.edit->accessibleName();
    choose->setAccessibleName(tr("Choose: %1").arg(name));
    connect(field.edit, &QLineEdit::textEdited, this, change);
    connect(choose, &QToolButton::clicked, this, [this, edit = field.edit, name, change] {
        const QString file = QFileDialog::getOpenFileName(this, name, QFileInfo(edit->text()).path());
        if (file.isEmpty())
            return;
        edit->setText(file);
        (this->*change)();
    });
    return field;
}

void ConnectionForm::buildAddress(QGridLayout &grid)
{
    m_url = addField({ grid, 0, LeftLabel, 3 }, tr("&URL"));
    m_url.edit->setPlaceholderText(QStringLiteral("redis://user@host:6379/0"));
    connect(m_url.edit, &QLineEdit::textEdited, this, &ConnectionForm::readUrl);
    connect(m_url.edit, &QLineEdit::editingFinished, this, [this] {
        if (isValid())
            m_url.edit->setText(connectionUrl(deployment())); // a password that was pasted does not stay readable
    });
    m_host = addField({ grid, 4, LeftLabel, 1 }, tr("&Host"));
    m_port = addField({ grid, 4, RightLabel, 1 }, tr("&Port"));
    m_socket = addFile(grid, 6, tr("Uni&x socket"), &ConnectionForm::fieldsChanged);
    m_socket.edit->setPlaceholderText(tr("instead of host and port"));
    for (const Field &field : { m_host, m_port })
        connect(field.edit, &QLineEdit::textEdited, this, &ConnectionForm::fieldsChanged);
}

void ConnectionForm::buildServers(QGridLayout &grid)
{
    m_topology = new QComboBox(this);
    m_topology->addItem(tr("One server"), int(Topology::Single));
    m_topology->addItem(tr("Sentinel"), int(Topology::Sentinel));
    m_topology->addItem(tr("Cluster"), int(Topology::Cluster));
    m_topology->addItem(tr("Independent servers (RedLock)"), int(Topology::Nodes));
    m_topology->setAccessibleName(tr("Topology"));
    auto *name = plainLabel(QStringLiteral("muted"), this);
    name->setText(tr("Topolog&y"));
    name->setBuddy(m_topology);
    grid.addWidget(name, 2, LeftLabel);
    grid.addWidget(m_topology, 2, Left);
    connect(m_topology, &QComboBox::activated, this, &ConnectionForm::topologyChosen);

    m_master = addField({ grid, 2, RightLabel, 1 }, tr("&Master's name"));
    m_more = addField({ grid, 8, LeftLabel, 3 }, tr("Mo&re servers"));
    m_more.edit->setPlaceholderText(QStringLiteral("host:port,host:port"));
    m_sentinelUser = addField({ grid, 10, LeftLabel, 1 }, tr("Sentinels: user"));
    m_sentinelPassword = addField({ grid, 10, RightLabel, 1 }, tr("their password"));
    m_sentinelPassword.edit->setEchoMode(QLineEdit::Password);
    m_sentinelPassword.edit->setPlaceholderText(tr("none"));
    for (const Field &field : { m_master, m_more, m_sentinelUser, m_sentinelPassword })
        connect(field.edit, &QLineEdit::textEdited, this, &ConnectionForm::fieldsChanged);
}

void ConnectionForm::topologyChosen()
{
    const QString redisPort = QString::number(Endpoint().port);
    const QString sentinelPort = QString::number(lockcore::transport::SentinelPort);
    const bool sentinels = topology() == Topology::Sentinel;
    if (m_port.edit->text() == (sentinels ? redisPort : sentinelPort))
        m_port.edit->setText(sentinels ? sentinelPort : redisPort);
    fieldsChanged();
}

void ConnectionForm::buildLogin(QGridLayout &grid)
{
    m_user = addField({ grid, 12, LeftLabel, 1 }, tr("Us&er"));
    m_user.edit->setPlaceholderText(tr("the default user"));
    auto *show = smallButton(tr("Show"), this);
    show->setCheckable(true);
    show->setAccessibleName(tr("Show the password"));
    m_password = addField({ grid, 12, RightLabel, 1 }, tr("Pass&word"), show);
    m_password.edit->setEchoMode(QLineEdit::Password);
    connect(show, &QToolButton::toggled, this,
        [this](bool shown) { m_password.edit->setEchoMode(shown ? QLineEdit::Normal : QLineEdit::Password); });
    for (const Field &field : { m_password, m_sentinelPassword })
        connect(field.edit, &QLineEdit::textEdited, this, [this] { m_filledFor.reset(); });
    m_remember = new QCheckBox(tr("Remem&ber the password"), this);
    grid.addWidget(m_remember, 14, Right);
    m_clientName = addField({ grid, 15, LeftLabel, 1 }, tr("Cl&ient name"));
    m_database = addField({ grid, 15, RightLabel, 1 }, tr("&Database"));
    for (const Field &field : { m_user, m_password, m_database })
        connect(field.edit, &QLineEdit::textEdited, this, &ConnectionForm::fieldsChanged);
}

QWidget *ConnectionForm::buildTls()
{
    auto *fields = new QWidget(this);
    auto *grid = formGrid(fields);
    m_caFile = addFile(*grid, 0, tr("&Authority (CA)"), &ConnectionForm::restChanged);
    m_caFile.edit->setPlaceholderText(tr("those of the system"));
    m_certificate = addFile(*grid, 2, tr("Client certi&ficate"), &ConnectionForm::restChanged);
    m_certificate.edit->setPlaceholderText(tr("only if the server asks for one"));
    m_key = addFile(*grid, 4, tr("Client certificate's &key"), &ConnectionForm::restChanged);
    m_serverName = addField({ *grid, 6, LeftLabel, 3 }, tr("&Server name"));
    m_serverName.edit->setPlaceholderText(tr("the host"));
    return fields;
}

void ConnectionForm::buildPolicy(QGridLayout &grid)
{
    m_environment = new QComboBox(this);
    m_environment->setEditable(true);
    m_environment->addItems({ QString(), QStringLiteral("PROD"), QStringLiteral("TEST"), QStringLiteral("DEV") });
    m_environment->setAccessibleName(tr("Environment"));
    keepAltOut(*m_environment->lineEdit());
    m_environment->lineEdit()->setPlaceholderText(tr("a tag, or none"));
    auto *tag = plainLabel(QStringLiteral("muted"), this);
    tag->setText(tr("En&vironment"));
    tag->setBuddy(m_environment);
    m_neverWritable = new QCheckBox(tr("Never allow writin&g"), this);
    m_neverWritable->setToolTip(plainToolTip(tr("This connection cannot be switched to writable.")));

    grid.setRowMinimumHeight(20, 14);
    m_name = addField({ grid, 21, LeftLabel, 1 }, tr("&Name"));
    grid.addWidget(tag, 21, RightLabel);
    grid.addWidget(m_environment, 21, Right);
    grid.addWidget(m_neverWritable, 23, Right);
    m_alsoLocks = addField({ grid, 24, LeftLabel, 3 }, tr("Als&o locks"));
    m_alsoLocks.edit->setPlaceholderText(tr("names of other libraries' locks, such as lock:* job:*"));
    m_alsoLocks.edit->setToolTip(
        plainToolTip(tr("Strings of such names are shown as locks, as redis-py, go-redsync, node-redlock or ShedLock "
                        "write them: SET NX PX. * is anything, ? any character; a space separates two patterns; one "
                        "with a backslash before it belongs to its pattern.")));
}

void ConnectionForm::setKnown(std::vector<ConnectionProfile> profiles)
{
    m_known = std::move(profiles);
    restChanged();
}

void ConnectionForm::setProfile(const ConnectionProfile &profile)
{
    m_setAside.reset();
    fill(profile.deployment);
    m_filledFor = placeOf(deployment());
    m_name.edit->setText(profile.name);
    m_environment->setCurrentText(profile.environment);
    m_here = profile;
    m_here.deployment = deployment(); // as the fields say it
    m_given = m_here;
    m_neverWritable->setChecked(profile.readOnlyLocked);
    setRemembered(profile.rememberPassword);
    m_alsoLocks.edit->setText(toAlsoLocks(profile.tokenNames));
    fieldsChanged();
}

/// Where nothing can be remembered no tick says that it is.
void ConnectionForm::setKeyring(const QString &whyNot)
{
    m_remember->setEnabled(whyNot.isEmpty());
    setRemembered(m_remember->isChecked());
    m_remember->setToolTip(whyNot.isEmpty()
            ? QString()
            : plainToolTip(whyNot + QLatin1Char('\n') + tr("The password is kept until the program ends.")));
}

void ConnectionForm::setRemembered(bool isRemembered)
{
    m_remember->setChecked(isRemembered && m_remember->isEnabled());
}

ConnectionProfile ConnectionForm::profile() const
{
    return { m_name.edit->text().trimmed(), deployment(), m_environment->currentText().trimmed(),
        m_neverWritable->isChecked(), m_remember->isChecked(), tokenNames() };
}

std::vector<std::string> ConnectionForm::tokenNames() const
{
    const QString text = m_alsoLocks.edit->text();
    if (text == toAlsoLocks(m_here.tokenNames))
        return m_here.tokenNames; // they are any bytes, which no text can tell
    return fromAlsoLocks(text);
}

void ConnectionForm::readUrl()
{
    auto parsed = parseDeployment(toBytes(m_url.edit->text().trimmed()));
    m_urlProblem = parsed ? QString() : errorReason(parsed.error());
    if (!parsed) {
        if (!m_setAside)
            m_setAside = { said(), m_here };
        fillServers(Deployment(nowhere()));
        followPlace();
    } else {
        Endpoint &read = parsed->seeds.front(); // a URL says nothing of the rest
        const auto before = std::exchange(m_setAside, std::nullopt);
        if (before) {
            follow(m_here, before->said);
            m_here = before->here;
        }
        const Deployment now = before ? before->said.deployment : deployment();
        read.clientName = toBytes(m_clientName.edit->text().trimmed());
        // A password is for the server that it was given for.
        const bool elsewhere = placeOf(*parsed) != placeOf(now);
        if (read.password.empty() && !elsewhere)
            read.password = now.seeds.front().password;
        const bool isEncrypted = read.tls.enabled;
        read.tls = tlsFields();
        read.tls.enabled = isEncrypted;
        if (elsewhere) {
            m_filledFor.reset();
        } else {
            parsed->sentinelUser = now.sentinelUser;
            parsed->sentinelPassword = now.sentinelPassword;
        }
        fill(*parsed);
        followPlace();
    }
    check();
}

/// What no URL says may be told while that is wrong: the servers that it named before are not forgotten for that.
void ConnectionForm::restChanged()
{
    if (m_setAside)
        check();
    else
        fieldsChanged();
}

void ConnectionForm::fieldsChanged()
{
    m_setAside.reset();
    if (m_filledFor && *m_filledFor != placeOf(deployment())) {
        m_filledFor.reset();
        m_password.edit->clear();
        m_sentinelPassword.edit->clear();
    }
    followPlace();
    m_urlProblem.clear();
    check();
    if (isValid())
        m_url.edit->setText(connectionUrl(deployment()));
}

/// Nothing but defaults where nothing is known.
ConnectionProfile ConnectionForm::knownHere() const
{
    const Deployment here = deployment();
    const QString url = connectionUrl(here);
    if (m_given && connectionUrl(m_given->deployment) == url)
        return *m_given;
    const auto known
        = std::ranges::find(m_known, url, [](const ConnectionProfile &each) { return connectionUrl(each.deployment); });
    if (known != m_known.end())
        return *known;
    return m_given && serversOf(m_given->deployment) == serversOf(here) ? *m_given : ConnectionProfile();
}

/// What stands in the fields, also in those of TLS where that is not used.
ConnectionProfile ConnectionForm::said() const
{
    ConnectionProfile said = profile();
    said.deployment.seeds.front().tls = tlsFields();
    return said;
}

/// Each field goes with its server, unless a person changed it.
void ConnectionForm::follow(const ConnectionProfile &before, const ConnectionProfile &here)
{
    if (m_name.edit->text() == before.name)
        m_name.edit->setText(here.name);
    if (m_environment->currentText() == before.environment)
        m_environment->setCurrentText(here.environment);
    if (m_neverWritable->isChecked() == before.readOnlyLocked)
        m_neverWritable->setChecked(here.readOnlyLocked);
    if (m_remember->isChecked() == before.rememberPassword)
        setRemembered(here.rememberPassword);
    if (m_alsoLocks.edit->text() == toAlsoLocks(before.tokenNames))
        m_alsoLocks.edit->setText(toAlsoLocks(here.tokenNames));
    const auto &tlsBefore = before.deployment.seeds.front().tls;
    const auto &tls = here.deployment.seeds.front().tls; // no server is shown the certificate that is for another one
    const std::tuple<Field, std::string, std::string> files[] = { { m_caFile, tlsBefore.caFile, tls.caFile },
        { m_certificate, tlsBefore.certificateFile, tls.certificateFile }, { m_key, tlsBefore.keyFile, tls.keyFile },
        { m_serverName, tlsBefore.serverName, tls.serverName } };
    for (const auto &[field, textBefore, text] : files)
        if (field.edit->text() == toText(textBefore))
            field.edit->setText(toText(text));
}

/// Another server is not called `production` because the one before it was, and one that is known as that is called so
/// however its URL came here; what a person typed stays.
void ConnectionForm::followPlace()
{
    const ConnectionProfile here = knownHere();
    if (here == m_here)
        return;
    follow(std::exchange(m_here, here), here);
    const std::string &password = here.deployment.seeds.front().password;
    if (password.empty() || !m_password.edit->text().isEmpty() || placeOf(here.deployment) != placeOf(deployment()))
        return;
    m_password.edit->setText(toText(password));
    m_filledFor = placeOf(here.deployment);
}

void ConnectionForm::fill(const Deployment &deployment)
{
    const Endpoint &endpoint = deployment.seeds.front();
    fillServers(deployment);
    m_plainMessages = deployment.plainMessages;
    m_topology->setCurrentIndex(m_topology->findData(int(deployment.topology)));
    const std::pair<Field, QString> texts[] = { { m_clientName, toText(endpoint.clientName) },
        { m_caFile, toText(endpoint.tls.caFile) }, { m_certificate, toText(endpoint.tls.certificateFile) },
        { m_key, toText(endpoint.tls.keyFile) }, { m_serverName, toText(endpoint.tls.serverName) } };
    for (const auto &[field, text] : texts)
        field.edit->setText(text);
    const QSignalBlocker blocker(m_tls);
    m_tls->setChecked(endpoint.tls.enabled);
}

/// Where they are, and who logs in.
void ConnectionForm::fillServers(const Deployment &deployment)
{
    const Endpoint &endpoint = deployment.seeds.front();
    const std::pair<Field, QString> texts[] = { { m_more, serverList(std::span(deployment.seeds).subspan(1)) },
        { m_master, toText(deployment.masterName) }, { m_sentinelUser, toText(deployment.sentinelUser) },
        { m_sentinelPassword, toText(deployment.sentinelPassword) }, { m_host, toText(endpoint.host) },
        { m_port, QString::number(endpoint.port) }, { m_socket, toText(endpoint.socketPath) },
        { m_user, toText(endpoint.user) }, { m_password, toText(endpoint.password) },
        { m_database, QString::number(endpoint.database) } };
    for (const auto &[field, text] : texts)
        field.edit->setText(text);
}

lockcore::Result<Deployment> ConnectionForm::serversIn(const QString &text, Topology topology)
{
    if (text.trimmed().isEmpty())
        return Deployment();
    const std::string list = toBytes(text.trimmed());
    return topology == Topology::Sentinel ? parseDeployment("redis-sentinel://" + list + "/master")
                                          : parseDeployment("redis-nodes://" + list);
}

Topology ConnectionForm::topology() const { return static_cast<Topology>(m_topology->currentData().toInt()); }

Deployment ConnectionForm::deployment() const
{
    Deployment deployment = endpoint();
    deployment.topology = topology();
    if (deployment.topology == Topology::Single)
        return deployment;
    for (const Endpoint &other : serversIn(m_more.edit->text(), deployment.topology).value_or(Deployment()).seeds) {
        Endpoint &seed = deployment.seeds.emplace_back(deployment.seeds.front());
        seed.host = other.host;
        seed.port = other.port;
    }
    deployment.plainMessages = deployment.topology == Topology::Cluster && m_plainMessages;
    if (deployment.topology != Topology::Sentinel)
        return deployment;
    deployment.masterName = toBytes(m_master.edit->text().trimmed());
    deployment.sentinelUser = toBytes(m_sentinelUser.edit->text().trimmed());
    deployment.sentinelPassword = toBytes(m_sentinelPassword.edit->text());
    return deployment;
}

TlsOptions ConnectionForm::tlsFields() const
{
    const auto trimmed = [](const Field &field) { return toBytes(field.edit->text().trimmed()); };
    return { m_tls->isChecked(), trimmed(m_caFile), trimmed(m_certificate), trimmed(m_key), trimmed(m_serverName) };
}

Endpoint ConnectionForm::endpoint() const
{
    const auto trimmed = [](const Field &field) { return toBytes(field.edit->text().trimmed()); };
    Endpoint endpoint;
    endpoint.host = trimmed(m_host);
    endpoint.port = m_port.edit->text().trimmed().toUShort();
    if (topology() == Topology::Single)
        endpoint.socketPath = trimmed(m_socket);
    endpoint.user = trimmed(m_user);
    endpoint.password = toBytes(m_password.edit->text());
    endpoint.database = m_database.edit->text().trimmed().toInt();
    endpoint.clientName = trimmed(m_clientName);
    if (m_tls->isChecked() && endpoint.socketPath.empty())
        endpoint.tls = tlsFields();
    return endpoint;
}

} // namespace lockui
