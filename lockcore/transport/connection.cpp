// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/connection.h"

#include "lockcore/protocol/command.h"
#include "lockcore/protocol/handshake.h"
#include "lockcore/protocol/reply_reader.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/transport/byte_stream.h"
#include "lockcore/transport/chance.h"
#include "lockcore/transport/clock.h"
#include "lockcore/transport/turn_work.h"

#include <QElapsedTimer>
#include <QTimer>
#include <array>
#include <unordered_map>

namespace lockcore::transport {

using protocol::Command;
using protocol::Reply;

namespace {

constexpr std::size_t MostInATurn = 65'536; // bytes
constexpr Millis TimeStaysFresh{ 60'000 }; // a server's clock may be set, or go wrong

bool startsPubSub(const Command &command)
{
    constexpr std::array<std::string_view, 3> Words{ "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE" };
    return std::find(Words.begin(), Words.end(), command.front()) != Words.end();
}

bool isNoScript(const Result<Reply> &reply)
{
    return reply && reply->isError() && reply->error()->text.starts_with("NOSCRIPT");
}

} // namespace

class Connection::Private {
public:
    Private(Connection *owner, Endpoint where, ConnectionOptions how)
        : q(owner)
        , endpoint(std::move(where))
        , options(how)
    {
        connectTimer.setSingleShot(true);
        reconnectTimer.setSingleShot(true);
        QObject::connect(&connectTimer, &QTimer::timeout, q, [this] {
            drop(stream->silence({ Phrase::NoAnswerWithin, { std::to_string(options.connectTimeout.count()) } }));
        });
        QObject::connect(&reconnectTimer, &QTimer::timeout, q, [this] { connectNow(); });
        QObject::connect(&idleTimer, &QTimer::timeout, q, [this] { checkSilence(); });
    }

    Said connecting() const { return { Phrase::Connecting, { endpoint.displayWithDatabase() } }; }

    Said tried(const Command &command) const
    {
        return { Phrase::CommandOn, { command.front(), endpoint.displayWithDatabase() } };
    }

    void connectNow()
    {
        state = State::Connecting;
        reader = protocol::ReplyReader();
        pubSub = false;
        handshake.emplace(protocol::HandshakeOptions{ endpoint.user, endpoint.password, endpoint.database,
            endpoint.clientName, options.asksTime, options.toSentinel });
        serverTime.forget();
        stream = ByteStream::create(endpoint);
        QObject::connect(stream.get(), &ByteStream::opened, q, [this] {
            timeAskedAt = monoNow();
            write(handshake->commands());
        });
        QObject::connect(stream.get(), &ByteStream::readable, q, [this] {
            if (!readsOn)
                readSome();
        });
        QObject::connect(stream.get(), &ByteStream::failed, q, [this](const Error &error) { drop(error); });
        connectTimer.start(options.connectTimeout);
        stream->open();
    }

    void write(const std::vector<Command> &commands)
    {
        std::string bytes;
        for (const Command &command : commands)
            bytes += protocol::format(command);
        stream->write(bytes);
    }

    /// All that one turn of the event loop sends goes out in one piece.
    void writeLater(const Command &command)
    {
        outgoing += protocol::format(command);
        sending.ask();
    }

    void flush()
    {
        if (stream && !outgoing.empty())
            stream->write(std::exchange(outgoing, {}));
    }

    /// A little at a time: from a server that sends faster than we read, everything else would never have its turn.
    void readSome()
    {
        sinceHeard.start();
        const std::uint64_t thisConnection = connectionNumber;
        std::size_t taken = 0;
        for (auto bytes = stream->read(); !bytes.empty(); bytes = stream->read()) {
            reader.feed(bytes);
            taken += bytes.size();
            while (true) {
                auto next = reader.next();
                if (!next)
                    return drop(next.error());
                if (!*next)
                    break;
                take(std::move(**next));
                if (connectionNumber != thisConnection)
                    return; // dropped by what was just taken
            }
            if (taken >= MostInATurn)
                return readOnSoon();
        }
    }

    void readOnSoon()
    {
        readsOn = true;
        const auto readOn = [this, thisConnection = connectionNumber] {
            if (connectionNumber != thisConnection)
                return;
            readsOn = false;
            readSome();
        };
        QMetaObject::invokeMethod(q, readOn, Qt::QueuedConnection);
    }

    void take(Reply reply)
    {
        if (state == State::Connecting)
            return takeHandshake(reply);
        if (pubSub) {
            if (const auto message = protocol::toPubSubMessage(reply); message && isUnasked(*message)) {
                Q_EMIT q->messageReceived(*message);
                return;
            }
        }
        answer(std::move(reply));
    }

    /// The server ends the subscriptions of a slot that it gives away, in the words that answer SUNSUBSCRIBE.
    bool isUnasked(const protocol::PubSubMessage &message) const
    {
        using Type = protocol::PubSubMessage::Type;
        if (message.type == Type::Unsubscribed && message.sharded) {
            const auto request = pipeline.next();
            const auto channel = request ? unsubscribing.find(*request) : unsubscribing.end();
            return channel == unsubscribing.end() || channel->second != message.channel;
        }
        return message.type == Type::Message || message.type == Type::PatternMessage;
    }

    void takeHandshake(const Reply &reply)
    {
        if (const auto taken = handshake->feed(reply); !taken) {
            Error error = taken.error();
            addTried(error, connecting());
            return drop(error);
        }
        if (!handshake->done())
            return;
        connectTimer.stop();
        pauses = 0;
        sinceReady.start();
        serverInfo = handshake->serverInfo();
        clientId = handshake->clientId();
        if (const auto time = handshake->serverTime())
            serverTime.said(*time, timeAskedAt, monoNow());
        state = State::Ready;
        idleTimer.start(std::max(Millis{ 50 }, std::min(options.keepAlive, options.replyTimeout) / 4));
        Q_EMIT q->ready();
    }

    void answer(Reply reply)
    {
        const auto request = pipeline.answered();
        if (!request)
            return drop(errorOf(ErrorCode::MalformedReply, { Phrase::UnaskedReply }));
        oldest.start();
        unsubscribing.erase(*request);
        if (const auto handler = handlers.extract(*request); !handler.empty())
            handler.mapped()(std::move(reply));
    }

    void checkSilence()
    {
        if (!pipeline.empty() && oldest.elapsed() >= options.replyTimeout.count())
            return drop(errorOf(
                ErrorCode::ReplyTimeout, { Phrase::NoReplyWithin, { std::to_string(options.replyTimeout.count()) } }));
        if (pipeline.empty() && sinceHeard.elapsed() >= options.keepAlive.count())
            post({ "PING" }, {});
    }

    /// A TLS server closes, or sends an alert, when it is spoken to in plain text.
    bool mayBeATlsPort(ErrorCode code) const
    {
        return state == State::Connecting && endpoint.socketPath.empty() && !endpoint.tls.enabled
            && (code == ErrorCode::ConnectionClosed || code == ErrorCode::MalformedReply);
    }

    /// Ends this connection; whoever waits is told, and another attempt is made if so wished.
    void drop(Error error)
    {
        if (mayBeATlsPort(error.code))
            add(error, { Phrase::MaybeTlsPort });
        if (error.context.empty())
            setTried(error,
                state == State::Ready ? Said{ Phrase::Connection, { endpoint.displayWithDatabase() } } : connecting());
        if (stream)
            stream->breakOff(); // else the system would go on sending what we ask for anew elsewhere, for a quarter of
                                // an hour
        const auto pause = pauseAfter(error.code);
        release();
        state = options.reconnect ? State::WaitingToReconnect : State::Closed;
        if (options.reconnect)
            reconnectTimer.start(pause);
        fail(error);
        Q_EMIT q->lost(error);
    }

    /// Who got more than is taken will ask for the same again: that costs the server much, each time.
    Millis pauseAfter(ErrorCode code)
    {
        if (sinceReady.isValid() && sinceReady.elapsed() >= options.backoffAfterTooMuch.longest.count())
            pausesAfterTooMuch = 0;
        sinceReady.invalidate();
        const double chance = drawChance();
        return code == ErrorCode::ReplyTooLarge ? options.backoffAfterTooMuch.pause(pausesAfterTooMuch++, chance)
                                                : options.backoff.pause(pauses++, chance);
    }

    void release()
    {
        ++connectionNumber;
        readsOn = false;
        connectTimer.stop();
        reconnectTimer.stop();
        idleTimer.stop();
        outgoing.clear();
        pipeline = {};
        unsubscribing.clear();
        if (stream) {
            stream->disconnect(q);
            stream.release()->deleteLater(); // we may have been called from one of its signals
        }
    }

    void fail(const Error &error)
    {
        const auto unanswered = std::exchange(handlers, {});
        for (const auto &[request, handler] : unanswered)
            handler(tl::unexpected(error));
    }

    void failLater(RequestId request, ReplyHandler handler, Error error)
    {
        if (!handler)
            return;
        refused.emplace(request, std::move(handler));
        QMetaObject::invokeMethod(
            q,
            [this, request, error = std::move(error)] {
                if (const auto node = refused.extract(request); !node.empty())
                    node.mapped()(tl::unexpected(error));
            },
            Qt::QueuedConnection);
    }

    void ask(const Asking &asking)
    {
        if (asking.first)
            post({ "ASKING" }, asking.answered);
    }

    RequestId post(const Command &command, ReplyHandler handler)
    {
        const RequestId request{ ++lastRequest };
        if (state != State::Ready) {
            failLater(request, std::move(handler),
                errorOf(ErrorCode::ConnectionClosed, { Phrase::NotConnected }, tried(command)));
            return request;
        }
        if (options.readOnly && !protocol::isReadOnly(command)) {
            failLater(request, std::move(handler),
                errorOf(ErrorCode::ReadOnlyMode, { Phrase::ReadOnlyConnection }, tried(command)));
            return request;
        }
        if (startsPubSub(command))
            pubSub = true;
        if (command.front() == "SUNSUBSCRIBE")
            unsubscribing.emplace(request, command.at(1));
        if (pipeline.empty())
            oldest.start();
        pipeline.sent(request);
        if (handler)
            handlers.emplace(request, std::move(handler));
        writeLater(command);
        return request;
    }

    /// A script that is to be run, however often it is sent.
    struct Evaluation {
        protocol::Script script;
        Command command;
        ReplyHandler handler;
        Asking asking;
        RequestId name{}; // the first one sent
        MonoTime sentAt = {};
        bool hasText = false; // for a server that does not know its digest
        bool cameLate = false;
    };

    RequestId eval(const protocol::Script &script, Command byDigest, ReplyHandler handler, Asking asking)
    {
        const auto evaluation = std::make_shared<Evaluation>(
            Evaluation{ script, std::move(byDigest), std::move(handler), std::move(asking) });
        evaluation->name = send(evaluation);
        return evaluation->name;
    }

    RequestId send(const std::shared_ptr<Evaluation> &evaluation)
    {
        if (evaluation->script.hasLastMoment)
            setLastMoment(*evaluation);
        ask(evaluation->asking);
        return post(
            evaluation->command, [this, evaluation](Result<Reply> reply) { evaluated(evaluation, std::move(reply)); });
    }

    void evaluated(const std::shared_ptr<Evaluation> &evaluation, Result<Reply> reply)
    {
        resent.erase(evaluation->name);
        const bool needsText = isNoScript(reply) && !std::exchange(evaluation->hasText, true);
        const bool wasLate = learnsFromLate(*evaluation, reply) && !std::exchange(evaluation->cameLate, true);
        if (needsText)
            evaluation->command = protocol::bySource(std::move(evaluation->command), evaluation->script);
        if (needsText || wasLate)
            resent[evaluation->name] = send(evaluation);
        else if (evaluation->handler)
            evaluation->handler(std::move(reply));
    }

    /// When nobody waits for the answer any more.
    void setLastMoment(Evaluation &evaluation)
    {
        evaluation.sentAt = monoNow();
        protocol::setLastMoment(evaluation.command, serverTime.at(evaluation.sentAt + options.replyTimeout));
        if (serverTime.at(evaluation.sentAt) && evaluation.sentAt - timeAskedAt >= TimeStaysFresh)
            askTime(evaluation.sentAt);
    }

    bool learnsFromLate(const Evaluation &evaluation, const Result<Reply> &reply)
    {
        const auto time = evaluation.script.hasLastMoment && reply ? protocol::cameLateAt(*reply) : std::nullopt;
        if (time)
            serverTime.said(*time, evaluation.sentAt, monoNow());
        return time.has_value();
    }

    void askTime(MonoTime now)
    {
        timeAskedAt = now;
        post({ "TIME" }, [this, now](const Result<Reply> &reply) {
            if (const auto time = reply.and_then(protocol::parseTime))
                serverTime.said(*time, now, monoNow());
        });
    }

    Connection *q;
    Endpoint endpoint;
    ConnectionOptions options;
    State state = State::Closed;
    int pauses = 0; // since it was ready
    int pausesAfterTooMuch = 0; // since it was ready for long
    std::unique_ptr<ByteStream> stream;
    std::optional<protocol::Handshake> handshake;
    protocol::ReplyReader reader;
    protocol::Pipeline<RequestId> pipeline;
    std::unordered_map<RequestId, ReplyHandler> handlers;
    std::unordered_map<RequestId, ReplyHandler> refused; // told on the next turn of the event loop
    std::unordered_map<RequestId, std::string> unsubscribing; // sharded channels
    std::unordered_map<RequestId, RequestId> resent; // scripts sent again
    protocol::ServerInfo serverInfo;
    protocol::LatestTime serverTime;
    MonoTime timeAskedAt;
    std::int64_t clientId = 0;
    std::string outgoing;
    TurnWork sending{ TurnWork::Order::Send, [this] { flush(); } };
    std::uint64_t lastRequest = 0;
    std::uint64_t connectionNumber = 0;
    bool pubSub = false;
    bool readsOn = false; // in the next turn
    QTimer connectTimer;
    QTimer reconnectTimer;
    QTimer idleTimer;
    // Patience stands still while the computer sleeps: what came meanwhile has yet to be read.
    QElapsedTimer oldest; // since the oldest unanswered request was sent, or the one before it was answered
    QElapsedTimer sinceHeard;
    QElapsedTimer sinceReady;
};

Connection::Connection(Endpoint endpoint, ConnectionOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(endpoint), options))
{
}

Connection::~Connection()
{
    if (!d->stream)
        return;
    d->stream->disconnect(this); // and ends with us: there may be no event loop any more for a later deletion
    d->flush();
    d->stream->flush();
}

void Connection::open()
{
    if (d->state == State::Closed)
        d->connectNow();
}

void Connection::close()
{
    if (d->state == State::Closed)
        return;
    d->flush();
    d->release();
    d->state = State::Closed;
    d->fail(errorOf(
        ErrorCode::Cancelled, { Phrase::ClosedHere }, { Phrase::Connection, { d->endpoint.displayWithDatabase() } }));
}

Connection::State Connection::state() const { return d->state; }

const Endpoint &Connection::endpoint() const { return d->endpoint; }

const protocol::ServerInfo &Connection::serverInfo() const { return d->serverInfo; }

std::optional<Millis> Connection::retryIn() const
{
    const int left = d->reconnectTimer.remainingTime();
    return left < 0 ? std::nullopt : std::optional(Millis(left));
}

std::int64_t Connection::clientId() const { return d->clientId; }

RequestId Connection::send(Command command, ReplyHandler handler, const Asking &asking)
{
    d->ask(asking);
    return d->post(command, std::move(handler));
}

RequestId Connection::eval(const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, ReplyHandler handler, Asking asking)
{
    return d->eval(script, protocol::byDigest(script, keys, arguments), std::move(handler), std::move(asking));
}

void Connection::flush() { d->flush(); }

void Connection::abandon(RequestId request)
{
    if (const auto second = d->resent.extract(request); !second.empty())
        request = second.mapped();
    d->handlers.erase(request);
    d->refused.erase(request);
}

} // namespace lockcore::transport
