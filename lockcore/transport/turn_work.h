// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace lockcore::transport {

/// Work that is put off until the input at hand is dealt with, and then done once, however often it was asked for.
/// Done at once after that input, or at the latest before the event loop waits: not by an event of its own, whose
/// wake-up of the loop costs more than a request to Redis.
/// Thread: that of the object.
class TurnWork {
public:
    enum class Order { Deliver, Send }; // what is delivered asks for more to be sent: that goes out last, in one piece

    TurnWork(Order order, std::function<void()> work);
    ~TurnWork(); // is not done any more
    TurnWork(const TurnWork &) = delete;
    TurnWork &operator=(const TurnWork &) = delete;

    void ask();

    /// Input has come, and `handle` deals with it; then what was asked for is done. That may delete whoever called.
    static void takeInput(const std::function<void()> &handle);

private:
    class Turn;
    static std::shared_ptr<Turn> ofThisThread();

    const Order m_order;
    const std::function<void()> m_work;
    const std::shared_ptr<Turn> m_turn;
    bool m_asked = false;
};

} // namespace lockcore::transport
