// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTcpServer>
#include <cstdint>
#include <functional>
#include <vector>

class QTcpSocket;

namespace app {

/// The network between one client and a server on this machine, which can be cut: then nothing gets through any more,
/// and neither side is told, as when a cable is pulled. Mended, all that was under way arrives.
/// Thread: that of the object.
class NetworkCut {
public:
    explicit NetworkCut(std::uint16_t serverPort);
    NetworkCut(const NetworkCut &) = delete;
    NetworkCut &operator=(const NetworkCut &) = delete;

    std::uint16_t port() const { return m_listener.serverPort(); } // 0: none was to be had
    void setCut(bool cut);

private:
    void join(QTcpSocket *incoming);

    std::uint16_t m_serverPort;
    bool m_isCut = false;
    std::vector<std::function<void()>> m_kept; // to be passed on when it is mended
    QTcpServer m_listener; // last: its end ends all connections, whose handlers use the rest
};

} // namespace app
