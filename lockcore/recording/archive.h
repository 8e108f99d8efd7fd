// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/recording/codes.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockcore::recording {

/// How a field's value stands behind its number, so that a reader that does not know it can skip it.
enum class FieldForm : std::uint8_t { Number, EightBytes, Sized };

template <typename Value>
constexpr FieldForm formOf()
{
    constexpr bool isTime = std::is_same_v<Value, MonoTime> || std::is_same_v<Value, WallTime>;
    if constexpr (std::is_same_v<Value, double>)
        return FieldForm::EightBytes;
    else if constexpr (isTime || std::is_same_v<Value, Millis> || std::is_integral_v<Value> || std::is_enum_v<Value>)
        return FieldForm::Number;
    else
        return FieldForm::Sized;
}

/// Values as bytes, small ones short: numbers in groups of seven bits, times as their distance from the frame's.
/// What a value consists of is said once, by `fields(archive, value)`, for writing and reading alike. Each of its
/// fields has a number, in ascending order, that no other field of it ever gets; one that is zero, empty or absent is
/// not written, reads as that again, and one that is not known to the reader is skipped. In files of version 2 and
/// before fields had no numbers: they stood one after the other, in the same order.
class ArchiveWriter {
public:
    /// `toLine`: from the clock of MonoTime to the recording's time line.
    ArchiveWriter(MonoTime frameAt, MonoTime::duration toLine)
        : m_frameAt(frameAt)
        , m_toLine(toLine)
    {
    }

    template <typename Value>
    void field(unsigned number, const Value &value)
    {
        const std::size_t before = m_bytes.size();
        tag(number, formOf<Value>());
        const std::size_t begin = m_bytes.size();
        put(value);
        if (m_bytes.find_first_not_of('\0', begin) == std::string::npos)
            m_bytes.resize(before);
    }
    /// Null: absent.
    template <typename Value>
    void optionalField(unsigned number, const Value *value)
    {
        if (value == nullptr)
            return;
        tag(number, formOf<Value>());
        put(*value);
    }
    template <typename Value>
    void field(unsigned number, const std::optional<Value> &value)
    {
        optionalField(number, value ? &*value : nullptr);
    }
    /// A value whose fields `write()` tells.
    template <typename Write>
    void part(unsigned number, Write write)
    {
        tag(number, FieldForm::Sized);
        sized(write);
    }
    /// A list of values; the fields of each tells `write(element)`.
    template <typename List, typename Write>
    void each(unsigned number, const List &list, Write write)
    {
        if (list.empty())
            return;
        part(number, [&] {
            for (const auto &element : list)
                sized([&] { write(element); });
        });
    }
    static constexpr bool isNumbered() { return true; }
    std::string take() { return std::move(m_bytes); }

private:
    void tag(unsigned number, FieldForm form) { unsignedNumber((number << 2) | static_cast<unsigned>(form)); }
    template <typename Write>
    void sized(Write write)
    {
        const std::size_t begin = m_bytes.size();
        write();
        std::string size;
        append(size, m_bytes.size() - begin);
        m_bytes.insert(begin, size);
    }
    static void append(std::string &bytes, std::uint64_t number)
    {
        for (; number >= 0x80; number >>= 7)
            bytes.push_back(static_cast<char>(number | 0x80));
        bytes.push_back(static_cast<char>(number));
    }
    void unsignedNumber(std::uint64_t number) { append(m_bytes, number); }
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
    void put(const std::string &text) { put(std::string_view(text)); }
    template <typename Value>
    void put(const std::vector<Value> &values)
    {
        sized([&] {
            for (const auto &value : values)
                put(value);
        });
    }
    template <typename Value>
    requires std::is_class_v<Value>
    void put(const Value &value)
    {
        sized([&] { fields(*this, value); });
    }

    MonoTime m_frameAt;
    MonoTime::duration m_toLine;
    std::string m_bytes;
};

/// Reads back; what is damaged reads as nothing, and `isGood` says so.
class ArchiveReader {
public:
    /// `isNumbered`: whether fields have numbers, as they have since version 3.
    ArchiveReader(std::string_view bytes, MonoTime frameAt, bool isNumbered)
        : m_bytes(bytes)
        , m_frameAt(frameAt)
        , m_isNumbered(isNumbered)
    {
    }

    template <typename Value>
    void field(unsigned number, Value &value)
    {
        if (!m_isNumbered || find(number, formOf<Value>()))
            return read(value);
        within(Nothing, [&] { read(value); });
    }
    template <typename Value>
    void field(unsigned number, std::optional<Value> &value)
    {
        value.reset();
        if (isThere(number, formOf<Value>()))
            read(value.emplace());
    }
    /// Whether there is the part that `read()` reads.
    template <typename Read>
    bool part(unsigned number, Read read)
    {
        const bool there = isThere(number, FieldForm::Sized);
        if (there)
            sized(read);
        return there;
    }
    template <typename Read>
    void each(unsigned number, Read readOne)
    {
        if (!m_isNumbered) {
            for (std::size_t left = count(); left > 0 && m_good; --left)
                readOne();
        } else if (find(number, FieldForm::Sized)) {
            sized([&] {
                while (!m_bytes.empty())
                    sized(readOne);
            });
        }
    }
    bool isNumbered() const { return m_isNumbered; }
    bool isGood() const { return m_good; }
    /// Nothing more is there, except for fields that are not known.
    bool isAtEnd()
    {
        if (m_isNumbered)
            find(std::numeric_limits<unsigned>::max(), FieldForm::Number);
        return m_bytes.empty();
    }
    std::size_t fail(std::size_t value = 0)
    {
        m_good = false;
        m_bytes = {};
        return value;
    }

private:
    static constexpr std::string_view Nothing{ "\0\0\0\0\0\0\0\0", 8 }; // in whatever form

    bool isThere(unsigned number, FieldForm form)
    {
        if (m_isNumbered)
            return find(number, form);
        bool there = false;
        read(there);
        return there;
    }
    /// Goes on to that field's value, past those of lower numbers, which are not known.
    bool find(unsigned number, FieldForm form)
    {
        while (!m_bytes.empty()) {
            const auto before = m_bytes;
            const std::uint64_t tag = unsignedNumber();
            if (tag >> 2 > number) {
                m_bytes = before;
                return false;
            }
            const auto found = static_cast<FieldForm>(tag & 3);
            if (tag >> 2 == number) {
                if (found != form)
                    fail();
                return m_good;
            }
            if (found == FieldForm::Number)
                unsignedNumber();
            else
                drop(found == FieldForm::EightBytes ? 8 : count());
        }
        return false;
    }
    void drop(std::size_t size)
    {
        if (size > m_bytes.size())
            fail();
        else
            m_bytes.remove_prefix(size);
    }
    template <typename Read>
    void within(std::string_view bytes, Read read)
    {
        const auto rest = std::exchange(m_bytes, bytes);
        read();
        m_bytes = m_good ? rest : std::string_view();
    }
    template <typename Read>
    void sized(Read read)
    {
        if (!m_isNumbered)
            return read();
        const std::size_t size = count();
        const auto bytes = m_bytes.substr(0, size);
        m_bytes.remove_prefix(bytes.size());
        within(bytes, read);
    }
    /// Of elements or bytes, so many of which must be there.
    std::size_t count()
    {
        const auto count = unsignedNumber();
        return count <= m_bytes.size() ? count : fail();
    }
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
    void read(std::vector<Value> &values)
    {
        values.clear();
        if (m_isNumbered) {
            sized([&] {
                while (!m_bytes.empty())
                    read(values.emplace_back());
            });
            return;
        }
        const std::size_t size = count();
        values.reserve(std::min<std::size_t>(size, 1'024));
        for (std::size_t i = 0; i < size && m_good; ++i)
            read(values.emplace_back());
    }
    template <typename Value>
    requires std::is_class_v<Value>
    void read(Value &value)
    {
        sized([&] { fields(*this, value); });
    }

    std::string_view m_bytes;
    MonoTime m_frameAt;
    bool m_isNumbered;
    bool m_good = true;
};

} // namespace lockcore::recording
