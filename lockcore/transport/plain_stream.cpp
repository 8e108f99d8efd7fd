// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/byte_stream.h"
#include "lockcore/transport/turn_work.h"

#include <QLocalSocket>
#include <QSocketNotifier>
#include <QTcpSocket>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <unistd.h>

namespace lockcore::transport {

namespace {

constexpr std::size_t ReadSize = 65'536;

/// Qt looks the host up and connects; from then on the socket is used directly. A QTcpSocket makes three system calls
/// more for each answer, which is as much as all else that a client does for a lock: with it a client takes and
/// releases a quarter fewer locks in the same time.
class PlainStream : public ByteStream {
public:
    ~PlainStream() override
    {
        m_readable.reset();
        m_writable.reset();
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }

    void write(std::string_view bytes) override
    {
        m_unsent += bytes;
        flush();
    }

    // What goes wrong is noticed by reading, after what the server may have said before.
    void flush() override
    {
        std::size_t sent = 0;
        while (sent < m_unsent.size()) {
            const ssize_t count
                = ::send(m_descriptor, m_unsent.data() + sent, m_unsent.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                break;
            sent += static_cast<std::size_t>(count);
        }
        m_unsent.erase(0, sent);
        if (const bool blocked = !m_unsent.empty() && (errno == EAGAIN || errno == EWOULDBLOCK); m_writable)
            m_writable->setEnabled(blocked);
    }

    std::string_view read() override
    {
        if (m_drained || m_descriptor < 0)
            return {};
        ssize_t count = 0;
        do
            count = ::recv(m_descriptor, m_buffer.get(), ReadSize, MSG_DONTWAIT);
        while (count < 0 && errno == EINTR);
        m_drained = count < static_cast<ssize_t>(ReadSize); // if not, the notifier will tell
        if (count > 0)
            return { m_buffer.get(), static_cast<std::size_t>(count) };
        if (count == 0)
            end(errorOf(ErrorCode::ConnectionClosed, { Phrase::ClosedByPeer }));
        else if (errno == ECONNRESET || errno == EPIPE)
            end({ ErrorCode::ConnectionClosed, std::strerror(errno), {} });
        else if (errno != EAGAIN && errno != EWOULDBLOCK)
            end({ ErrorCode::NetworkOther, std::strerror(errno), {} });
        return {};
    }

    void breakOff() override
    {
        if (m_descriptor >= 0)
            lingerNever(m_descriptor);
    }

protected:
    template <typename Socket>
    void takeOver(Socket &socket)
    {
        socket.disconnect(this);
        m_descriptor = ::fcntl(static_cast<int>(socket.socketDescriptor()), F_DUPFD_CLOEXEC, 0);
        socket.abort();
        if (m_descriptor < 0)
            return fail({ ErrorCode::NetworkOther, std::strerror(errno), {} });
        m_readable.emplace(m_descriptor, QSocketNotifier::Read);
        m_writable.emplace(m_descriptor, QSocketNotifier::Write);
        m_writable->setEnabled(false);
        connect(&*m_writable, &QSocketNotifier::activated, this, [this] { flush(); });
        connect(&*m_readable, &QSocketNotifier::activated, this, [this] {
            TurnWork::takeInput([this] {
                m_drained = false;
                Q_EMIT readable();
            });
        });
        Q_EMIT opened();
    }

private:
    void end(const Error &error)
    {
        m_readable->setEnabled(false);
        m_writable->setEnabled(false);
        fail(error);
    }

    int m_descriptor = -1;
    std::optional<QSocketNotifier> m_readable;
    std::optional<QSocketNotifier> m_writable;
    std::unique_ptr<char[]> m_buffer = std::make_unique_for_overwrite<char[]>(ReadSize);
    std::string m_unsent;
    bool m_drained = true;
};

/// Without the name of Qt's function in front: `QLocalSocket::connectToServer: Access denied`.
std::string withoutFunction(const QString &text)
{
    constexpr QLatin1String End(": ");
    const bool hasFunction = text.startsWith(QLatin1String("QLocalSocket::")) && text.contains(End);
    return (hasFunction ? text.mid(text.indexOf(End) + End.size()) : text).toStdString();
}

class TcpStream : public PlainStream {
public:
    explicit TcpStream(const Endpoint &endpoint)
        : m_host(QString::fromStdString(endpoint.host))
        , m_port(endpoint.port)
    {
        connect(&m_socket, &QTcpSocket::connected, this, [this] {
            m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
            takeOver(m_socket);
        });
        connect(&m_socket, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
            fail({ errorCode(error), m_socket.errorString().toStdString(), {} });
        });
    }

protected:
    void start() override { m_socket.connectToHost(m_host, m_port); }

private:
    QString m_host;
    quint16 m_port;
    QTcpSocket m_socket;
};

class LocalStream : public PlainStream {
public:
    explicit LocalStream(const Endpoint &endpoint)
        : m_path(QString::fromStdString(endpoint.socketPath))
    {
        // Later: a QLocalSocket that is closed while it says that it is connected closes its descriptor twice, and the
        // number may be another thread's by then.
        connect(
            &m_socket, &QLocalSocket::connected, this,
            [this] {
                if (m_socket.state() == QLocalSocket::ConnectedState) // if not, an error has been told
                    takeOver(m_socket);
            },
            Qt::QueuedConnection);
        connect(&m_socket, &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError error) {
            // The numbers of both enumerations are the same, but for the name of "no such file".
            if (error == QLocalSocket::ServerNotFoundError)
                fail(errorOf(ErrorCode::ConnectionRefused, { Phrase::NoSuchSocket }));
            else
                fail({ errorCode(QAbstractSocket::SocketError(error)), withoutFunction(m_socket.errorString()), {} });
        });
    }

protected:
    void start() override { m_socket.connectToServer(m_path); }

private:
    QString m_path;
    QLocalSocket m_socket;
};

} // namespace

void lingerNever(int descriptor)
{
    const linger never{ 1, 0 };
    ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &never, sizeof never); // a local socket has nothing to send again
}

ErrorCode errorCode(QAbstractSocket::SocketError error)
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

std::unique_ptr<ByteStream> tcpStream(const Endpoint &endpoint) { return std::make_unique<TcpStream>(endpoint); }

std::unique_ptr<ByteStream> localStream(const Endpoint &endpoint) { return std::make_unique<LocalStream>(endpoint); }

} // namespace lockcore::transport
