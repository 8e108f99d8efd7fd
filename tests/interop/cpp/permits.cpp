// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/permits.h"

#include "lockcore/client/count_down_latch.h"
#include "lockcore/client/permit_expirable_semaphore.h"
#include "lockcore/client/semaphore.h"
#include "tests/interop/cpp/output.h"

namespace interop {

using namespace lockcore;
using namespace lockcore::client;

namespace {

auto done(const std::string &tag)
{
    return [tag](const Result<void> &result) { say(tag, result ? "ok" : answer(result.error())); };
}

auto yesOrNo(const std::string &tag)
{
    return [tag](const Result<bool> &result) {
        say(tag, result ? *result ? "ok true" : "ok false" : answer(result.error()));
    };
}

auto number(const std::string &tag)
{
    return [tag](const Result<std::int64_t> &result) {
        say(tag, result ? "ok " + std::to_string(*result) : answer(result.error()));
    };
}

} // namespace

bool Permits::take(const Arguments &arguments)
{
    const auto parts = split(arguments.command() + '.', '.');
    if (parts[0] == "sem")
        return semaphore(parts[1], arguments);
    if (parts[0] == "permit")
        return permit(parts[1], arguments);
    return parts[0] == "latch" && latch(parts[1], arguments);
}

bool Permits::cancel(const std::string &tag)
{
    const auto wait = m_waits.find(tag);
    if (wait == m_waits.end())
        return false;
    m_client.cancel(wait->second);
    return true;
}

LockClient::AcquireHandler Permits::acquired(const std::string &tag)
{
    return [this, tag](const Result<AcquireOutcome> &outcome) {
        m_waits.erase(tag);
        say(tag, !outcome ? answer(outcome.error()) : outcome->acquired ? "acquired" : "refused");
    };
}

bool Permits::semaphore(const std::string &verb, const Arguments &arguments)
{
    Semaphore semaphore(m_client, arguments.word(0));
    const std::string &tag = arguments.tag();
    if (verb == "set")
        semaphore.trySetPermits(arguments.number(1), {}, yesOrNo(tag));
    else if (verb == "acquire")
        m_waits[tag] = semaphore.acquire(arguments.number(1), arguments.millis(2), acquired(tag));
    else if (verb == "release")
        semaphore.release(arguments.number(1), done(tag));
    else if (verb == "releaseIfExists")
        semaphore.releaseIfExists(arguments.number(1), yesOrNo(tag));
    else if (verb == "add")
        semaphore.addPermits(arguments.number(1), done(tag));
    else if (verb == "drain")
        semaphore.drainPermits(number(tag));
    else if (verb == "available")
        semaphore.availablePermits(number(tag));
    else if (verb == "delete")
        semaphore.remove(yesOrNo(tag));
    else
        return false;
    return true;
}

bool Permits::permit(const std::string &verb, const Arguments &arguments)
{
    PermitExpirableSemaphore semaphore(m_client, arguments.word(0));
    const std::string &tag = arguments.tag();
    if (verb == "set")
        semaphore.trySetPermits(arguments.number(1), yesOrNo(tag));
    else if (verb == "acquire")
        m_waits[tag] = semaphore.acquire(arguments.number(1), arguments.millis(2), arguments.millis(3),
            [this, tag](const Result<PermitOutcome> &outcome) {
                m_waits.erase(tag);
                if (!outcome)
                    return say(tag, answer(outcome.error()));
                std::string text;
                for (const PermitId &id : outcome->permits)
                    text += (text.empty() ? "acquired " : ",") + id;
                say(tag, outcome->acquired ? text : "refused");
            });
    else if (verb == "release")
        semaphore.release(arguments.list(1), yesOrNo(tag));
    else if (verb == "add")
        semaphore.addPermits(arguments.number(1), done(tag));
    else if (verb == "resize")
        semaphore.setPermits(arguments.number(1), done(tag));
    else if (verb == "available")
        semaphore.availablePermits(number(tag));
    else if (verb == "lease")
        semaphore.updateLease(arguments.word(1), arguments.millis(2), yesOrNo(tag));
    else if (verb == "delete")
        semaphore.remove(yesOrNo(tag));
    else
        return false;
    return true;
}

bool Permits::latch(const std::string &verb, const Arguments &arguments)
{
    CountDownLatch latch(m_client, arguments.word(0));
    const std::string &tag = arguments.tag();
    if (verb == "set")
        latch.trySetCount(arguments.number(1), yesOrNo(tag));
    else if (verb == "down")
        latch.countDown(done(tag));
    else if (verb == "wait")
        m_waits[tag] = latch.wait(arguments.millis(1), acquired(tag));
    else if (verb == "count")
        latch.count(number(tag));
    else if (verb == "delete")
        latch.remove(yesOrNo(tag));
    else
        return false;
    return true;
}

} // namespace interop
