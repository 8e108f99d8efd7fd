// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/turn_work.h"

#include <QAbstractEventDispatcher>
#include <QPointer>
#include <array>
#include <deque>

namespace lockcore::transport {

/// What is asked for in one thread.
class TurnWork::Turn : public QObject, public std::enable_shared_from_this<Turn> {
public:
    void add(TurnWork *work)
    {
        m_asked.at(std::size_t(work->m_order)).push_back(work);
        if (!m_inInput)
            doLater();
    }

    void remove(TurnWork *work) { std::erase(m_asked.at(std::size_t(work->m_order)), work); }

    void takeInput(const std::function<void()> &handle)
    {
        const auto alive = shared_from_this(); // the last one that asks may be deleted by what is done
        watchEventLoop();
        const bool nested = std::exchange(m_inInput, true);
        handle();
        doAll();
        m_inInput = nested;
    }

private:
    void doAll()
    {
        // What asks again and again must not keep the event loop from its other business.
        for (std::size_t left = 2 * count() + MostFollowUps; left > 0 && count() > 0; --left)
            doNext();
        if (count() > 0)
            doLater();
    }

    void doNext()
    {
        auto &queue = m_asked.front().empty() ? m_asked.back() : m_asked.front();
        TurnWork *next = queue.front();
        queue.pop_front();
        next->m_asked = false;
        const auto work = next->m_work; // which may delete its owner
        work();
    }

    std::size_t count() const { return m_asked.front().size() + m_asked.back().size(); }

    void doLater()
    {
        if (!std::exchange(m_posted, true))
            QMetaObject::invokeMethod(
                this,
                [this] {
                    m_posted = false;
                    takeInput([] {});
                },
                Qt::QueuedConnection);
    }

    /// A handler that runs an event loop of its own keeps the end of its input waiting.
    void watchEventLoop()
    {
        const auto dispatcher = QAbstractEventDispatcher::instance();
        if (!dispatcher || dispatcher == m_dispatcher)
            return;
        m_dispatcher = dispatcher;
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] { beforeWaiting(); });
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] { beforeWaiting(); });
    }

    void beforeWaiting()
    {
        if (count() > 0)
            takeInput([] {});
    }

    static constexpr std::size_t MostFollowUps = 16;

    std::array<std::deque<TurnWork *>, 2> m_asked; // by order
    QPointer<QAbstractEventDispatcher> m_dispatcher;
    bool m_inInput = false;
    bool m_posted = false;
};

TurnWork::TurnWork(Order order, std::function<void()> work)
    : m_order(order)
    , m_work(std::move(work))
    , m_turn(ofThisThread())
{
}

TurnWork::~TurnWork()
{
    if (m_asked)
        m_turn->remove(this);
}

void TurnWork::ask()
{
    if (!std::exchange(m_asked, true))
        m_turn->add(this);
}

void TurnWork::takeInput(const std::function<void()> &handle) { ofThisThread()->takeInput(handle); }

std::shared_ptr<TurnWork::Turn> TurnWork::ofThisThread()
{
    static thread_local std::weak_ptr<Turn> turn;
    auto current = turn.lock();
    if (!current)
        turn = current = std::make_shared<Turn>();
    return current;
}

} // namespace lockcore::transport
