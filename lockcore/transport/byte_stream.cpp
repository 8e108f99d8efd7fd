// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/byte_stream.h"

#include <QFile>
#include <QLocalSocket>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpSocket>

namespace lockcore {

namespace {

constexpr std::size_t ReadSize = 262'144;

ErrorCode codeOf(QAbstractSocket::SocketError error)
{
    switch (error) {
    case QAbstractSocket::ConnectionRefusedError:
        return ErrorCode::ConnectionRefused;
    case QAbstractSocket::RemoteHostClosedError:
        return ErrorCode::ConnectionClosed;
    case QAbstractSocket::HostNotFoundError:
        return ErrorCode::HostNotFound;
    case QAbstractSocket::SocketTimeoutError:
        return ErrorCode::ConnectTimeout;
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        return ErrorCode::TlsFailed;
    default:
        return ErrorCode::NetworkOther;
    }
}

class TcpStream : public ByteStream {
public:
    explicit TcpStream(const Endpoint &endpoint)
        : ByteStream(m_socket)
        , m_endpoint(endpoint)
    {
        connect(&m_socket, &QIODevice::readyRead, this, &ByteStream::readable);
        connect(&m_socket, &QTcpSocket::connected, this, [this] {
            m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
            Q_EMIT opened();
        });
        connect(&m_socket, &QTcpSocket::errorOccurred, this,
            [this](QAbstractSocket::SocketError error) { fail(codeOf(error), m_socket.errorString().toStdString()); });
    }

    void flush() override { m_socket.flush(); }
    void open() override { m_socket.connectToHost(QString::fromStdString(m_endpoint.host), m_endpoint.port); }

private:
    Endpoint m_endpoint;
    QTcpSocket m_socket;
};

class TlsStream : public ByteStream {
public:
    explicit TlsStream(const Endpoint &endpoint)
        : ByteStream(m_socket)
        , m_endpoint(endpoint)
    {
        connect(&m_socket, &QIODevice::readyRead, this, &ByteStream::readable);
        connect(&m_socket, &QSslSocket::encrypted, this, [this] {
            m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
            Q_EMIT opened();
        });
        connect(&m_socket, &QSslSocket::sslErrors, this, [this](const QList<QSslError> &errors) {
            fail(ErrorCode::CertificateRejected, errors.constFirst().errorString().toStdString());
        });
        connect(&m_socket, &QSslSocket::errorOccurred, this,
            [this](QAbstractSocket::SocketError error) { handshakeOrSocketError(error); });
    }

    void flush() override { m_socket.flush(); }
    void open() override
    {
        if (!configure())
            return;
        const auto host = QString::fromStdString(m_endpoint.host);
        const auto name = m_endpoint.tls.serverName.empty() ? host : QString::fromStdString(m_endpoint.tls.serverName);
        m_socket.connectToHostEncrypted(host, m_endpoint.port, name);
    }

    /// A plain server waits for the end of what it takes for a line.
    Error silence(std::string message) const override
    {
        if (m_socket.state() != QAbstractSocket::ConnectedState || m_socket.isEncrypted())
            return ByteStream::silence(std::move(message));
        return { ErrorCode::TlsFailed, message + " to the TLS handshake (is this a TLS port?)", {} };
    }

private:
    bool configure()
    {
        auto configuration = QSslConfiguration::defaultConfiguration();
        const TlsOptions &tls = m_endpoint.tls;
        if (!tls.caFile.empty()) {
            const auto authorities = QSslCertificate::fromPath(QString::fromStdString(tls.caFile));
            if (authorities.isEmpty())
                return refuse("no certificate could be read from the CA file " + tls.caFile);
            configuration.setCaCertificates(authorities);
        }
        if (!tls.certificateFile.empty()) {
            const auto chain = QSslCertificate::fromPath(QString::fromStdString(tls.certificateFile));
            if (chain.isEmpty())
                return refuse("no certificate could be read from " + tls.certificateFile);
            configuration.setLocalCertificateChain(chain);
        }
        if (!tls.keyFile.empty()) {
            const QSslKey key = readKey(tls.keyFile);
            if (key.isNull())
                return refuse("no unencrypted private key (RSA or EC, PEM) could be read from " + tls.keyFile);
            configuration.setPrivateKey(key);
        }
        m_socket.setSslConfiguration(configuration);
        return true;
    }

    static QSslKey readKey(const std::string &path)
    {
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QByteArray pem = file.readAll();
        const QSslKey rsa(pem, QSsl::Rsa);
        return rsa.isNull() ? QSslKey(pem, QSsl::Ec) : rsa;
    }

    bool refuse(std::string message)
    {
        QMetaObject::invokeMethod(
            this, [this, message = std::move(message)] { fail(ErrorCode::FileFailed, message); }, Qt::QueuedConnection);
        return false;
    }

    void handshakeOrSocketError(QAbstractSocket::SocketError error)
    {
        const auto message = m_socket.errorString().toStdString();
        const bool closedInHandshake = error == QAbstractSocket::RemoteHostClosedError && !m_socket.isEncrypted();
        if (closedInHandshake || codeOf(error) == ErrorCode::TlsFailed)
            fail(ErrorCode::TlsFailed, message + " (is this a TLS port?)");
        else
            fail(codeOf(error), message);
    }

    Endpoint m_endpoint;
    QSslSocket m_socket;
};

class LocalStream : public ByteStream {
public:
    explicit LocalStream(const Endpoint &endpoint)
        : ByteStream(m_socket)
        , m_path(QString::fromStdString(endpoint.socketPath))
    {
        connect(&m_socket, &QIODevice::readyRead, this, &ByteStream::readable);
        connect(&m_socket, &QLocalSocket::connected, this, &ByteStream::opened);
        connect(&m_socket, &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError error) {
            // The numbers of both enumerations are the same, but for the name of "no such file".
            fail(error == QLocalSocket::ServerNotFoundError ? ErrorCode::HostNotFound
                                                            : codeOf(QAbstractSocket::SocketError(error)),
                m_socket.errorString().toStdString());
        });
    }

    void flush() override { m_socket.flush(); }
    void open() override { m_socket.connectToServer(m_path); }

private:
    QString m_path;
    QLocalSocket m_socket;
};

} // namespace

std::unique_ptr<ByteStream> ByteStream::create(const Endpoint &endpoint)
{
    if (!endpoint.socketPath.empty())
        return std::make_unique<LocalStream>(endpoint);
    if (endpoint.tls.enabled)
        return std::make_unique<TlsStream>(endpoint);
    return std::make_unique<TcpStream>(endpoint);
}

ByteStream::ByteStream(QIODevice &device)
    : m_device(device)
    , m_buffer(ReadSize, '\0')
{
}

void ByteStream::write(std::string_view bytes)
{
    if (m_device.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size()))
        fail(ErrorCode::NetworkOther, m_device.errorString().toStdString());
}

std::string_view ByteStream::read()
{
    const qint64 count = m_device.read(m_buffer.data(), static_cast<qint64>(m_buffer.size()));
    return count > 0 ? std::string_view(m_buffer.data(), static_cast<std::size_t>(count)) : std::string_view{};
}

void ByteStream::fail(ErrorCode code, std::string message)
{
    if (std::exchange(m_failed, true))
        return;
    Q_EMIT failed(Error{ code, std::move(message), {} });
}

} // namespace lockcore
