// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/clean_up.h"

#include "app/common/words.h"
#include "app/lab/client_protocol.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/transport/clock.h"
#include "ui/text/json.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <unistd.h>
#include <utility>

namespace app {

using lockcore::ErrorCode;
using lockcore::Millis;
using lockcore::Result;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;
using lockcore::transport::Connection;
using lockcore::transport::monoNow;

namespace {

using namespace std::chrono_literals;

constexpr auto TriesFor = 5min; // without an answer
constexpr auto BetweenLooks = 200ms;
constexpr std::size_t KeysAtOnce = 500;
constexpr auto ShortestRest = 5ms; // between two pages
constexpr auto LongestRest = 1'000ms;
constexpr Millis WorkOfAnAnswer{ 1 };
constexpr int RestsOfAnAnswer = 5; // so many times as long as the answer took: a busy server is left alone

} // namespace

CleanUp::CleanUp(std::string prefix, QObject *parent)
    : QObject(parent)
    , m_prefix(std::move(prefix))
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &CleanUp::look);
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &CleanUp::scan);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        fail(complaint(ErrorCode::ConnectionClosed,
            Words::tr("the server does not answer; keys with %1 in their names may be left there").arg(shown(m_prefix)),
            Words::tr("removing what a scenario left behind").toStdString()));
    });
}

void CleanUp::start(const lockcore::transport::Deployment &deployment)
{
    m_connection = std::make_unique<Connection>(
        deployment.seeds.front(), lockcore::transport::ConnectionOptions{ .readOnly = false });
    connect(m_connection.get(), &Connection::ready, this, [this] {
        if (m_hasBegun)
            look();
        else if (!m_isTold)
            tryWhetherItMay();
    });
    m_input = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_input.get(), &QSocketNotifier::activated, this, &CleanUp::inputArrives);
    m_connection->open();
}

template <typename Then>
auto CleanUp::answered(Then then)
{
    return [this, then](const Result<Reply> &reply) {
        if (!reply)
            return;
        if (m_hasBegun)
            m_limit.start(TriesFor);
        if (const auto *error = reply->error()) {
            const bool isForGood = error->text.starts_with("NOPERM") || error->text.starts_with("NOAUTH");
            if (m_hasBegun && !isForGood)
                return m_again.start(BetweenLooks); // it loads, is busy, or cannot write just now
            const QString said = shown(error->text);
            return fail(complaint(ErrorCode::ServerOther,
                m_hasBegun ? Words::tr("%1; keys with %2 in their names may be left there").arg(said, shown(m_prefix))
                           : said,
                Words::tr("removing what a scenario left behind").toStdString()));
        }
        then(*reply);
    };
}

void CleanUp::tryWhetherItMay()
{
    if (m_connection->serverInfo().mode == "cluster")
        return fail(complaint(ErrorCode::NotSupported,
            Words::tr("%1 is a node of a cluster: scenarios are played on a server that stands alone")
                .arg(shown(m_connection->endpoint().display())),
            "run"));
    m_connection->send({ "SCAN", "0", "MATCH", '*' + m_prefix + '*', "COUNT", "1" }, answered([this](const Reply &) {
        m_connection->send({ "DEL", m_prefix }, answered([this](const Reply &) {
            m_may = true;
            tellWhenReady();
        }));
    }));
}

void CleanUp::inputArrives()
{
    char buffer[4096];
    const auto size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (size > 0) {
        m_read.append(buffer, size);
        if (const auto end = m_read.indexOf('\n'); end >= 0 && !m_knowsNames)
            takeNames(m_read.left(end));
        return;
    }
    m_input->setEnabled(false);
    begin();
}

/// What may delete has to be sure of what.
void CleanUp::takeNames(const QByteArray &line)
{
    const auto names = lockui::JsonValue::parse(line.begin(), line.end(), nullptr, false);
    const bool areNames = names.is_array() && std::ranges::all_of(names, [this](const auto &name) {
        return name.is_string() && name.template get_ref<const std::string &>().starts_with(m_prefix);
    });
    if (!areNames)
        return fail(complaint(ErrorCode::InvalidArgument,
            Words::tr("expected a list of names that begin with %1").arg(shown(m_prefix)), "client"));
    for (const auto &name : names) {
        const auto keys = lockcore::synchronizers::key_layout::keysOf(name.template get_ref<const std::string &>());
        m_keys.insert(m_keys.end(), keys.begin(), keys.end());
    }
    m_knowsNames = true;
    tellWhenReady();
}

void CleanUp::tellWhenReady()
{
    if (m_may && m_knowsNames && !std::exchange(m_isTold, true))
        say(ClientNews{});
}

void CleanUp::begin()
{
    if (!m_isTold) // nothing has begun
        return Q_EMIT finished(Done);
    m_hasBegun = true;
    m_limit.start(TriesFor);
    look();
}

void CleanUp::look()
{
    m_again.stop();
    m_rest.stop();
    m_next = 0;
    m_found = 0;
    deleteNext();
}

void CleanUp::deleteNext()
{
    if (m_next == m_keys.size())
        return lookIsOver();
    const std::size_t end = std::min(m_next + KeysAtOnce, m_keys.size());
    Command command{ "DEL" };
    command.insert(command.end(), m_keys.begin() + static_cast<std::ptrdiff_t>(m_next),
        m_keys.begin() + static_cast<std::ptrdiff_t>(end));
    m_connection->send(std::move(command), answered([this, end](const Reply &reply) {
        m_found += reply.integer() ? *reply.integer() : 0;
        m_next = end;
        deleteNext();
    }));
}

void CleanUp::lookIsOver()
{
    m_cleanLooks = m_found == 0 ? m_cleanLooks + 1 : 0;
    if (m_cleanLooks < 2)
        return m_again.start(BetweenLooks);
    m_cursor = "0";
    scan();
}

void CleanUp::scan()
{
    m_askedAt = monoNow();
    m_connection->send({ "SCAN", m_cursor, "MATCH", '*' + m_prefix + '*', "COUNT", std::to_string(KeysAtOnce) },
        answered([this](const Reply &page) { take(page); }));
}

void CleanUp::take(const Reply &page)
{
    const auto *parts = page.array();
    if (!parts || parts->size() != 2 || !(*parts)[0].bulk() || !(*parts)[1].array())
        return;
    m_cursor = *(*parts)[0].bulk();
    Command command{ "DEL" };
    for (const Reply &key : *(*parts)[1].array())
        command.push_back(*key.bulk());
    const auto next = [this, rest = restAfter(std::chrono::ceil<Millis>(monoNow() - m_askedAt))] {
        if (m_cursor == "0")
            Q_EMIT finished(Done);
        else
            m_rest.start(rest);
    };
    if (command.size() == 1)
        return next();
    m_connection->send(std::move(command), answered([next](const Reply &) { next(); }));
}

/// What the fastest answer took beyond a moment of work, the way to the server did.
Millis CleanUp::restAfter(Millis answerTook)
{
    m_fastest = std::min(m_fastest, answerTook);
    const Millis way = std::max(m_fastest - WorkOfAnAnswer, Millis{ 0 });
    return std::clamp<Millis>((answerTook - way) * RestsOfAnAnswer, ShortestRest, LongestRest);
}

void CleanUp::fail(const lockcore::Error &error)
{
    complain("lockctl", error);
    if (!m_hasBegun)
        say(ClientNews{ ClientNews::What::Disconnected, {}, {}, {}, toString(error) });
    Q_EMIT finished(exitStatus(error));
}

} // namespace app
