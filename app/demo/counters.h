// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/shop_worker.h"
#include "lockcore/client/permit_expirable_semaphore.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <vector>

namespace app {

/// What one thread of the shop does over and over with a semaphore: get a permit, keep it, give it back, rest.
struct PermitStep {
    std::string service = {};
    lockcore::LockName name = {};
    std::int64_t permits = 1; // of the semaphore, in all
    bool expires = false; // permits have an id, and a lease
    std::optional<lockcore::Millis> lease = {}; // of permits that expire; absent: none
    Span hold = {};
    Span rest = {};
    lockcore::Millis firstAfter{ 0 };
    int forgetsOneOf = 0; // so many it never gives back; zero: none
};

std::vector<PermitStep> permitSteps();

/// Runs one step, again and again.
class PermitWorker : public QObject {
public:
    PermitWorker(PermitStep step, ShopClient &client, Random::result_type seed);

    void start();
    void stop() { m_isOver = true; }

private:
    void after(lockcore::Millis delay, std::function<void()> deed);
    void acquire();
    void hold(const lockcore::client::PermitId &permit);
    void giveBack(const lockcore::client::PermitId &permit);
    void rest();

    PermitStep m_step;
    ShopClient &m_client;
    Random m_random;
    int m_turns = 0;
    bool m_isOver = false; // whatever is still under way is forgotten
};

/// An import in parts: a latch is set to their number, those who wait for all of them go on when it has come to zero,
/// and then comes the next import.
class ImportWorker : public QObject {
public:
    ImportWorker(ShopClient &parts, std::vector<ShopClient *> waiting, Random::result_type seed);

    void start();
    void stop() { m_isOver = true; }

private:
    void after(lockcore::Millis delay, void (ImportWorker::*step)());
    void begin();
    void finishPart();
    void waitForAll();

    ShopClient &m_parts;
    std::vector<ShopClient *> m_waiting;
    Random m_random;
    std::int64_t m_left = 0;
    bool m_isOver = false;
};

} // namespace app
