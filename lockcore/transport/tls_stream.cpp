// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/byte_stream.h"

#include <QFile>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>

namespace lockcore::transport {

namespace {

constexpr std::size_t TlsReadSize = 262'144;

class TlsStream : public ByteStream {
public:
    explicit TlsStream(const Endpoint &endpoint)
        : m_endpoint(endpoint)
    {
        connect(&m_socket, &QIODevice::readyRead, this, &ByteStream::readable);
        connect(&m_socket, &QSslSocket::encrypted, this, [this] {
            m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
            Q_EMIT opened();
        });
        connect(&m_socket, &QSslSocket::sslErrors, this,
            [this](const QList<QSslError> &errors) { notTrusted(errors.constFirst()); });
        connect(&m_socket, &QSslSocket::errorOccurred, this,
            [this](QAbstractSocket::SocketError error) { handshakeOrSocketError(error); });
    }

    void write(std::string_view bytes) override
    {
        if (m_socket.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size()))
            fail({ ErrorCode::NetworkOther, m_socket.errorString().toStdString(), {} });
    }

    void flush() override { m_socket.flush(); }

    std::string_view read() override
    {
        const qint64 count = m_socket.read(m_buffer.data(), static_cast<qint64>(m_buffer.size()));
        return count > 0 ? std::string_view(m_buffer.data(), static_cast<std::size_t>(count)) : std::string_view{};
    }

    void breakOff() override
    {
        if (const auto descriptor = m_socket.socketDescriptor(); descriptor >= 0)
            lingerNever(static_cast<int>(descriptor));
    }

    /// A plain server waits for the end of what it takes for a line.
    Error silence(Said why) const override
    {
        if (m_socket.state() != QAbstractSocket::ConnectedState || m_socket.isEncrypted())
            return ByteStream::silence(std::move(why));
        Error error = errorOf(ErrorCode::TlsFailed, std::move(why));
        add(error, { Phrase::ToTlsHandshake });
        return error;
    }

protected:
    void start() override
    {
        if (!configure())
            return;
        const auto host = QString::fromStdString(m_endpoint.host);
        const auto name = m_endpoint.tls.serverName.empty() ? host : QString::fromStdString(m_endpoint.tls.serverName);
        m_socket.connectToHostEncrypted(host, m_endpoint.port, name);
    }

private:
    bool configure()
    {
        auto configuration = QSslConfiguration::defaultConfiguration();
        const TlsOptions &tls = m_endpoint.tls;
        if (!tls.caFile.empty()) {
            const auto authorities = QSslCertificate::fromPath(QString::fromStdString(tls.caFile));
            if (authorities.isEmpty())
                return refuse({ Phrase::NoCaCertificate, { tls.caFile } });
            configuration.setCaCertificates(authorities);
        }
        if (!tls.certificateFile.empty()) {
            const auto chain = QSslCertificate::fromPath(QString::fromStdString(tls.certificateFile));
            if (chain.isEmpty())
                return refuse({ Phrase::NoCertificate, { tls.certificateFile } });
            configuration.setLocalCertificateChain(chain);
        }
        if (!tls.keyFile.empty()) {
            QFile file(QString::fromStdString(tls.keyFile));
            const QByteArray pem = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            if (pem.contains("ENCRYPTED"))
                return refuse({ Phrase::KeyIsEncrypted, { tls.keyFile } }, ErrorCode::NotSupported);
            const QSslKey key = readKey(pem);
            if (key.isNull())
                return refuse({ Phrase::NoPrivateKey, { tls.keyFile } });
            configuration.setPrivateKey(key);
        }
        m_socket.setSslConfiguration(configuration);
        return true;
    }

    static QSslKey readKey(const QByteArray &pem)
    {
        const QSslKey rsa(pem, QSsl::Rsa);
        return rsa.isNull() ? QSslKey(pem, QSsl::Ec) : rsa;
    }

    bool refuse(Said why, ErrorCode code = ErrorCode::FileFailed)
    {
        fail(errorOf(code, std::move(why)));
        return false;
    }

    void notTrusted(const QSslError &why)
    {
        const std::string &caFile = m_endpoint.tls.caFile;
        Error error{ ErrorCode::CertificateRejected, why.errorString().toStdString(), {} };
        if (why.error() != QSslError::HostNameMismatch)
            add(error,
                caFile.empty() ? Said{ Phrase::CheckedWithSystem } : Said{ Phrase::CheckedWithCaFile, { caFile } });
        fail(error);
    }

    void handshakeOrSocketError(QAbstractSocket::SocketError error)
    {
        const TlsOptions &tls = m_endpoint.tls;
        Error failed{ errorCode(error), m_socket.errorString().toStdString(), {} };
        if (error == QAbstractSocket::SslInvalidUserDataError && !tls.certificateFile.empty() && !tls.keyFile.empty())
            return fail(whyUnusable(std::move(failed)));
        const bool closedInHandshake = error == QAbstractSocket::RemoteHostClosedError && !m_socket.isEncrypted();
        if (failed.message.find("alert") != std::string::npos) {
            explainAlert(failed);
        } else if (closedInHandshake || failed.code == ErrorCode::TlsFailed) {
            failed.code = ErrorCode::TlsFailed;
            add(failed, { Phrase::MaybeNoTlsPort });
        }
        fail(failed);
    }

    /// In OpenSSL's words; they are too weak as well, or of a kind that is not allowed here.
    Error whyUnusable(Error failed) const
    {
        const TlsOptions &tls = m_endpoint.tls;
        if (failed.message.find("mismatch") != std::string::npos)
            return errorOf(
                ErrorCode::InvalidArgument, { Phrase::KeyOfAnotherCertificate, { tls.keyFile, tls.certificateFile } });
        failed.code = ErrorCode::TlsFailed;
        add(failed, { Phrase::OfCertificateAndKey, { tls.certificateFile, tls.keyFile } });
        return failed;
    }

    /// By which the server ends it, in OpenSSL's words. A server of TLS 1.2 only says that it does not want to go on
    /// without a certificate; one of TLS 1.3 says what it misses, after the handshake.
    void explainAlert(Error &failed) const
    {
        const auto says = [&failed](const char *words) { return failed.message.find(words) != std::string::npos; };
        const bool isNamed = !m_endpoint.tls.certificateFile.empty();
        const bool isOfOurs = says("certificate") || says("unknown ca");
        failed.code = isOfOurs ? ErrorCode::ClientCertificateRejected : ErrorCode::TlsFailed;
        if (!isNamed && (isOfOurs || says("handshake failure")))
            add(failed, { Phrase::CertificateWanted });
        else if (isNamed && isOfOurs)
            add(failed, { Phrase::CertificateRefused, { m_endpoint.tls.certificateFile } });
    }

    Endpoint m_endpoint;
    QSslSocket m_socket;
    std::string m_buffer = std::string(TlsReadSize, '\0');
};

} // namespace

std::unique_ptr<ByteStream> tlsStream(const Endpoint &endpoint) { return std::make_unique<TlsStream>(endpoint); }

} // namespace lockcore::transport
