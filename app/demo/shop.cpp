// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/shop.h"

#include "app/demo/shop_worker.h"

#include <map>

namespace app {
namespace {

using namespace std::chrono_literals;

constexpr auto Opening = 1'500ms;

/// Everybody in the shop. Lives on the shop's thread.
class Staff : public QObject {
public:
    Staff(const lockcore::Endpoint &endpoint, std::uint32_t seed)
    {
        for (const Service &service : shopServices())
            m_clients.try_emplace(service.name, endpoint, service.options);
        Random seeds(seed);
        for (WorkloadStep &step : shopSteps()) {
            ShopClient &client = m_clients.at(step.service);
            m_workers.push_back(std::make_unique<ShopWorker>(std::move(step), client, seeds()));
            m_workers.back()->start();
        }
    }

    ~Staff() override
    {
        for (const auto &worker : m_workers)
            worker->stop();
        m_clients.clear();
    }

private:
    std::map<std::string, ShopClient> m_clients;
    std::vector<std::unique_ptr<ShopWorker>> m_workers;
};

} // namespace

Shop::Shop(QObject *parent)
    : QObject(parent)
{
    m_thread.setObjectName(QStringLiteral("shop"));
}

Shop::~Shop()
{
    m_thread.quit();
    m_thread.wait();
}

void Shop::start(const lockcore::Endpoint &endpoint, std::uint32_t seed)
{
    // A context object on the shop's thread: what it connects runs there.
    auto *door = new QObject;
    door->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, door, &QObject::deleteLater);
    connect(
        &m_thread, &QThread::started, door, [door, endpoint, seed] { (new Staff(endpoint, seed))->setParent(door); });
    m_thread.start();
    QTimer::singleShot(Opening, this, &Shop::opened);
}

} // namespace app
