// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/subscriber_census.h"

#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

constexpr std::size_t MostPlaces = 64;
constexpr Millis CountPatience{ 1'200 }; // the next question comes a little later
constexpr Millis ShortestRest{ 300 };
constexpr Millis LongestRest{ 3'000 }; // it may have been held up by something else
constexpr int RestsOfAnAnswer = 40;

ConnectionOptions patientOptions()
{
    ConnectionOptions options;
    options.replyTimeout = Millis{ 5'000 };
    options.backoff.longest = Millis{ 3'000 };
    return options;
}

} // namespace

struct SubscriberCensus::Place {
    Place(const Endpoint &endpoint, ChannelCounter::IsOurs isOurs,
        std::function<void(const input::ChannelsListed &)> listed)
        : connection(endpoint, patientOptions())
        , counter(
              connection, std::move(isOurs),
              [listed = std::move(listed)](const EngineInput &input) {
                  if (const auto *channels = std::get_if<input::ChannelsListed>(&input))
                      listed(*channels);
              },
              [] {})
    {
    }

    Connection connection;
    ChannelCounter counter;
    Numbers numbers;
    std::optional<MonoTime> countedAt; // asked for what the numbers tell
    std::optional<MonoTime> askedAt; // an answer is awaited
    MonoTime restUntil;
    bool whole = false; // the numbers are of all channels
};

SubscriberCensus::SubscriberCensus(bool isCluster, IsOurs isOurs)
    : m_isCluster(isCluster)
    , m_isOurs(std::move(isOurs))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { work(); });
}

SubscriberCensus::~SubscriberCensus() = default;

void SubscriberCensus::setServer(const Endpoint &server, std::optional<std::vector<Endpoint>> replicas)
{
    m_servers[server.display()] = { server, std::move(replicas) };
    dropUnknownPlaces();
}

void SubscriberCensus::forget(const std::string &server)
{
    m_servers.erase(server);
    dropUnknownPlaces();
}

void SubscriberCensus::dropUnknownPlaces()
{
    std::set<std::string> known;
    for (const auto &[name, server] : m_servers) {
        known.insert(name);
        for (const Endpoint &replica : server.replicas.value_or(std::vector<Endpoint>()))
            known.insert(replica.display());
    }
    for (auto place = m_places.begin(); place != m_places.end();) {
        if (known.contains(place->first)) {
            ++place;
            continue;
        }
        place->second->connection.disconnect(this);
        // It may be one of its answers that brought us here.
        QMetaObject::invokeMethod(
            this, [ended = std::shared_ptr<Place>(std::move(place->second))] {}, Qt::QueuedConnection);
        place = m_places.erase(place);
    }
}

void SubscriberCensus::count(const std::string &server, Answer answer)
{
    auto question = questionFor(server);
    question.answer = std::move(answer);
    m_questions.push_back(std::move(question));
    work();
}

SubscriberCensus::Question SubscriberCensus::questionFor(const std::string &server)
{
    Question question;
    question.askedAt = monoNow();
    const auto add = [&](const Endpoint &endpoint) {
        if (question.places.size() == MostPlaces) {
            question.complete = false;
            return;
        }
        placeAt(endpoint);
        question.places.insert(endpoint.display());
    };
    question.complete = m_servers.contains(server);
    for (const auto &[name, other] : m_servers) {
        if (name != server && !m_isCluster)
            continue;
        question.complete = question.complete && other.replicas;
        if (name != server)
            add(other.endpoint);
        for (const Endpoint &replica : other.replicas.value_or(std::vector<Endpoint>()))
            add(replica);
    }
    return question;
}

SubscriberCensus::Place &SubscriberCensus::placeAt(const Endpoint &endpoint)
{
    const std::string name = endpoint.display();
    auto &place = m_places[name];
    if (place)
        return *place;
    place = std::make_unique<Place>(
        endpoint, [this, name](const std::string &channel) { return m_isOurs(name, channel); },
        [this, name](const input::ChannelsListed &channels) {
            if (const auto known = m_places.find(name); known != m_places.end())
                listed(*known->second, channels);
        });
    connect(&place->connection, &Connection::ready, this, [this, name] {
        if (const auto known = m_places.find(name); known != m_places.end())
            known->second->counter.reset();
        work();
    });
    connect(&place->connection, &Connection::lost, this, [this, name] {
        if (const auto known = m_places.find(name); known != m_places.end())
            known->second->askedAt.reset();
        m_timer.start(0);
    });
    place->connection.open();
    return *place;
}

/// Asks whoever is wanted and has rested, and answers what can be answered.
void SubscriberCensus::work()
{
    const auto now = monoNow();
    std::optional<MonoTime> next;
    const auto consider = [&](MonoTime at) { next = std::min(next.value_or(at), at); };
    auto open = std::exchange(m_questions, {});
    const auto over
        = std::stable_partition(open.begin(), open.end(), [&](const Question &question) { return !isOver(question); });
    std::vector<Question> done(std::make_move_iterator(over), std::make_move_iterator(open.end()));
    open.erase(over, open.end());
    m_questions = std::move(open);
    for (const Question &question : m_questions) {
        consider(question.askedAt + CountPatience);
        for (const std::string &name : question.places) {
            const auto known = m_places.find(name);
            if (known == m_places.end())
                continue;
            Place &place = *known->second;
            if (place.askedAt || place.countedAt >= question.askedAt
                || place.connection.state() != Connection::State::Ready)
                continue;
            if (place.restUntil <= now)
                list(place);
            else
                consider(place.restUntil);
        }
    }
    if (next)
        m_timer.start(static_cast<int>(std::max<std::int64_t>(std::chrono::ceil<Millis>(*next - now).count(), 1)));
    for (const Question &question : done)
        answer(question);
}

void SubscriberCensus::list(Place &place)
{
    place.askedAt = monoNow();
    place.counter.list();
}

void SubscriberCensus::listed(Place &place, const input::ChannelsListed &channels)
{
    const auto now = monoNow();
    const auto asked = std::exchange(place.askedAt, std::nullopt).value_or(now);
    place.numbers = { channels.channels.begin(), channels.channels.end() };
    place.whole = !channels.refused && channels.more == 0;
    place.countedAt = asked;
    place.restUntil = now + std::clamp<MonoTime::duration>(RestsOfAnAnswer * (now - asked), ShortestRest, LongestRest);
    m_timer.start(0);
}

bool SubscriberCensus::isOver(const Question &question) const
{
    return monoNow() - question.askedAt >= CountPatience
        || std::ranges::all_of(question.places, [&](const std::string &name) {
               const auto place = m_places.find(name);
               return place == m_places.end() || place->second->countedAt >= question.askedAt
                   || place->second->connection.state() == Connection::State::WaitingToReconnect;
           });
}

void SubscriberCensus::answer(const Question &question)
{
    Numbers numbers;
    bool complete = question.complete;
    for (const std::string &name : question.places) {
        const auto place = m_places.find(name);
        if (place == m_places.end() || place->second->countedAt < question.askedAt) {
            complete = false;
            continue;
        }
        complete = complete && place->second->whole;
        for (const auto &[channel, number] : place->second->numbers)
            numbers[channel] += number;
    }
    question.answer(numbers, complete);
}

} // namespace lockcore::service
