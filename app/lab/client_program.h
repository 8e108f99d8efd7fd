// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/client_protocol.h"
#include "lockcore/client/lock_client.h"
#include "lockcore/client/multi_lock.h"
#include "lockcore/transport/deployment.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <map>
#include <memory>
#include <vector>

namespace app {

/// What a client does with what it holds and waits for when its input ends.
enum class AtEndOfInput {
    Dies, // as it stands: nothing is given back
    GivesBack, // in an orderly way, as far as its servers can be reached
};

/// One client in a process of its own, so that it can really crash: does what lines on its standard input say, and
/// answers on its standard output.
class ClientProgram : public QObject {
    Q_OBJECT
public:
    explicit ClientProgram(const lockcore::client::LockClientOptions &options, AtEndOfInput atEnd = AtEndOfInput::Dies,
        QObject *parent = nullptr);
    ~ClientProgram() override;

    void start(const lockcore::transport::Deployment &deployment);
    void end(); // as if its input had ended

Q_SIGNALS:
    /// The input is at its end, and what it did there is done. False: something may still be held.
    void finished(bool isAllGivenBack);

protected:
    virtual void take(const ClientOrder &order);
    void answer(ClientAnswer answer, lockcore::MonoTime since);
    const std::string &id() const { return m_clients.front()->id(); }
    const lockcore::client::LockClientOptions &options() const { return m_options; }

private:
    void openClient(const lockcore::transport::Deployment &deployment);
    void clientReady();
    void readInput();
    void giveBack();
    void giveUp(const ClientOrder &order);
    void forgetHold(const lockui::lab::Step &unlock);
    void lock(const ClientOrder &order);
    void lockTogether(const ClientOrder &order);
    void lockPermit(const ClientOrder &order);
    void unlock(const ClientOrder &order);
    void unlockTogether(const ClientOrder &order);
    void unlockPermit(const ClientOrder &order);
    void renew(const ClientOrder &order);
    lockcore::client::MultiLock &togetherOf(const lockui::lab::Step &step);

    /// Answers an order when what it is about is done.
    template <typename Value, typename ToOutcome>
    auto answering(const ClientOrder &order, ToOutcome toOutcome);
    void answerError(std::uint64_t number, lockcore::MonoTime since, const lockcore::Error &error);

    lockcore::client::LockClientOptions m_options;
    AtEndOfInput m_atEnd;
    std::vector<std::unique_ptr<lockcore::client::LockClient>> m_clients; // one a server where they are independent
    std::map<std::vector<lockcore::LockName>, std::unique_ptr<lockcore::client::MultiLock>> m_together;
    std::map<lockcore::LockName, std::vector<std::string>> m_permits; // held, by semaphore
    std::map<std::uint64_t, lockui::lab::Step> m_underWay; // orders that are not answered yet, by their numbers
    std::map<std::uint64_t, lockcore::client::AcquireId> m_waits; // those of them that can be given up
    std::vector<lockui::lab::Step> m_held; // by which it got what it has and is not giving back yet, each hold once
    std::size_t m_ready = 0;
    std::size_t m_closing = 0; // clients that are giving back
    bool m_isEnding = false;
    bool m_isAllGivenBack = true;
    std::unique_ptr<QSocketNotifier> m_input;
    QByteArray m_unread;
};

} // namespace app
