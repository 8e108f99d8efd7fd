// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chain_export.h"

#include "ui/text/json.h"
#include "ui/text/lock_json.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore;

namespace {

struct ChainExport {
    Q_DECLARE_TR_FUNCTIONS(ChainExport)
};

std::string titleOf(const char *text) { return ChainExport::tr(text).toStdString(); }

std::string deadlockText(const WaitChain &chain)
{
    if (chain.cycles.empty())
        return "no";
    return chain.isDeadlock() ? "inferred" : "possible";
}

std::string lostText(const WaitChain &chain, MonoTime now)
{
    return chain.lost.waits == 0 ? std::string() : std::to_string(chain.lost.at(now).count());
}

std::string lostIs(const WaitChain &chain)
{
    if (chain.lost.waits == 0)
        return titleOf(QT_TRANSLATE_NOOP("ChainExport", "unknown"));
    return isLostAtLeast(chain) ? titleOf(QT_TRANSLATE_NOOP("ChainExport", "at least"))
                                : titleOf(QT_TRANSLATE_NOOP("ChainExport", "exact"));
}

std::string endsAt(const ChainEnd &end, const Now &now)
{
    if (end.how == ChainEnd::How::Taken && end.ghostsUntil && *end.ghostsUntil > now.wall)
        return isoTime(*end.ghostsUntil);
    if (!end.at)
        return {};
    return isoTime(now.wall + std::chrono::duration_cast<Millis>(*end.at - now.mono));
}

/// Where several locks are at the head, the lease of none of them is that of the chain.
std::string endsAt(const WaitChain &chain, const Now &now)
{
    return chain.headEnds.size() > 1 ? std::string() : endsAt(chain.end, now);
}

JsonValue ifAny(const std::string &time) { return time.empty() ? JsonValue() : JsonValue(time); }

const char *nameOf(ChainNode::Kind kind)
{
    switch (kind) {
    case ChainNode::Kind::Owner:
        return "owner";
    case ChainNode::Kind::Lock:
        return "lock";
    case ChainNode::Kind::Holders:
        return "holders";
    case ChainNode::Kind::Queue:
        return "queue";
    case ChainNode::Kind::Listeners:
        return "listeners";
    }
    return "";
}

JsonValue nodeJson(const ChainNode &node)
{
    JsonValue object{ { "kind", nameOf(node.kind) } };
    if (node.kind == ChainNode::Kind::Owner)
        object.update(json::owner(node.owner));
    addName(object, "lock", node.lock);
    object["count"] = node.count;
    object["waits"] = node.waitsSince || node.place > 0;
    const bool isInQueue = node.place > 0 && node.kind != ChainNode::Kind::Listeners;
    object["place"] = isInQueue ? JsonValue(node.place) : JsonValue();
    object["ghost"] = node.isGhost;
    object["inDeadlock"] = node.isInCycle;
    return object;
}

JsonValue chainJson(const WaitChain &chain, const ChainText &text, const Now &now)
{
    JsonValue locks = JsonValue::array();
    for (const LockName &lock : chain.locks)
        locks.push_back(json::text(lock));
    JsonValue nodes = JsonValue::array();
    for (const ChainNode &node : chain.nodes)
        nodes.push_back(nodeJson(node));
    JsonValue edges = JsonValue::array(); // numbers of nodes, from 0
    for (const ChainEdge &edge : chain.edges)
        edges.push_back(JsonValue{
            { "from", edge.from },
            { "to", edge.to },
            { "kind", edge.kind == ChainEdge::Kind::Holds ? "holds" : "keepsWaiting" },
            { "certainty", edge.isSeen ? "seen" : "inferred" },
        });
    JsonValue heads = JsonValue::array();
    for (const ChainEnd &end : chain.headEnds)
        heads.push_back(JsonValue{ { "lock", json::text(end.lock) }, { "ends", text.ends(chain, end).toStdString() },
            { "endsAt", ifAny(endsAt(end, now)) } });
    return {
        { "locks", std::move(locks) },
        { "mainLock", json::text(chain.mainLock) },
        { "deadlock", deadlockText(chain) },
        { "blocked", chain.blocked },
        { "blockedIsAtLeast", chain.isBlockedAtLeast },
        { "otherDatabasePossible", chain.mayBeElsewhere },
        { "ghostsPossible", chain.mayBeGhosts },
        { "lostMs", chain.lost.waits == 0 ? JsonValue() : JsonValue(chain.lost.at(now.mono).count()) },
        { "lostIsAtLeast", isLostAtLeast(chain) },
        { "ends", text.ends(chain).toStdString() },
        { "endsAt", ifAny(endsAt(chain, now)) },
        { "headLocks", std::move(heads) },
        { "nodes", std::move(nodes) },
        { "edges", std::move(edges) },
        { "nodesLeftOut", chain.undrawn },
    };
}

} // namespace

ExportTable chainExport(
    const std::vector<const WaitChain *> &chains, const ChainText &text, const Now &now, ExportFormat format)
{
    ExportTable table;
    table.columns = { { "locks", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Locks")) },
        { "mainLock", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Main lock")) },
        { "head", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Head")) },
        { "deadlock", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Deadlock")) },
        { "blocked", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Blocked")) },
        { "blockedIs", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Blocked is")) },
        { "lostMs", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Time lost (ms)")) },
        { "lostIs", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Time lost is")) },
        { "ends", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Ends")) },
        { "endsAt", titleOf(QT_TRANSLATE_NOOP("ChainExport", "Lease ends (UTC)")) } };
    for (const WaitChain *chain : chains) {
        if (format == ExportFormat::Json) {
            table.objects.push_back(json::line(chainJson(*chain, text, now)));
            continue;
        }
        table.rows.push_back({ lockList(*chain, [format](const LockName &lock) { return lockNameCell(lock, format); }),
            lockNameCell(chain->mainLock, format), ChainText::wholeHead(*chain).toStdString(), deadlockText(*chain),
            std::to_string(chain->blocked),
            chain->mayBeElsewhere         ? titleOf(QT_TRANSLATE_NOOP("ChainExport", "maybe of another database"))
                : chain->mayBeGhosts      ? titleOf(QT_TRANSLATE_NOOP("ChainExport", "maybe with ghosts"))
                : chain->isBlockedAtLeast ? titleOf(QT_TRANSLATE_NOOP("ChainExport", "at least"))
                                          : titleOf(QT_TRANSLATE_NOOP("ChainExport", "exact")),
            lostText(*chain, now.mono), lostIs(*chain), text.ends(*chain).toStdString(), endsAt(*chain, now) });
    }
    return table;
}

} // namespace lockui
