// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_reader.h"

#include "lockcore/base/error.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/lab/endless_wait.h"
#include "ui/lab/json_outline.h"
#include "ui/lab/json_reader.h"
#include "ui/lab/json_syntax.h"
#include "ui/lab/unheard_order.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <span>

namespace lockui::lab {

using lockcore::Millis;
using lockcore::synchronizers::Kind;

namespace {

constexpr std::size_t MostServers = 7;
constexpr std::size_t MostClients = 50;
constexpr std::size_t MostSteps = 500;
constexpr std::int64_t MostCount = 1'000'000;

std::optional<Millis> durationOf(const JsonNode &object, const char *name)
{
    const auto value = object.find(name);
    return value ? std::optional(value->duration()) : std::nullopt;
}

Window windowOf(const JsonNode &value)
{
    const auto ends = value.elements();
    if (ends.size() != 2)
        value.fail(JsonNode::tr("expected two durations: from and to"));
    const Window window{ ends[0].duration(), ends[1].duration() };
    if (window.most <= window.least)
        value.fail(JsonNode::tr("expected a window of time: its end is not after its beginning"));
    return window;
}

std::size_t serversOf(Setting setting)
{
    constexpr std::size_t Masters = 3;
    return setting == Setting::Cluster ? Masters : setting == Setting::Replicated ? 2 : 1;
}

/// Reads one scenario; what it has read so far is what the next value is checked with.
class Reader {
    Q_DECLARE_TR_FUNCTIONS(lockui::lab::ScenarioReader)
public:
    Scenario read(const JsonNode &root);
    const std::vector<JsonProblem> &problems() const
    {
        return m_problems;
    } // of steps; what follows was read all the same

private:
    void addStep(const JsonNode &value);
    void addUnheard();
    QString unheardText(const UnheardOrder &order) const;
    std::string idOf(const JsonNode &step) const; // its number, where it has none that can be read
    void readServers(const JsonNode &value);
    void readClient(const JsonNode &value);
    static void readRenews(const JsonNode &value, ScenarioClient &client);
    static void readVersion(const JsonNode &value, ScenarioClient &client);
    Step readStep(const JsonNode &value);
    void readActor(const JsonNode &value, Step &step);
    void readLock(const JsonNode &value, Step &step);
    void checkKind(const JsonNode &value, const Step &step) const;
    Expectation readExpectation(const JsonNode &value, const Step &step) const;
    KeyExpectation readKey(const JsonNode &value) const;
    SeenExpectation readSeen(const JsonNode &value) const;
    EventExpectation readEvent(const JsonNode &value) const;
    std::size_t serverOf(const JsonNode &object) const;
    std::string knownStep(const JsonNode &value) const;
    std::vector<std::string> owners(const JsonNode &value) const;
    std::string withKnownClients(const JsonNode &value) const;
    const ScenarioClient *clientNamed(const std::string &name) const;

    Scenario m_scenario;
    std::set<std::string> m_ids;
    std::vector<JsonProblem> m_problems;
};

Scenario Reader::read(const JsonNode &root)
{
    root.allowOnly({ "$schema", "name", "title", "group", "about", "forYourCode", "servers", "watchdog", "fairWait",
        "clients", "steps" });
    m_scenario.name = root.at("name").text();
    m_scenario.title = root.at("title").text();
    if (const auto group = root.find("group"))
        m_scenario.group = group->oneOf(Groups);
    if (const auto about = root.find("about"))
        m_scenario.about = about->texts();
    if (const auto code = root.find("forYourCode"))
        m_scenario.forYourCode = code->text();
    if (const auto servers = root.find("servers"))
        readServers(*servers);
    m_scenario.watchdog = durationOf(root, "watchdog").value_or(m_scenario.watchdog);
    m_scenario.fairWait = durationOf(root, "fairWait").value_or(m_scenario.fairWait);
    constexpr Millis ShortestWatchdog{ 500 };
    if (m_scenario.watchdog < ShortestWatchdog)
        root.at("watchdog").fail(tr("expected at least 500ms: a busy computer renews no faster"));
    const JsonNode clients = root.at("clients");
    for (const JsonNode &client : clients.elements())
        readClient(client);
    if (m_scenario.clients.empty() || m_scenario.clients.size() > MostClients)
        clients.fail(tr("expected one to %1 clients").arg(MostClients));
    const JsonNode steps = root.at("steps");
    const auto each = steps.elements();
    if (each.empty() || each.size() > MostSteps)
        steps.fail(tr("expected one to %1 steps").arg(MostSteps));
    for (const JsonNode &step : each)
        addStep(step);
    if (m_problems.empty())
        addUnheard();
    if (const auto endless = m_problems.empty() ? findEndlessWait(m_scenario) : std::nullopt)
        each[endless->step].fail(
            tr("this waits without end: %1 holds \"%2\", and nothing that frees it begins before "
               "this step has ended; expected \"wait\", or \"meanwhile\" and a later unlock")
                .arg(QString::fromStdString(endless->holder), QString::fromStdString(endless->lock)));
    return std::move(m_scenario);
}

void Reader::readServers(const JsonNode &value)
{
    if (value.isText()) {
        m_scenario.setting = value.oneOf(Settings);
        if (m_scenario.setting == Setting::Independent)
            value.fail(tr("expected {\"independent\": 3}, with the number of servers"));
        m_scenario.servers = serversOf(m_scenario.setting);
        return;
    }
    value.allowOnly({ "independent" });
    m_scenario.setting = Setting::Independent;
    m_scenario.servers = static_cast<std::size_t>(value.at("independent").number(2, MostServers));
}

void Reader::readClient(const JsonNode &value)
{
    ScenarioClient client;
    const JsonNode name = value.isObject() ? value.at("name") : value;
    client.name = name.text();
    const bool isPlain = std::ranges::all_of(client.name, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    });
    if (!isPlain)
        name.fail(tr("expected a name of plain letters and digits"));
    if (clientNamed(client.name))
        name.fail(tr("there is a client \"%1\" already").arg(QString::fromStdString(client.name)));
    if (value.isObject()) {
        value.allowOnly({ "name", "renews", "program", "version" });
        if (const auto program = value.find("program"))
            client.program = program->oneOf(ClientProgramKinds);
        readRenews(value, client);
        readVersion(value, client);
    }
    m_scenario.clients.push_back(std::move(client));
}

void Reader::readRenews(const JsonNode &value, ScenarioClient &client)
{
    const auto renews = value.find("renews");
    if (!renews)
        return;
    client.renews = renews->flag();
    if (!client.renews && client.program == ClientProgramKind::Redisson)
        renews->fail(tr("the watchdog of Redisson cannot be switched off"));
}

void Reader::readVersion(const JsonNode &value, ScenarioClient &client)
{
    const auto version = value.find("version");
    if (!version)
        return;
    client.version = version->text();
    if (client.program != ClientProgramKind::Redisson)
        version->fail(tr("\"version\" goes with \"program\": \"redisson\", and only there"));
    const bool isPlain = std::ranges::all_of(
        client.version, [](char letter) { return (letter >= '0' && letter <= '9') || letter == '.'; });
    if (!isPlain)
        version->fail(tr("expected a version such as \"3.16.8\", or the beginning of one such as \"4\""));
}

void Reader::addStep(const JsonNode &value)
{
    try {
        m_scenario.steps.push_back(readStep(value));
    } catch (const JsonProblem &problem) {
        m_problems.push_back(problem);
        m_ids.insert(idOf(value)); // later steps may wait for it: that it is wrong is one error, not two
        m_scenario.steps.emplace_back();
    }
}

/// Steps that their clients can never carry out.
void Reader::addUnheard()
{
    for (const UnheardOrder &order : findUnheardOrders(m_scenario)) {
        const bool runs = order.why == UnheardOrder::Why::RunsAlready;
        m_problems.push_back(
            { { std::string("steps"), order.step, std::string(runs ? "do" : "client") }, unheardText(order) });
    }
}

QString Reader::unheardText(const UnheardOrder &order) const
{
    const QString client = QString::fromStdString(m_scenario.steps[order.step].client);
    const QString since = QString::fromStdString(m_scenario.steps[order.since].id);
    switch (order.why) {
    case UnheardOrder::Why::HasCrashed:
        return tr("%1 has crashed in step \"%2\": expected a \"start\" of it before anything is asked of it")
            .arg(client, since);
    case UnheardOrder::Why::StandsStill:
        return tr("%1 stands still since step \"%2\", and does not go on before this step has ended; expected "
                  "\"resume\", or \"meanwhile\" and a later \"resume\"")
            .arg(client, since);
    case UnheardOrder::Why::RunsAlready:
        break;
    }
    return tr("%1 runs already: it is started after a \"crash\", and only then").arg(client);
}

std::string Reader::idOf(const JsonNode &step) const
{
    try {
        return step.at("id").text();
    } catch (const JsonProblem &) {
        return std::to_string(m_scenario.steps.size() + 1);
    }
}

Step Reader::readStep(const JsonNode &value)
{
    value.allowOnly({ "id", "do", "client", "thread", "server", "lock", "locks", "kind", "variant", "mode", "lease",
        "wait", "retry", "count", "after", "pause", "scalable", "meanwhile", "note", "expect" });
    Step step;
    step.id = std::to_string(m_scenario.steps.size() + 1);
    if (const auto id = value.find("id"))
        step.id = id->text();
    if (const auto after = value.find("after")) {
        for (const JsonNode &each : after->isArray() ? after->elements() : std::vector{ *after })
            step.after.push_back(knownStep(each));
    }
    if (!m_ids.insert(step.id).second)
        (value.find("id") ? value.at("id") : value)
            .fail(tr("there is a step \"%1\" already").arg(QString::fromStdString(step.id)));
    step.act = value.at("do").oneOf(Acts);
    step.pause = durationOf(value, "pause").value_or(Millis{ 0 });
    if (const auto scalable = value.find("scalable")) {
        step.isScalable = scalable->flag();
        if (!value.find("pause"))
            scalable->fail(tr("\"scalable\" is said of a \"pause\", and there is none"));
    }
    if (const auto meanwhile = value.find("meanwhile"))
        step.isMeanwhile = meanwhile->flag();
    if (const auto note = value.find("note"))
        step.note = note->text();
    readActor(value, step);
    readLock(value, step);
    if (const auto expect = value.find("expect"))
        step.expects = readExpectation(*expect, step);
    else if (step.act == Act::Check)
        value.fail(tr("a check needs \"expect\""));
    return step;
}

void Reader::readActor(const JsonNode &value, Step &step)
{
    const Actor actor = lockcore::rowOf(Acts, step.act).actor;
    const auto client = value.find("client");
    if (actor == Actor::Client) {
        step.client = value.at("client").text();
        if (!clientNamed(step.client))
            client->fail(tr("there is no client \"%1\"").arg(QString::fromStdString(step.client)));
    } else if (client) {
        client->fail(tr("\"%1\" is not done by a client").arg(QString::fromLatin1(nameOf(step.act))));
    }
    if (const auto thread = value.find("thread"))
        step.thread = std::to_string(thread->number(1, MostCount));
    step.server = serverOf(value);
    const bool cuts = step.act == Act::Cut || step.act == Act::Mend;
    if (cuts && m_scenario.setting != Setting::One)
        value.at("do").fail(tr("the network of a client can be cut where there is one server"));
    if (step.act == Act::CutReplication && m_scenario.setting != Setting::Replicated)
        value.at("do").fail(tr("there is a replica only where \"servers\" is \"replicated\""));
    if (step.act == Act::MoveSlot && m_scenario.setting != Setting::Cluster)
        value.at("do").fail(tr("there are slots only where \"servers\" is \"cluster\""));
    if (step.act == Act::StartServer && m_scenario.setting == Setting::Cluster)
        value.at("do").fail(tr("a server of a cluster does not come back: it would be none of it any more"));
    for (ScenarioClient &each : m_scenario.clients)
        each.hasProxy = each.hasProxy || (cuts && each.name == step.client);
}

void Reader::readLock(const JsonNode &value, Step &step)
{
    if (const auto locks = value.find("locks")) {
        step.locks = locks->texts();
        if (step.locks.size() < 2 || (step.act != Act::Lock && step.act != Act::Unlock))
            locks->fail(tr("expected two locks or more, which are locked or unlocked as one"));
    }
    if (const auto lock = value.find("lock"))
        step.lock = lock->text();
    else if (lockcore::rowOf(Acts, step.act).needsLock && step.locks.empty())
        value.fail(tr("\"lock\" is missing: which lock is it done to?"));
    if (const auto kind = value.find("kind"))
        step.kind = kind->oneOf(lockcore::synchronizers::allKinds());
    if (const auto variant = value.find("variant"))
        step.variant = variant->oneOf(lockcore::synchronizers::LockVariants);
    if (const auto mode = value.find("mode"))
        step.mode = mode->oneOf(lockcore::synchronizers::HoldModes);
    step.lease = durationOf(value, "lease");
    step.wait = durationOf(value, "wait");
    step.retry = durationOf(value, "retry").value_or(Millis{ 0 });
    if (const auto count = value.find("count"))
        step.count = count->number(0, MostCount);
    if (lockcore::rowOf(Acts, step.act).actor == Actor::Client)
        checkKind(value, step);
    if (step.lease == Millis{ 0 })
        value.at("lease").fail(tr("a lease is longer than nothing; without \"lease\" the watchdog renews"));
    if (step.act == Act::Renew && clientNamed(step.client)->program == ClientProgramKind::Redisson)
        value.at("do").fail(tr("Redisson renews by itself, and cannot be told to"));
    if (step.act == Act::Renew && !step.lease)
        value.fail(tr("\"lease\" is missing: for how long is it renewed?"));
}

void Reader::checkKind(const JsonNode &value, const Step &step) const
{
    const bool isReadWrite = step.kind == Kind::ReadWrite;
    if (isReadWrite != step.mode.has_value() && (step.act == Act::Lock || step.act == Act::Unlock || step.mode))
        value.fail(tr("\"mode\" read or write goes with the kind readWrite, and only there"));
    if (step.kind == Kind::FasterMulti || step.kind == Kind::Token)
        value.at("kind").fail(tr("clients of scenarios do not take locks of this kind"));
    const bool isLatch = step.act == Act::SetCount || step.act == Act::CountDown || step.act == Act::Await;
    if ((step.act == Act::Lock || step.act == Act::Unlock) && step.kind == Kind::CountDownLatch)
        value.at("kind").fail(tr("nobody holds a latch: expected await"));
    if (step.act == Act::SetPermits && !lockcore::synchronizers::isSemaphore(step.kind))
        value.fail(tr("expected the kind of a semaphore"));
    if (isLatch && value.find("kind") && step.kind != Kind::CountDownLatch)
        value.at("kind").fail(tr("expected countDownLatch"));
}

Expectation Reader::readExpectation(const JsonNode &value, const Step &step) const
{
    value.allowOnly(
        { "outcome", "error", "took", "tokenAbove", "redis", "seen", "events", "order", "within", "stays" });
    Expectation expects;
    const lockui::lab::ActRow &act = lockcore::rowOf(Acts, step.act);
    const bool answers = act.needsLock && act.actor != Actor::Server;
    if (const auto outcome = value.find("outcome")) {
        expects.outcome = outcome->oneOf(Outcomes);
        if (!answers)
            outcome->fail(tr("\"%1\" has no outcome").arg(QString::fromLatin1(nameOf(step.act))));
    }
    if (const auto error = value.find("error")) {
        expects.error = nameOf(error->oneOf(lockcore::ErrorCodes));
        expects.outcome = Outcome::Failed;
    }
    if (const auto took = value.find("took"))
        expects.took = windowOf(*took);
    if (const auto above = value.find("tokenAbove"))
        expects.tokenAbove = knownStep(*above);
    if (const auto redis = value.find("redis")) {
        for (const JsonNode &key : redis->elements())
            expects.redis.push_back(readKey(key));
    }
    if (const auto seen = value.find("seen")) {
        for (const JsonNode &lock : seen->elements())
            expects.seen.push_back(readSeen(lock));
    }
    if (const auto events = value.find("events")) {
        for (const JsonNode &event : events->elements())
            expects.events.push_back(readEvent(event));
    }
    if (const auto order = value.find("order")) {
        for (const JsonNode &each : order->elements())
            expects.order.push_back(knownStep(each));
        if (expects.order.size() < 2)
            order->fail(tr("expected two steps or more, one after the other"));
    }
    expects.within = durationOf(value, "within").value_or(expects.within);
    expects.stays = durationOf(value, "stays");
    return expects;
}

KeyExpectation Reader::readKey(const JsonNode &value) const
{
    KeyExpectation key;
    if (const auto channel = value.find("channel")) {
        value.allowOnly({ "channel", "server", "subscribers" });
        key.key = channel->text();
        key.server = serverOf(value);
        key.subscribers = value.at("subscribers").number(0, MostCount);
        return key;
    }
    value.allowOnly({ "key", "server", "exists", "value", "fields", "elements", "ttl" });
    key.key = withKnownClients(value.at("key"));
    key.server = serverOf(value);
    if (const auto exists = value.find("exists"))
        key.exists = exists->flag();
    if (const auto text = value.find("value"))
        key.value = withKnownClients(*text);
    if (const auto fields = value.find("fields")) {
        key.fields.emplace();
        for (const auto &[name, field] : fields->members())
            key.fields->emplace(name, withKnownClients(field));
    }
    if (const auto elements = value.find("elements")) {
        key.elements.emplace();
        for (const JsonNode &element : elements->elements())
            key.elements->push_back(withKnownClients(element));
    }
    if (const auto ttl = value.find("ttl"))
        key.ttl = windowOf(*ttl);
    if (!key.exists && !key.value && !key.fields && !key.elements && !key.ttl)
        value.fail(tr("what is expected of the key? exists, value, fields, elements or ttl"));
    return key;
}

SeenExpectation Reader::readSeen(const JsonNode &value) const
{
    value.allowOnly({ "lock", "held", "holders", "waiters", "lease", "freePermits", "count", "quorum", "suspect" });
    SeenExpectation seen;
    seen.lock = value.at("lock").text();
    if (const auto held = value.find("held"))
        seen.held = held->flag();
    if (const auto holders = value.find("holders"))
        seen.holders = owners(*holders);
    if (const auto waiters = value.find("waiters"))
        seen.waiters = owners(*waiters);
    if (const auto lease = value.find("lease"))
        seen.lease = nameOf(lease->oneOf(lockcore::monitor::Leases));
    if (const auto free = value.find("freePermits"))
        seen.freePermits = free->number(0, MostCount);
    if (const auto count = value.find("count"))
        seen.count = count->number(0, MostCount);
    if (const auto quorum = value.find("quorum"))
        seen.quorum = static_cast<int>(quorum->number(0, MostServers));
    if (const auto suspect = value.find("suspect"))
        seen.suspect = nameOf(suspect->oneOf(lockcore::monitor::SuspectKinds));
    return seen;
}

EventExpectation Reader::readEvent(const JsonNode &value) const
{
    value.allowOnly({ "event", "lock", "owner", "certainty" });
    EventExpectation event;
    event.event = value.at("event").oneOf(lockcore::monitor::EventKinds);
    event.lock = value.at("lock").text();
    if (const auto owner = value.find("owner"))
        event.owner = withKnownClients(*owner);
    if (const auto certainty = value.find("certainty"))
        event.certainty = certainty->oneOf(std::span(lockcore::monitor::Certainties).first<2>()); // not by records
    return event;
}

std::size_t Reader::serverOf(const JsonNode &object) const
{
    const auto server = object.find("server");
    return server ? static_cast<std::size_t>(server->number(1, static_cast<std::int64_t>(m_scenario.servers)) - 1) : 0;
}

std::string Reader::knownStep(const JsonNode &value) const
{
    std::string id = value.text();
    if (!m_ids.contains(id))
        value.fail(tr("no earlier step has the id \"%1\"").arg(QString::fromStdString(id)));
    return id;
}

std::vector<std::string> Reader::owners(const JsonNode &value) const
{
    std::vector<std::string> owners;
    for (const JsonNode &each : value.elements())
        owners.push_back(withKnownClients(each));
    return owners;
}

/// `$A` is the id of the client A.
std::string Reader::withKnownClients(const JsonNode &value) const
{
    std::string text = value.text();
    for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
        const bool isKnown = std::ranges::any_of(m_scenario.clients,
            [&](const ScenarioClient &client) { return text.compare(at + 1, client.name.size(), client.name) == 0; });
        if (!isKnown)
            value.fail(tr("behind $ stands the name of a client"));
    }
    return text;
}

const ScenarioClient *Reader::clientNamed(const std::string &name) const
{
    const auto found = std::ranges::find(m_scenario.clients, name, &ScenarioClient::name);
    return found == m_scenario.clients.end() ? nullptr : &*found;
}

} // namespace

namespace {

} // namespace

QString placedText(const ScenarioError &error)
{
    return JsonNode::tr("line %1, column %2: %3").arg(error.at.line).arg(error.at.column).arg(error.message);
}

ScenarioReading readThrough(std::string_view json)
{
    ScenarioReading reading;
    if (const auto fault = firstFault(json)) {
        reading.errors.push_back(
            { positionAt(json, fault->offset), JsonNode::tr("this is no JSON: %1").arg(fault->message) });
        return reading;
    }
    const JsonValue root = JsonValue::parse(json, nullptr, false);
    const JsonSpan outline = outlineOf(json);
    const auto errorOf = [&](const JsonProblem &problem) {
        return ScenarioError{ positionAt(json, spanOf(outline, problem.path).begin), problem.message, problem.path };
    };
    if (const auto twice = repeatedKey(outline)) {
        reading.errors.push_back({ positionAt(json, twice->begin),
            JsonNode::tr("there is a \"%1\" already").arg(QString::fromStdString(twice->name)) });
        return reading;
    }
    Reader reader;
    try {
        reading.scenario = reader.read({ root, {} });
    } catch (const JsonProblem &problem) {
        reading.errors.push_back(errorOf(problem));
        return reading;
    }
    for (const JsonProblem &problem : reader.problems())
        reading.errors.push_back(errorOf(problem));
    for (std::size_t i = 0; i < reading.scenario.steps.size(); ++i)
        reading.scenario.steps[i].line = positionAt(json, spanOf(outline, { std::string("steps"), i }).begin).line;
    return reading;
}

tl::expected<Scenario, ScenarioError> readScenario(std::string_view json)
{
    ScenarioReading reading = readThrough(json);
    if (!reading.errors.empty())
        return tl::unexpected(reading.errors.front());
    return std::move(reading.scenario);
}

} // namespace lockui::lab
