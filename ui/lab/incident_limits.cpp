// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/incident_teller.h"
#include "ui/text/display_text.h"
#include "ui/text/json.h"
#include "ui/text/printable_text.h"

#include <algorithm>

/// What was seen, and no client of a scenario can do.
namespace lockui::lab {

using lockcore::LockName;
using lockcore::Millis;
using lockcore::OwnerId;
using lockcore::WallTime;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;
using lockcore::synchronizers::HoldMode;

namespace {

/// Of those that Redis names and whose time is not over; null: it is none of them.
const Holder *holderIn(const LockState &lock, const OwnerId &owner, std::optional<HoldMode> mode)
{
    const auto found = std::ranges::find_if(
        lock.holders, [&](const Holder &each) { return each.owner == owner && each.mode == mode && !each.expired; });
    return found == lock.holders.end() ? nullptr : &*found;
}

} // namespace

/// As it was shown at that moment, and until what was told then was shown for sure.
std::vector<std::shared_ptr<const LockState>> IncidentTeller::looksAt(const LockName &lock, WallTime at) const
{
    std::vector<std::shared_ptr<const LockState>> looks;
    if (at <= m_incident.from && m_incident.before) {
        if (auto found = m_incident.before->locks.find(lock))
            looks.push_back(std::move(found));
        return looks;
    }
    for (const Millis later : { Millis{ 0 }, Millis{ 60 }, Millis{ 250 } }) {
        const auto snapshot = snapshotAt(at + later);
        if (auto found = snapshot ? snapshot->locks.find(lock) : nullptr)
            looks.push_back(std::move(found));
    }
    return looks;
}

/// Whoever has it already, and is shown as a holder together with this one: no end of it was missed.
std::optional<OwnerId> IncidentTeller::whoHoldsItToo(
    const LockName &lock, const OwnerId &owner, std::optional<HoldMode> mode, WallTime at) const
{
    const auto holds = m_held.find(lock);
    if (holds == m_held.end())
        return {};
    for (const auto &look : looksAt(lock, at)) {
        for (const Held &hold : holds->second) {
            if (conflicts(hold, owner, mode) && holderIn(*look, owner, mode) && holderIn(*look, hold.owner, hold.mode))
                return hold.owner;
        }
    }
    return {};
}

/// True: it is, since clients of a scenario keep to what a lock promises.
bool IncidentTeller::leavesOutSecond(
    const LockName &lock, const OwnerId &owner, std::optional<HoldMode> mode, WallTime at)
{
    const auto first = whoHoldsItToo(lock, owner, mode, at);
    if (!first)
        return false;
    const QString text = IncidentText::tr("Left out: that %1 held %2 as well, beside %3: two held it at once, which "
                                          "clients of a scenario cannot do.")
                             .arg(displayText(owner.client), displayText(lock), displayText(first->client));
    if (!m_cannotBe.contains(text))
        m_cannotBe << text;
    return true;
}

void IncidentTeller::noteEndless(
    const LockName &lock, const OwnerId &owner, std::optional<HoldMode> mode, WallTime at, QStringList &notes) const
{
    const auto looks = looksAt(lock, at);
    const bool isEndless = std::ranges::any_of(looks, [&](const auto &look) {
        const Holder *holder = holderIn(*look, owner, mode);
        return holder != nullptr && !holder->expiresAt && !look->expiresAt && !look->leaseSeen;
    });
    if (isEndless)
        notes << IncidentText::tr("it had no time to live, and would never have run out; here a watchdog renews it");
}

/// JSON is text. The bytes that are none stand there as the text that tells them.
QStringList IncidentTeller::otherNames() const
{
    std::set<LockName> names;
    for (const Step &step : m_scenario.steps)
        names.insert(step.lock);
    QStringList texts;
    for (const LockName &name : names) {
        if (!isUtf8(name))
            texts << IncidentText::tr("Another name: %1 is written so here, letter for letter, since it has bytes that "
                                      "are no text (UTF-8), which a scenario cannot hold.")
                         .arg(QString::fromStdString(json::text(name)));
    }
    return texts;
}

} // namespace lockui::lab
