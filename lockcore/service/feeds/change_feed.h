// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/prefix_learner.h"
#include "lockcore/monitor/snapshot.h"

#include <QObject>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// One way in which changes of a server's keys reach us. A feed that is started again, of other keys, stays in use as
/// it is until the new start works. Whoever writes another feed adds one line to `FeedChoice`. Thread: that of the
/// object.
class ChangeFeed : public QObject {
    Q_OBJECT
public:
    /// Nothing: the feed works; else why it does not.
    using Started = std::function<void(std::optional<monitor::FeedDetour> obstacle)>;

    using QObject::QObject;

    virtual monitor::Feed kind() const = 0;

    /// With the subscriber ready. All keys are told of where there are no prefixes. `needed`: rights that are missing
    /// are noted, since no better feed would work with more rights. `started` is not called when the connection is
    /// lost.
    virtual void start(const monitor::Prefixes &prefixes, bool needed, Started started) = 0;
    virtual void stop() = 0;
    /// Whether this feed, as it was started last, began before `before` ended, so that no change was missed.
    virtual bool tookOver(const ChangeFeed &before) const = 0;
    virtual bool lacksRights() const { return false; } // what was found out on this connection

Q_SIGNALS:
    void keysChanged(const std::vector<std::string> &keys);
    void everythingChanged();
    void broken(lockcore::MonoTime since); // since then, changes may not have been told of
};

} // namespace lockcore::service
