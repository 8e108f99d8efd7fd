// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/key_look.h"

#include "app/common/words.h"
#include "lockcore/transport/link_factory.h"

#include <utility>

namespace lockctl {

using app::Words;
using lockcore::protocol::Reply;
using lockcore::transport::Link;

namespace {

constexpr int PatienceMs = 1'000; // all else has been said
constexpr std::size_t FieldsTold = 3;
constexpr std::size_t LongestTold = 80;

std::string shortened(const std::string &text)
{
    return text.size() <= LongestTold ? text : text.substr(0, LongestTold) + "…";
}

/// Of an answer to HSCAN.
std::string fieldsText(const Reply &reply)
{
    const auto *answer = reply.array();
    const auto *pairs = answer != nullptr && answer->size() == 2 ? (*answer)[1].array() : nullptr;
    std::string text;
    for (std::size_t i = 0; pairs != nullptr && i + 1 < pairs->size() && i < 2 * FieldsTold; i += 2) {
        const auto *field = (*pairs)[i].bulk();
        const auto *value = (*pairs)[i + 1].bulk();
        if (field != nullptr && value != nullptr)
            text += (text.empty() ? "" : ", ") + shortened(*field) + " = " + shortened(*value);
    }
    return text;
}

} // namespace

KeyLook::KeyLook(const lockcore::transport::Deployment &deployment, lockcore::LockName name)
    : m_name(std::move(name))
{
    if (auto link = makeLink(deployment, {}))
        m_link = std::move(*link);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { end({}); });
}

KeyLook::~KeyLook() = default;

void KeyLook::start()
{
    m_patience.start(m_link ? PatienceMs : 0);
    if (!m_link)
        return;
    connect(m_link.get(), &Link::ready, this, [this] {
        if (!std::exchange(m_asked, true))
            askType();
    });
    m_link->open();
}

void KeyLook::askType()
{
    ask({ "TYPE", m_name }, [this](const Reply &reply) {
        const std::string type = reply.status() != nullptr ? reply.status()->text : std::string();
        if (type == "hash")
            askSize();
        else if (type == "string")
            end(Words::tr(
                "a string is there under this name, and none is a lock of Redisson; --also shows those of other "
                "libraries"));
        else
            end(type.empty() || type == "none"
                    ? QString()
                    : Words::tr("a %1 is there under this name, and no lock is one").arg(QString::fromStdString(type)));
    });
}

void KeyLook::askSize()
{
    ask({ "HLEN", m_name }, [this](const Reply &reply) {
        if (reply.integer() != nullptr)
            askFields(*reply.integer());
        else
            end(Words::tr("a hash is there under this name, which may not be read"));
    });
}

void KeyLook::askFields(std::int64_t size)
{
    ask({ "HSCAN", m_name, "0", "COUNT", std::to_string(FieldsTold) }, [this, size](const Reply &reply) {
        const std::string fields = fieldsText(reply);
        const bool isMore = size > static_cast<std::int64_t>(FieldsTold);
        const QString known = Words::tr("a hash is there under this name, its owner is not in a form that is known; it "
                                        "has %n fields",
            nullptr, lockui::pluralOf(size));
        end(known + (fields.empty() ? QString() : QStringLiteral(": ") + QString::fromStdString(fields))
            + (isMore ? QStringLiteral(", …") : QString()));
    });
}

void KeyLook::ask(lockcore::protocol::Command command, std::function<void(const Reply &)> take)
{
    m_link->send(std::move(command), m_name, [this, take = std::move(take)](const lockcore::Result<Reply> &reply) {
        if (reply && !reply->isError())
            take(*reply);
        else
            end({});
    });
}

void KeyLook::end(const QString &what)
{
    m_patience.stop();
    if (!std::exchange(m_over, true))
        Q_EMIT seen(what);
}

} // namespace lockctl
