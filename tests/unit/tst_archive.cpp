// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/archive.h"

#include <QTest>
#include <concepts>
#include <stdexcept>

using namespace lockcore;
using namespace lockcore::recording;
using namespace lockcore::synchronizers;

namespace {

constexpr MonoTime At{ Millis(1'000'000) };

struct Part {
    std::string text;
    std::int64_t number = 7; // not what an absent field reads as

    bool operator==(const Part &) const = default;
};

void fields(auto &archive, std::convertible_to<const Part &> auto &part)
{
    archive.field(1, part.text);
    archive.field(2, part.number);
}

/// As a first version has it.
struct First {
    Part part;
    std::vector<Part> parts;
    std::optional<bool> maybe;
    MonoTime time;
    double share = 0;
    HoldMode mode = HoldMode::Read;

    bool operator==(const First &) const = default;
};

void fields(auto &archive, std::convertible_to<const First &> auto &value)
{
    archive.field(1, value.part);
    archive.field(3, value.parts);
    archive.field(4, value.maybe);
    archive.field(6, value.time);
    archive.field(7, value.share);
    archive.field(9, value.mode);
}

/// As a later one has it, with a field of each form before, between and behind.
struct Later {
    First first;
    std::vector<std::string> texts{ "a", "" };
    double half = 0.5;
    std::int64_t many = -300;
    std::optional<Part> part = Part{};
};

void fields(auto &archive, std::convertible_to<const Later &> auto &value)
{
    archive.field(1, value.first.part);
    archive.field(2, value.texts);
    archive.field(3, value.first.parts);
    archive.field(4, value.first.maybe);
    archive.field(5, value.half);
    archive.field(6, value.first.time);
    archive.field(7, value.first.share);
    archive.field(8, value.many);
    archive.field(9, value.first.mode);
    archive.field(10, value.part);
}

template <typename Value>
std::string written(const Value &value)
{
    ArchiveWriter archive(At, {});
    fields(archive, value);
    return archive.take();
}

template <typename Value>
Value readFrom(const std::string &bytes)
{
    ArchiveReader archive(bytes, At, true);
    Value value;
    fields(archive, value);
    const bool isRead = archive.isAtEnd() && archive.isGood();
    return isRead ? value : throw std::runtime_error("not read");
}

const First Full{ { "text", -1 }, { { "", 0 }, { std::string(300, 'x'), 1'000'000 } }, false, At + Millis(5), 0.25,
    HoldMode::Write };

} // namespace

class TestArchive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatWasWritten()
    {
        QVERIFY(readFrom<First>(written(Full)) == Full);
        First other = Full;
        other.maybe = true;
        other.parts.clear();
        QVERIFY(readFrom<First>(written(other)) == other);
    }
    void writesNothingOfWhatIsZeroEmptyOrAbsent()
    {
        const First nothing{ { "", 0 }, {}, {}, At, 0, HoldMode::Read };
        QVERIFY(written(nothing).empty());
        QVERIFY(readFrom<First>({}) == nothing);
    }
    void skipsFieldsThatItDoesNotKnow()
    {
        const Later later{ Full };
        QVERIFY(readFrom<First>(written(later)) == Full);
    }
    void readsFieldsThatAreNotThereAsNothing()
    {
        const auto later = readFrom<Later>(written(Full));
        QVERIFY(later.first == Full);
        QVERIFY(later.texts.empty() && later.half == 0 && later.many == 0 && !later.part);
    }
    void failsWhereAnythingIsCutOff()
    {
        const std::string bytes = written(First{ { "text", 0 }, { { "part", 300 } }, {}, At, 0.25, HoldMode::Read });
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            ArchiveReader archive(std::string_view(bytes).substr(0, size), At, true);
            First value;
            fields(archive, value); // ends, and reads no byte beyond
            QVERIFY(!archive.isGood() || value.share == 0);
        }
    }
};

QTEST_APPLESS_MAIN(TestArchive)
#include "tst_archive.moc"
