// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/shop.h"

#include "app/demo/counters.h"
#include "app/demo/shop_worker.h"

#include <QTimer>

#include <map>
#include <memory>
#include <vector>

namespace app {

using namespace std::chrono_literals;
using lockcore::transport::Endpoint;

namespace {

constexpr auto Opening = 1'500ms;

/// Everybody in the shop. Lives on the shop's thread.
class Staff : public QObject {
public:
    Staff(const Endpoint &endpoint, std::uint32_t seed)
    {
        for (const Service &service : shopServices())
            m_clients.try_emplace(service.name, endpoint, service.options);
        Random seeds(seed);
        for (WorkloadStep &step : shopSteps()) {
            ShopClient &client = m_clients.at(step.service);
            m_workers.push_back(std::make_unique<ShopWorker>(std::move(step), client, seeds()));
            m_workers.back()->start();
        }
        for (PermitStep &step : permitSteps()) {
            ShopClient &client = m_clients.at(step.service);
            m_permits.push_back(std::make_unique<PermitWorker>(std::move(step), client, seeds()));
            m_permits.back()->start();
        }
        m_import = std::make_unique<ImportWorker>(m_clients.at("shards"),
            std::vector<ShopClient *>{ &m_clients.at("cron"), &m_clients.at("reports") }, seeds());
        m_import->start();
    }

    ~Staff() override
    {
        for (const auto &worker : m_workers)
            worker->stop();
        for (const auto &worker : m_permits)
            worker->stop();
        m_import->stop();
        m_clients.clear();
    }

private:
    std::map<std::string, ShopClient> m_clients;
    std::vector<std::unique_ptr<ShopWorker>> m_workers;
    std::vector<std::unique_ptr<PermitWorker>> m_permits;
    std::unique_ptr<ImportWorker> m_import;
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

void Shop::start(const Endpoint &endpoint, std::uint32_t seed)
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
