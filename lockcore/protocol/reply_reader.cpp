// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/reply_reader.h"

#include <algorithm>
#include <charconv>
#include <hiredis/read.h>
#include <string>

namespace lockcore::protocol {

namespace {

constexpr std::size_t LongestLine = std::size_t{ 64 } << 10;
constexpr std::size_t ReservedElements = 256; // as many as a page of a sweep has, or few more

/// Builds one reply at a time from hiredis' callbacks, which come in the order of the bytes.
class Builder {
public:
    explicit Builder(ReplyLimits limits)
        : m_limits(limits)
    {
    }

    bool openArray(std::size_t count)
    {
        if (m_open.size() >= m_limits.nesting)
            return refuse({ Phrase::ElementsNested, { std::to_string(m_limits.nesting) } });
        if (count > m_limits.elements - m_elements)
            return refuse({ Phrase::TooManyElements, { std::to_string(m_limits.elements) } });
        m_elements += count;
        if (count == 0)
            return complete(Reply(Reply::Array{}));
        m_open.push_back({ {}, count });
        m_open.back().items.reserve(std::min(count, ReservedElements));
        return true;
    }

    bool addString(int type, std::string_view text)
    {
        if (text.size() > m_limits.bulkBytes || text.size() > m_limits.replyBytes - m_bytes)
            return refuse({ Phrase::TooLongStrings });
        m_bytes += text.size();
        switch (type) {
        case REDIS_REPLY_STRING:
            return complete(Reply(std::string(text)));
        case REDIS_REPLY_STATUS:
            return complete(Reply(Reply::Status{ std::string(text) }));
        case REDIS_REPLY_ERROR:
            return complete(Reply(Reply::ServerError{ std::string(text) }));
        default:
            return refuseForm({ Phrase::NotResp2 });
        }
    }

    bool complete(Reply reply)
    {
        while (!m_open.empty()) {
            Open &innermost = m_open.back();
            innermost.items.push_back(std::move(reply));
            if (--innermost.missing > 0)
                return true;
            reply = Reply(std::move(innermost.items));
            m_open.pop_back();
        }
        m_whole = std::move(reply);
        return true;
    }

    bool refuse(Said why)
    {
        m_error = errorOf(ErrorCode::ReplyTooLarge, std::move(why));
        return false;
    }

    bool refuseForm(Said why)
    {
        m_error = errorOf(ErrorCode::MalformedReply, std::move(why));
        return false;
    }

    Reply take()
    {
        m_elements = 0;
        m_bytes = 0;
        Reply whole = std::move(*m_whole);
        m_whole.reset();
        return whole;
    }

    const std::optional<Error> &error() const { return m_error; }
    const ReplyLimits &limits() const { return m_limits; }

private:
    struct Open {
        Reply::Array items; // grows as they come: a declared count is no reason to reserve much
        std::size_t missing;
    };

    ReplyLimits m_limits;
    std::vector<Open> m_open;
    std::size_t m_elements = 0;
    std::size_t m_bytes = 0;
    std::optional<Reply> m_whole;
    std::optional<Error> m_error;
};

Builder *builderOf(const redisReadTask *task) { return static_cast<Builder *>(task->privdata); }

/// hiredis wants an object for each element, and takes none for an error; the builder keeps the real ones.
void *outcome(const redisReadTask *task, bool accepted) { return accepted ? builderOf(task) : nullptr; }

/// `text` points into hiredis' buffer, which has what follows the string too; hiredis skips that unseen.
void *createString(const redisReadTask *task, char *text, std::size_t length)
{
    if (task->type == REDIS_REPLY_STRING && std::string_view(text + length, 2) != "\r\n")
        return outcome(task, builderOf(task)->refuseForm({ Phrase::OtherLength }));
    return outcome(task, builderOf(task)->addString(task->type, { text, length }));
}

template <typename Count> // int in hiredis 0.14, size_t in 1.x
void *createArray(const redisReadTask *task, Count count)
{
    const bool known = task->type == REDIS_REPLY_ARRAY;
    return outcome(task,
        known ? builderOf(task)->openArray(static_cast<std::size_t>(count))
              : builderOf(task)->refuseForm({ Phrase::NotResp2 }));
}

void *createInteger(const redisReadTask *task, long long value)
{
    return outcome(task, builderOf(task)->complete(Reply(std::int64_t{ value })));
}

void *createNil(const redisReadTask *task) { return outcome(task, builderOf(task)->complete(Reply())); }

void freeNothing(void *) { }

template <typename... Value>
void *refuseResp3(const redisReadTask *task, Value...)
{
    return outcome(task, builderOf(task)->refuseForm({ Phrase::NotResp2 }));
}

template <typename Functions>
Functions makeFunctions()
{
    Functions functions{};
    functions.createString = createString;
    functions.createArray = createArray;
    functions.createInteger = createInteger;
    functions.createNil = createNil;
    functions.freeObject = freeNothing;
    if constexpr (requires { functions.createDouble; }) { // hiredis 1.x makes up objects where these are missing
        functions.createDouble = refuseResp3;
        functions.createBool = refuseResp3;
    }
    return functions;
}

/// hiredis gives an empty buffer back that is larger, and grows a new one for the next answer: for pages of a sweep,
/// one after the other, that cost more than all that was made of them.
constexpr std::size_t KeptBuffer = 1 << 20;

/// hiredis waits for the whole of a string; its length is known before, from the digits at the head of what is left.
bool startsStringLongerThan(std::size_t limit, std::string_view rest)
{
    unsigned long long length = 0;
    const char *const last = rest.data() + rest.size();
    const auto [end, problem] = std::from_chars(rest.data(), last, length);
    const bool wholeHead = end != rest.data() && std::string_view(end, last).starts_with("\r\n");
    return wholeHead && (problem == std::errc::result_out_of_range || length > limit);
}

} // namespace

class ReplyReader::Private {
public:
    explicit Private(ReplyLimits limits)
        : m_builder(limits)
        , m_reader(redisReaderCreateWithFunctions(&m_functions))
    {
        m_reader->privdata = &m_builder;
        m_reader->maxbuf = KeptBuffer;
    }
    Private(const Private &) = delete;
    Private &operator=(const Private &) = delete;
    ~Private() { redisReaderFree(m_reader); }

    void feed(std::string_view bytes)
    {
        if (!m_error && redisReaderFeed(m_reader, bytes.data(), bytes.size()) != 0)
            m_error = hiredisError();
    }

    Result<std::optional<Reply>> next()
    {
        if (m_error)
            return tl::unexpected(*m_error);
        void *object = nullptr;
        if (redisReaderGetReply(m_reader, &object) != 0)
            m_error = m_builder.error() ? *m_builder.error() : hiredisError();
        else if (object)
            return m_builder.take();
        else
            checkUnfinished();
        if (m_error)
            return tl::unexpected(*m_error);
        return std::nullopt;
    }

private:
    Error hiredisError() const { return { ErrorCode::MalformedReply, m_reader->errstr, {} }; }

    void checkUnfinished()
    {
        const std::string_view rest(m_reader->buf + m_reader->pos, m_reader->len - m_reader->pos);
        const bool endlessLine = rest.size() > LongestLine && rest.substr(0, LongestLine).find('\n') == rest.npos;
        if (endlessLine || startsStringLongerThan(m_builder.limits().bulkBytes, rest))
            m_error = errorOf(ErrorCode::ReplyTooLarge,
                { Phrase::TooLongString,
                    { std::to_string(endlessLine ? LongestLine : m_builder.limits().bulkBytes) } });
    }

    redisReplyObjectFunctions m_functions = makeFunctions<redisReplyObjectFunctions>();
    Builder m_builder;
    redisReader *m_reader;
    std::optional<Error> m_error;
};

ReplyReader::ReplyReader(ReplyLimits limits)
    : d(std::make_unique<Private>(limits))
{
}

ReplyReader::ReplyReader(ReplyReader &&) noexcept = default;
ReplyReader &ReplyReader::operator=(ReplyReader &&) noexcept = default;
ReplyReader::~ReplyReader() = default;

void ReplyReader::feed(std::string_view bytes) { d->feed(bytes); }

Result<std::optional<Reply>> ReplyReader::next() { return d->next(); }

} // namespace lockcore::protocol
