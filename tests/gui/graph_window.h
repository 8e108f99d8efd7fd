// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_server.h"
#include "ui/charts/wait_graph_view.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/graph_page.h"

namespace lockui::test {

inline lockcore::client::LockTarget fair(const lockcore::LockName &name)
{
    return { name, lockcore::synchronizers::Kind::Fair, {} };
}

/// The real window, at the page of the wait graph.
struct GraphWindow : TestWindow {
    explicit GraphWindow(const lockcore::transport::Endpoint &endpoint)
    {
        window.setWindowState(Qt::WindowNoState); // the screen is small
        window.resize(1'440, 900);
        window.show();
        connectTo(endpoint);
    }

    void connectTo(const lockcore::transport::Endpoint &endpoint)
    {
        ConnectionProfile profile;
        profile.deployment = endpoint;
        profile.environment = QStringLiteral("TEST");
        window.openConnection(profile);
        window.activateWindow();
    }

    bool showGraph()
    {
        if (!QTest::qWaitForWindowActive(&window))
            return false;
        press(window, Qt::Key_3, Qt::ControlModifier);
        return graph().isVisible();
    }
    GraphPage &graph() { return *window.findChild<GraphPage *>(); }
    WaitGraphView &view() { return *window.findChild<WaitGraphView *>(); }
    DataTable &table() { return *named<DataTable>(window, QStringLiteral("Chains")); }
    EmptyState &empty() { return *graph().findChild<EmptyState *>(); }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    qint64 deadlocks() { return view().chains().deadlocks; }

    /// Where a person sees a node.
    Place node(const std::string &key) { return placeIn(*view().viewport(), view().placeOf(key)->center().toPoint()); }
    bool isSeen(const std::string &key)
    {
        const auto place = view().placeOf(key);
        return place && QRectF(view().viewport()->rect()).contains(*place);
    }
};

/// Two who wait for each other, until they are gone.
struct Deadlock {
    testsupport::LockUser one;
    testsupport::LockUser two;
    testsupport::LockUser::Acquired first;
    testsupport::LockUser::Acquired second;

    explicit Deadlock(const testsupport::RedisServer &server, std::optional<lockcore::Millis> patience = std::nullopt)
        : one(server.endpoint())
        , two(server.endpoint())
        , m_patience(patience)
    {
    }
    bool begin()
    {
        if (!one.waitReady() || !two.waitReady() || !one.tryLock(fair("left")) || !two.tryLock(fair("right")))
            return false;
        first = one.startAcquire({ fair("right"), "1", {}, m_patience });
        second = two.startAcquire({ fair("left"), "1", {}, m_patience });
        return true;
    }
    std::string key(const testsupport::LockUser &user) const { return "owner " + user.owner().toStdString(); }

private:
    const std::optional<lockcore::Millis> m_patience;
};

} // namespace lockui::test
