// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/ledger.h"

#include "lockcore/transport/clock.h"

#include <algorithm>
#include <sstream>

namespace faults {

using lockcore::Millis;

namespace {

constexpr Millis Tolerance{ 3 }; // servers count whole milliseconds, and clocks are read one after the other

MonoTime monoTime(std::int64_t micros) { return MonoTime(MonoTime::duration(micros)); }

std::string millis(MonoTime time) { return time == Forever ? "for ever" : std::to_string(double(micros(time)) / 1e3); }

} // namespace

void Ledger::take(std::string_view line)
{
    m_lines.emplace_back(line);
    std::istringstream words{ std::string(line) };
    std::int64_t time = 0;
    std::string owner;
    std::string word;
    words >> time >> owner >> word;
    const MonoTime at = monoTime(time);
    std::string first;
    if (word == "client") {
        words >> m_clients[owner];
        m_users[owner] = {};
    } else if (word == "believes") {
        std::string mode;
        std::int64_t basis = 0;
        std::int64_t until = 0;
        words >> first >> mode >> basis >> until;
        stop(owner, first, at);
        m_open[{ owner, first }] = { owner, first, mode == "shared", monoTime(basis), at, monoTime(until) };
    } else if (word == "doubts") {
        words >> first;
        stop(owner, first, at);
    } else if (word == "is") {
        UserState state;
        std::string doubtful;
        words >> state.phase >> state.lock >> doubtful;
        std::istringstream each(doubtful);
        while (std::getline(each, first, ','))
            state.doubtful.insert(first);
        std::int64_t count = 0;
        while (words >> first >> count)
            state.counts[first] = count;
        if (const auto user = m_users.find(owner); user != m_users.end())
            user->second = state;
    } else if (word == "gone") {
        std::int64_t basis = 0;
        std::int64_t until = 0;
        words >> first >> basis >> until;
        m_gone.push_back({ "gone while it was sure: " + std::string(line), monoTime(basis), at });
    } else if (word == "wrong") {
        m_wrong.emplace_back(line);
    }
}

void Ledger::note(const std::string &text)
{
    m_lines.push_back(std::to_string(micros(lockcore::transport::monoNow())) + " - " + text);
}

void Ledger::wrong(const std::string &text)
{
    note("WRONG " + text);
    m_wrong.push_back(text);
}

void Ledger::dataLost()
{
    note("data are lost");
    m_losses.push_back(lockcore::transport::monoNow());
}

void Ledger::died(int client, MonoTime at)
{
    note("client " + std::to_string(client) + " has ended");
    m_dead.insert(client);
    for (const auto &[owner, number] : m_clients) {
        if (number != client)
            continue;
        m_users.erase(owner);
        std::vector<std::string> cells;
        for (const auto &[key, belief] : m_open) {
            if (key.first == owner)
                cells.push_back(key.second);
        }
        for (const std::string &cell : cells)
            stop(owner, cell, at);
    }
}

void Ledger::closed(int client, MonoTime at)
{
    for (const auto &[owner, user] : m_users) {
        if (m_clients.at(owner) == client)
            m_closedUsers[owner] = user;
    }
    died(client, at);
}

bool Ledger::isAlive(const std::string &owner) const
{
    const auto client = m_clients.find(owner);
    return client != m_clients.end() && !m_dead.contains(client->second);
}

bool Ledger::isSure(const std::string &owner, MonoTime until) const
{
    bool believes = false;
    for (const auto &[key, belief] : m_open) {
        if (key.first != owner)
            continue;
        believes = true;
        if (validUntil(belief) <= until)
            return false;
    }
    return believes;
}

void Ledger::stop(const std::string &owner, const std::string &cell, MonoTime at)
{
    auto node = m_open.extract({ owner, cell });
    if (node.empty())
        return;
    node.mapped().until = std::min(node.mapped().until, at);
    m_closed.push_back(std::move(node.mapped()));
}

MonoTime Ledger::validUntil(const Belief &belief) const
{
    MonoTime until = belief.until;
    for (const MonoTime loss : m_losses) {
        if (belief.basis <= loss)
            until = std::min(until, loss);
    }
    return until;
}

std::vector<std::string> Ledger::violations() const
{
    std::vector<std::string> found = m_wrong;
    for (const Gone &gone : m_gone) {
        const auto explains = [&](MonoTime loss) { return gone.basis <= loss && loss <= gone.at; };
        if (std::ranges::none_of(m_losses, explains))
            found.push_back(gone.text);
    }
    checkOverlaps(found);
    return found;
}

void Ledger::checkOverlaps(std::vector<std::string> &found) const
{
    std::map<std::string, std::vector<Belief>> byCell;
    const auto add = [&](Belief belief) {
        belief.until = validUntil(belief);
        if (belief.until > belief.from)
            byCell[belief.cell].push_back(std::move(belief));
    };
    for (const Belief &belief : m_closed)
        add(belief);
    for (const auto &[key, belief] : m_open)
        add(belief);
    for (auto &[cell, beliefs] : byCell) {
        std::ranges::sort(beliefs, {}, &Belief::from);
        for (std::size_t i = 0; i < beliefs.size(); ++i) {
            const Belief &a = beliefs[i];
            for (std::size_t j = i + 1; j < beliefs.size(); ++j) {
                const Belief &b = beliefs[j];
                if (b.from + Tolerance >= a.until)
                    continue;
                if (a.owner == b.owner || (a.shared && b.shared) || std::min(a.until, b.until) - b.from < Tolerance)
                    continue;
                found.push_back("two in " + cell + ": " + a.owner + " until " + millis(a.until) + ", " + b.owner
                    + " from " + millis(b.from));
            }
        }
    }
}

} // namespace faults
