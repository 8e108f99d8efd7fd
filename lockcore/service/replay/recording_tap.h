// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/recording/recording_queue.h"

#include <memory>
#include <mutex>
#include <utility>

namespace lockcore {

/// Where what is seen is handed on to a recording while there is one.
/// Thread: any.
class RecordingTap {
public:
    /// Begins with `latest()`, after which nothing is missed: what is put here later is newer.
    template <typename Latest>
    void open(std::shared_ptr<RecordingQueue> queue, Latest latest)
    {
        const std::lock_guard guard(m_mutex);
        m_queue = std::move(queue);
        m_queue->put(latest());
    }
    void close()
    {
        const std::lock_guard guard(m_mutex);
        m_queue.reset();
    }
    template <typename... Seen>
    void put(Seen &&...seen)
    {
        const std::lock_guard guard(m_mutex);
        if (m_queue)
            m_queue->put(std::forward<Seen>(seen)...);
    }

private:
    std::mutex m_mutex;
    std::shared_ptr<RecordingQueue> m_queue;
};

} // namespace lockcore
