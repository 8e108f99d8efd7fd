// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"

#include <QObject>
#include <QThread>
#include <atomic>
#include <memory>
#include <utility>

namespace lockcore::service {

/// Another one at each call, for all that takes commands to a thread in this process.
/// Thread: any.
inline CommandId nextCommandId()
{
    static std::atomic<unsigned long long> last{ 0 };
    return CommandId{ ++last };
}

/// A thread with one object that lives on it: made there, destroyed there.
/// Thread: that of the object.
template <typename Worker>
class WorkerThread {
public:
    template <typename Make>
    WorkerThread(const QString &name, Make make)
    {
        m_thread.setObjectName(name);
        m_context.moveToThread(&m_thread);
        m_thread.start();
        post([this, make = std::move(make)]() mutable { m_worker = make(); });
    }
    ~WorkerThread()
    {
        // The context's last event: what was posted before it is still done.
        post([this] {
            m_worker.reset();
            m_thread.quit();
        });
        m_thread.wait();
    }
    WorkerThread(const WorkerThread &) = delete;
    WorkerThread &operator=(const WorkerThread &) = delete;

    /// Calls it on the worker's thread, in the order of the calls.
    template <typename Call>
    void run(Call call)
    {
        post([this, call = std::move(call)]() mutable { call(*m_worker); });
    }

private:
    template <typename Call>
    void post(Call call)
    {
        QMetaObject::invokeMethod(&m_context, std::move(call), Qt::QueuedConnection);
    }

    QThread m_thread;
    QObject m_context;
    std::unique_ptr<Worker> m_worker; // touched on its thread only
};

} // namespace lockcore::service
