// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/workload_step.h"

namespace app {

using namespace std::chrono_literals;
using lockcore::LockName;
using lockcore::client::LockClientOptions;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;

namespace {

/// Longer than a queue of five takes, so that nobody alive is dropped from it.
constexpr lockcore::Millis FairWait = 240s;
constexpr lockcore::Millis GhostWait = 90s;

std::vector<LockName> numbered(const std::string &prefix, int first, int count)
{
    std::vector<LockName> names;
    for (int i = 0; i < count; ++i)
        names.push_back(prefix + std::to_string(first + i));
    return names;
}

void addStock(std::vector<WorkloadStep> &steps)
{
    const WorkloadStep fair{
        .locks = { "inventory:sku:1093" }, .kind = Kind::Fair, .hold = { 22s, 40s }, .rest = { 300ms, 2s }
    };
    const std::pair<const char *, const char *> queue[]
        = { { "stock", "7" }, { "billing", "112" }, { "orders", "58" }, { "crm", "21" }, { "stock", "30" } };
    lockcore::Millis firstAfter = 0ms;
    for (const auto &[service, thread] : queue) {
        WorkloadStep step = fair;
        step.service = service;
        step.thread = thread;
        step.firstAfter = firstAfter;
        firstAfter += 150ms;
        steps.push_back(step);
    }
    // A ghost: it queues, and is gone without leaving the queue.
    WorkloadStep ghost = fair;
    ghost.service = "mobile";
    ghost.thread = "9";
    ghost.firstAfter = 500ms;
    ghost.ending = Ending::Die;
    ghost.dieAfter = Span{ 400ms, 600ms };
    ghost.rest = { 120s, 240s };
    steps.push_back(ghost);
}

void addOrders(std::vector<WorkloadStep> &steps)
{
    WorkloadStep pay{ .service = "orders",
        .thread = "41",
        .locks = { "order:{8812}:pay" },
        .hold = { 30s, 90s },
        .rest = { 1s, 3s },
        .reentries = 1 };
    steps.push_back(pay);
    pay.reentries = 0;
    pay.hold = { 2s, 6s };
    pay.firstAfter = 300ms;
    for (const auto &[service, thread] : { std::pair{ "stock", "12" }, std::pair{ "mobile-web", "5" } }) {
        pay.service = service;
        pay.thread = thread;
        steps.push_back(pay);
    }
    steps.push_back({ .service = "orders",
        .thread = "44",
        .locks = { "order:{8813}:pay", "order:{8814}:pay", "order:{8815}:ship" },
        .hold = { 6s, 20s },
        .rest = { 500ms, 2s } });
}

void addBilling(std::vector<WorkloadStep> &steps)
{
    // The work takes longer than the lease now and then: the next one comes in, and the release is refused.
    WorkloadStep close{ .locks = { "billing:close" }, .hold = { 11s, 15s }, .rest = { 500ms, 2s }, .lease = 14s };
    for (const auto &[service, thread] : { std::pair{ "billing", "112" }, std::pair{ "reports", "8" },
             std::pair{ "orders", "60" }, std::pair{ "mobile-web", "3" } }) {
        close.service = service;
        close.thread = thread;
        steps.push_back(close);
        close.firstAfter += 100ms;
    }
}

void addReports(std::vector<WorkloadStep> &steps)
{
    WorkloadStep read{ .locks = { "report:monthly" },
        .kind = Kind::ReadWrite,
        .mode = HoldMode::Read,
        .hold = { 8s, 40s },
        .rest = { 1s, 6s } };
    int thread = 100;
    for (const char *service : { "reports", "reports", "reports", "crm", "billing", "stock", "orders" }) {
        read.service = service;
        read.thread = std::to_string(thread++);
        steps.push_back(read);
        read.firstAfter += 60ms;
    }
    WorkloadStep write = read;
    write.service = "cron";
    write.thread = "2";
    write.mode = HoldMode::Write;
    write.hold = { 1s, 3s };
    write.rest = { 5s, 15s };
    write.firstAfter = 700ms;
    steps.push_back(write);
    steps.push_back({ .service = "shards",
        .thread = "3",
        .locks = { "shard:07:compact" },
        .kind = Kind::ReadWrite,
        .mode = HoldMode::Write,
        .hold = { 15s, 45s },
        .rest = { 500ms, 4s } });
}

void addNight(std::vector<WorkloadStep> &steps)
{
    steps.push_back({ .service = "cron",
        .thread = "1",
        .locks = { "cron:nightly-rollup" },
        .hold = { 180s, 600s },
        .rest = { 2s, 5s } });
    steps.push_back({ .service = "crm-late",
        .thread = "19",
        .locks = { "user:5518:merge" },
        .hold = { 90s, 240s },
        .rest = { 1s, 5s } });
    steps.push_back({ .service = "pricing",
        .thread = "11",
        .locks = { "pricing:rebuild" },
        .hold = { 30s, 120s },
        .rest = { 1s, 5s } });
    // Dies holding; the next one gets the lock when the lease has run out.
    WorkloadStep import{ .locks = { "import:supplier:17" }, .hold = { 8s, 20s }, .rest = { 2s, 6s } };
    import.service = "courier";
    import.thread = "4";
    import.ending = Ending::Die;
    steps.push_back(import);
    import.service = "pricing";
    import.thread = "6";
    import.ending = Ending::Release;
    import.hold = { 3s, 6s };
    import.firstAfter = 400ms;
    steps.push_back(import);
}

/// Its holder dies with a long lease: those behind it wait until that has run out, or until somebody frees the lock.
/// How its client ends a hold of its own was seen before, so that another end is recognised.
void addLabels(std::vector<WorkloadStep> &steps)
{
    WorkloadStep print{ .service = "labels",
        .thread = "2",
        .locks = { "label:printer:2" },
        .hold = { 500ms, 900ms },
        .rest = { 6s, 12s },
        .ending = Ending::Die,
        .goodTurns = 3 };
    steps.push_back(print);
    print.service = "stock";
    print.thread = "45";
    print.hold = { 1s, 2s };
    print.rest = { 4s, 9s };
    print.firstAfter = 900ms;
    print.ending = Ending::Release;
    steps.push_back(print);
}

void addCheckouts(std::vector<WorkloadStep> &steps)
{
    WorkloadStep cart{
        .locks = numbered("checkout:cart:", 70'310, 40), .hold = { 40ms, 1500ms }, .rest = { 50ms, 700ms }
    };
    int thread = 200;
    for (const char *service : { "mobile-web", "mobile-web", "orders", "stock" }) {
        cart.service = service;
        cart.thread = std::to_string(thread++);
        steps.push_back(cart);
    }
    // Everybody wants the same coupon: many short hand-overs.
    WorkloadStep coupon{
        .locks = { "checkout:coupon:BF26" }, .hold = { 100ms, 900ms }, .rest = { 100ms, 1500ms }, .wait = 5s
    };
    for (const char *service : { "mobile-web", "orders", "crm", "billing" }) {
        coupon.service = service;
        coupon.thread = std::to_string(thread++);
        steps.push_back(coupon);
    }
}

/// Two who take the same two locks the other way round, at the same time: each waits for the other until its patience
/// is at an end, or somebody breaks it, for which there is time. Not before the shop is open: one look then finds
/// nothing that is suspect.
void addMerges(std::vector<WorkloadStep> &steps)
{
    WorkloadStep merge{
        .kind = Kind::Fair, .hold = { 3s, 7s }, .every = 75s, .firstAfter = 300ms, .beforeThen = { 2s, 3s }
    };
    merge.service = "pricing";
    merge.thread = "31";
    merge.locks = { "customer:5518" };
    merge.then = "contract:77";
    merge.wait = 45s;
    steps.push_back(merge);
    merge.service = "shards";
    merge.thread = "32";
    merge.locks = { "contract:77" };
    merge.then = "customer:5518";
    merge.wait = 48s;
    steps.push_back(merge);
}

/// Whose writes are told apart by a token; and a job of another program, which writes a token of its own.
void addWriters(std::vector<WorkloadStep> &steps)
{
    WorkloadStep ledger{
        .locks = { "ledger:writer" }, .kind = Kind::Fenced, .hold = { 2s, 9s }, .rest = { 500ms, 3s }
    };
    int thread = 300;
    for (const char *service : { "billing", "orders" }) {
        ledger.service = service;
        ledger.thread = std::to_string(thread++);
        steps.push_back(ledger);
        ledger.firstAfter += 120ms;
    }
    steps.push_back({ .service = "cron",
        .thread = "310",
        .locks = { "mutex:sitemap" },
        .kind = Kind::Token,
        .hold = { 12s, 40s },
        .rest = { 1s, 4s },
        .lease = 60s });
}

} // namespace

std::vector<Service> shopServices()
{
    // Not every service has Redisson's usual half minute: so renewals show soon, and crashes heal soon.
    LockClientOptions usual;
    usual.fairWait = FairWait;
    LockClientOptions brisk = usual;
    brisk.watchdogTimeout = 9s;
    LockClientOptions ghostly = brisk;
    ghostly.fairWait = GhostWait;
    LockClientOptions late;
    late.watchdogTimeout = 15s;
    late.renewEvery = 9s;
    LockClientOptions patient = usual;
    patient.watchdogTimeout = 60s;
    std::vector<Service> services{ { "mobile", ghostly }, { "crm-late", late }, { "labels", patient } };
    for (const char *name : { "stock", "orders", "billing", "reports", "pricing", "courier", "shards" })
        services.push_back({ name, brisk });
    for (const char *name : { "cron", "crm", "mobile-web" })
        services.push_back({ name, usual });
    return services;
}

std::vector<std::string> shopTokenNames() { return { "mutex:*" }; }

std::vector<WorkloadStep> shopSteps()
{
    std::vector<WorkloadStep> steps;
    addStock(steps);
    addOrders(steps);
    addBilling(steps);
    addReports(steps);
    addNight(steps);
    addLabels(steps);
    addCheckouts(steps);
    addMerges(steps);
    addWriters(steps);
    return steps;
}

} // namespace app
