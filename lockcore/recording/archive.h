// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/recording/codes.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lockcore {

/// Values as bytes, small ones short: numbers in groups of seven bits, times as their distance from the frame's.
/// What a value consists of is said once, by `fields(archive, value)`, for writing and reading alike.
class ArchiveWriter {
public:
    /// `toLine`: from the steady clock to the recording's time line.
    ArchiveWriter(MonoTime frameAt, MonoTime::duration toLine)
        : m_frameAt(frameAt)
        , m_toLine(toLine)
    {
    }

    template <typename... Values>
    void operator()(const Values &...values)
    {
        (put(values), ...);
    }
    void count(std::size_t count) { unsignedNumber(count); }
    std::string take() { return std::move(m_bytes); }

private:
    void unsignedNumber(std::uint64_t number)
    {
        for (; number >= 0x80; number >>= 7)
            m_bytes.push_back(static_cast<char>(number | 0x80));
        m_bytes.push_back(static_cast<char>(number));
    }
    void signedNumber(std::int64_t number)
    {
        const auto bits = static_cast<std::uint64_t>(number);
        unsignedNumber((bits << 1) ^ (number < 0 ? ~std::uint64_t(0) : 0));
    }

    void put(bool value) { m_bytes.push_back(value ? 1 : 0); }
    void put(std::string_view text)
    {
        unsignedNumber(text.size());
        m_bytes += text;
    }
    void put(double value)
    {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int shift = 0; shift < 64; shift += 8)
            m_bytes.push_back(static_cast<char>(bits >> shift));
    }
    void put(MonoTime time) { signedNumber((time + m_toLine - m_frameAt).count()); }
    void put(WallTime time)
    {
        signedNumber(time.time_since_epoch().count() - m_frameAt.time_since_epoch().count() / 1'000);
    }
    void put(Millis duration) { signedNumber(duration.count()); }
    template <typename Integer>
    requires std::is_integral_v<Integer>
    void put(Integer number) { signedNumber(static_cast<std::int64_t>(number)); }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void put(Enum value) { unsignedNumber(codeOf(value)); }
    template <typename Value>
    void put(const std::optional<Value> &value)
    {
        put(value.has_value());
        if (value)
            put(*value);
    }
    void put(const std::string &text) { put(std::string_view(text)); }
    template <typename Value>
    void put(const std::vector<Value> &values)
    {
        count(values.size());
        for (const auto &value : values)
            put(value);
    }
    template <typename Value>
    requires std::is_class_v<Value>
    void put(const Value &value) { fields(*this, value); }

    MonoTime m_frameAt;
    MonoTime::duration m_toLine;
    std::string m_bytes;
};

/// Reads back; what is damaged reads as nothing, and `isGood` says so.
class ArchiveReader {
public:
    ArchiveReader(std::string_view bytes, MonoTime frameAt)
        : m_bytes(bytes)
        , m_frameAt(frameAt)
    {
    }

    template <typename... Values>
    void operator()(Values &...values)
    {
        (read(values), ...);
    }
    /// Of elements, each of which takes a byte at least.
    std::size_t count()
    {
        const auto count = unsignedNumber();
        return count <= m_bytes.size() ? count : fail(0);
    }
    bool isGood() const { return m_good; }
    bool isAtEnd() const { return m_bytes.empty(); }
    std::size_t fail(std::size_t value = 0)
    {
        m_good = false;
        m_bytes = {};
        return value;
    }

private:
    std::uint64_t unsignedNumber()
    {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64 && !m_bytes.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_bytes.front());
            m_bytes.remove_prefix(1);
            number |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80)
                return number;
        }
        return fail();
    }
    std::int64_t signedNumber()
    {
        const auto number = unsignedNumber();
        return static_cast<std::int64_t>((number >> 1) ^ ((number & 1) != 0 ? ~std::uint64_t(0) : 0));
    }
    /// Wraps round rather than overflowing on damaged bytes.
    static std::int64_t sum(std::int64_t a, std::int64_t b)
    {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }

    void read(bool &value) { value = unsignedNumber() != 0; }
    void read(std::string &text)
    {
        const std::size_t size = count();
        text.assign(m_bytes.substr(0, size));
        m_bytes.remove_prefix(size);
    }
    void read(double &value)
    {
        if (m_bytes.size() < 8) {
            fail();
            return;
        }
        std::uint64_t bits = 0;
        for (unsigned i = 0; i < 8; ++i)
            bits |= std::uint64_t(static_cast<unsigned char>(m_bytes[i])) << (8 * i);
        m_bytes.remove_prefix(8);
        value = std::bit_cast<double>(bits);
    }
    void read(MonoTime &time)
    {
        time = MonoTime(MonoTime::duration(sum(m_frameAt.time_since_epoch().count(), signedNumber())));
    }
    void read(WallTime &time)
    {
        time = WallTime(Millis(sum(m_frameAt.time_since_epoch().count() / 1'000, signedNumber())));
    }
    void read(Millis &duration) { duration = Millis(signedNumber()); }
    template <typename Integer>
    requires std::is_integral_v<Integer>
    void read(Integer &number) { number = static_cast<Integer>(signedNumber()); }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void read(Enum &value)
    {
        if (const auto known = fromCode<Enum>(unsignedNumber()))
            value = *known;
        else
            fail();
    }
    template <typename Value>
    void read(std::optional<Value> &value)
    {
        bool has = false;
        read(has);
        value.reset();
        if (has)
            read(value.emplace());
    }
    template <typename Value>
    void read(std::vector<Value> &values)
    {
        values.clear();
        const std::size_t size = count();
        values.reserve(std::min<std::size_t>(size, 1'024));
        for (std::size_t i = 0; i < size && m_good; ++i)
            read(values.emplace_back());
    }
    template <typename Value>
    requires std::is_class_v<Value>
    void read(Value &value) { fields(*this, value); }

    std::string_view m_bytes;
    MonoTime m_frameAt;
    bool m_good = true;
};

} // namespace lockcore
