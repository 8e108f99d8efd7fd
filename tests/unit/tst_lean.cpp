// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/base/few_list.h"
#include "lockcore/base/lean.h"
#include "lockcore/base/short_text.h"
#include "lockcore/base/text_pool.h"
#include "lockcore/base/time.h"

#include <QTest>

using namespace lockcore;

namespace {

using Times = LeanOptional<MonoTime>;
using Number = RareOptional<std::int64_t>;
using List = RareList<std::string>;
using Few = FewList<std::string>;

static_assert(sizeof(Times) == sizeof(MonoTime) && sizeof(Number) == sizeof(void *) && sizeof(List) == sizeof(void *));
static_assert(sizeof(ShortText) == sizeof(void *) && sizeof(SharedText) == sizeof(void *));

template <typename Optional, typename Value>
bool isUsedAsAnOptional(const Value &one, const Value &other)
{
    Optional place;
    bool right = !place && place == std::nullopt && place.value_or(one) == one && place == std::optional<Value>();
    place = one;
    right = right && place && *place == one && place == one && place != other && place == std::optional(one);
    Optional copy = place;
    *copy = other;
    right = right && *place == one && copy != place && std::optional<Value>(copy) == other;
    copy.reset();
    place = std::optional<Value>();
    return right && !copy && copy == place;
}

} // namespace

class TestLean : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isUsedAsAnOptional()
    {
        const MonoTime never; // the clock's beginning is a time as any other
        QVERIFY((::isUsedAsAnOptional<Times>(never, MonoTime(Millis(-1)))));
        const std::int64_t least = std::numeric_limits<std::int64_t>::min();
        QVERIFY((::isUsedAsAnOptional<Number>(least, std::int64_t{ 0 })));
    }

    void copiesOfAListAreApart()
    {
        List list;
        QVERIFY(list.empty() && list == List{} && list.begin() == list.end());
        list.push_back("a");
        List copy = list;
        copy.edit().front() = "b";
        QCOMPARE(list.front(), std::string("a"));
        QVERIFY(copy != list);
        copy.edit().clear();
        QCOMPARE(copy, List{});
    }

    void aListOfFewIsUsedAsAVector()
    {
        std::vector<std::string> expected;
        Few list;
        for (const std::string text : { "a", "b", "c", "d" }) {
            QVERIFY(std::equal(list.begin(), list.end(), expected.begin(), expected.end()));
            QVERIFY(list.size() == expected.size() && list.empty() == expected.empty());
            QVERIFY(list == Few(expected));
            Few copy = list;
            list.push_back(text);
            expected.push_back(text);
            QVERIFY(copy != list && list.front() == "a" && list.back() == text && list.at(list.size() - 1) == text);
        }
        Few copy = list;
        copy[1] = "e";
        QCOMPARE(list[1], std::string("b"));
        copy.clear();
        QVERIFY(copy.empty() && copy == Few{} && copy.begin() == copy.end());
        QVERIFY((Few{ "a" } == Few(std::vector<std::string>{ "a" })));
        QVERIFY_EXCEPTION_THROWN(copy.at(0), std::out_of_range);
    }

    void aShortTextIsUsedAsAString()
    {
        const std::vector<std::string> texts{ "", "1", std::string("\0\xff\1", 3), "1234567", "12345678",
            std::string(100, 'x') };
        for (const auto &text : texts) {
            ShortText here = text;
            QCOMPARE(here.text(), std::string_view(text));
            QCOMPARE(here.empty(), text.empty());
            const ShortText copy = here;
            const ShortText moved = std::move(here);
            QVERIFY(copy == text && moved == copy && here.empty());
            for (const auto &other : texts) {
                QCOMPARE(ShortText(text) == ShortText(other), text == other);
                QCOMPARE(ShortText(text) < ShortText(other), text < other);
                here = other;
                QCOMPARE(std::string(here), other);
            }
        }
    }

    void equalTextsBecomeTheSame()
    {
        TextPool pool;
        const SharedText first = pool.shared(std::string("client"));
        const SharedText second = pool.shared(std::string("client"));
        QCOMPARE(&first.text(), &second.text());
        QVERIFY(pool.shared(SharedText()).empty());
    }

    void textsThatNobodyHasAreForgotten()
    {
        TextPool pool;
        const SharedText kept = pool.shared("kept");
        for (int i = 0; i < 100'000; ++i)
            (void)pool.shared(std::to_string(i));
        QVERIFY(pool.size() < 10'000);
        QCOMPARE(&pool.shared("kept").text(), &kept.text());
    }
};

QTEST_APPLESS_MAIN(TestLean)
#include "tst_lean.moc"
