// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/charts/lane_painter.h"

#include <QPainter>
#include <QTest>

#include <cmath>
#include <random>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

constexpr int Width = 400;
constexpr Millis Length = 10min;
const WallTime Start{ Millis(1'790'000'000'000) };
const WallTime End = Start + Length;

struct Happening {
    Timeline timeline;

    void hear(WallTime at, EventKind kind, int owner)
    {
        Event event;
        event.at = at;
        event.kind = kind;
        event.lock = "it";
        event.lockKind = synchronizers::Kind::Fair;
        event.node = "n1";
        event.owner = OwnerId{ "client", std::to_string(owner) };
        event.count = 1;
        timeline.add(event);
    }
    void count(std::chrono::seconds at, synchronizers::Kind kind, std::int64_t count)
    {
        Event event;
        event.at = Start + at;
        event.kind = EventKind::CountChanged;
        event.lock = "it";
        event.lockKind = kind;
        event.node = "n1";
        event.count = count;
        timeline.add(event);
    }
    const TimelineLane &lane() { return timeline.lane(*timeline.laneOf("it")); }
};

/// Some take the lock and wait for it, now calmly and now all at once.
void anything(Happening &story, unsigned seed)
{
    std::mt19937 random(seed);
    const auto upTo = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    std::vector<int> holding;
    std::vector<int> waiting;
    const int owners = 2 + upTo(30);
    int pause = 1 + upTo(4'000);
    for (WallTime at = Start; at < End; at += Millis(1 + upTo(pause))) {
        if (upTo(100) == 0)
            pause = 1 + upTo(upTo(2) == 0 ? 30 : 4'000);
        const auto leave = [&](std::vector<int> &list) {
            const int owner = list[random() % list.size()];
            std::erase(list, owner);
            return owner;
        };
        const int owner = upTo(owners);
        const bool isThere = std::ranges::count(holding, owner) + std::ranges::count(waiting, owner) > 0;
        if (upTo(2) == 0 && !waiting.empty())
            story.hear(at, upTo(3) == 0 ? EventKind::WaiterTimedOut : EventKind::Dequeued, leave(waiting));
        else if (upTo(2) == 0 && !holding.empty())
            story.hear(at, upTo(40) == 0 ? EventKind::Expired : EventKind::Released, leave(holding));
        else if (!isThere && upTo(2) == 0)
            story.hear(at, EventKind::Queued, waiting.emplace_back(owner));
        else if (!isThere && upTo(owners) < 8)
            story.hear(at, EventKind::Acquired, holding.emplace_back(owner));
    }
}

} // namespace

/// What a lane shows, against the plain way: to look at every span for every pixel.
class LanePainterTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsEveryWaitInItsPixelAndNoneElsewhere_data()
    {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<double>("perPixel");
        for (const unsigned seed : { 1U, 2U, 3U, 4U, 5U, 6U })
            for (const double perPixel : { 7.0, 113.0, 731.0, 1'500.0, 20'000.0 })
                QTest::addRow("history %u, %.0f ms a pixel", seed, perPixel) << seed << perPixel;
    }

    void showsEveryWaitInItsPixelAndNoneElsewhere()
    {
        QFETCH(unsigned, seed);
        QFETCH(double, perPixel);
        Happening story;
        anything(story, seed);
        const TimeScale scale{ double((Start + 30s).time_since_epoch().count()), perPixel, Width };
        const WallTime now = End - 5s;
        const QImage picture = paint(story, scale, now, {});
        const auto &waits = story.lane().waits;
        constexpr std::size_t LastLine = LaneShape::MostWaitRows - 1;
        const QRgb color = m_theme.color(Tone::Waiting).rgb();
        for (std::size_t line = 0; line <= LastLine; ++line) {
            const int y = static_cast<int>(LaneShape::waitRow(line, 0).top()) + 1;
            std::vector<bool> may(Width);
            for (std::size_t row = line; row < (line == LastLine ? waits.size() : std::min(line + 1, waits.size()));
                 ++row)
                for (const TimelineSpan &span : waits[row].spans) {
                    const double from = scale.pixel(span.from);
                    const double to = scale.pixel(std::min(span.to, now));
                    if (span.from > now || to <= 0 || from >= Width)
                        continue;
                    const int first = std::max(0, static_cast<int>(from));
                    const int last = std::min(Width - 1, std::max(first, int(std::ceil(to)) - 1));
                    bool isShown = false; // beside another one it may begin a pixel later
                    for (int x = first; x <= last; ++x) {
                        isShown = isShown || picture.pixel(x, y) == color;
                        may[static_cast<std::size_t>(x)] = true;
                    }
                    QVERIFY2(isShown, qPrintable(QStringLiteral("line %1 hides a wait at %2").arg(line).arg(first)));
                }
            for (int x = 0; x < Width; ++x)
                QVERIFY2(picture.pixel(x, y) != color || may[static_cast<std::size_t>(x)],
                    qPrintable(QStringLiteral("line %1: nobody waits at %2").arg(line).arg(x)));
        }
    }

    void showsEveryHoldInSomePixel()
    {
        for (const unsigned seed : { 1U, 2U, 3U }) {
            Happening story;
            anything(story, seed);
            const TimeScale scale{ double(Start.time_since_epoch().count()), double(Length.count()) / Width, Width };
            const QImage picture = paint(story, scale, End, {});
            const auto &holds = story.lane().holds;
            for (std::size_t row = 0; row < holds.size(); ++row) {
                for (const TimelineSpan &span : holds[row].spans) {
                    const QRectF line = LaneShape::holdRow(story.lane(), row, span.from, 0);
                    const int x = static_cast<int>(scale.pixel(span.from));
                    const auto isShownAt = [&](int at) {
                        return at < Width && picture.pixelColor(at, int(line.center().y())) != m_theme.colors().surface;
                    };
                    QVERIFY(x >= Width || isShownAt(x) || isShownAt(x + 1)); // beside a longer one it moves on
                }
            }
        }
    }

    /// Two readers share the height; whoever holds alone has all of it, also beside them and in another row.
    void givesAHoldThatIsAloneAllOfTheHeight()
    {
        Happening story;
        const auto between = [&](std::chrono::seconds from, std::chrono::seconds to, int owner) {
            story.hear(Start + from, EventKind::Acquired, owner);
            story.hear(Start + to, EventKind::Released, owner);
        };
        between(10s, 20s, 1);
        story.hear(Start + 30s, EventKind::Acquired, 1);
        between(35s, 45s, 2);
        story.hear(Start + 60s, EventKind::Released, 1);
        between(70s, 90s, 3);
        const auto rectOf = [&](std::size_t row, std::chrono::seconds at) {
            return LaneShape::holdRow(story.lane(), row, Start + at, 0);
        };
        QCOMPARE(rectOf(0, 10s).height(), double(LaneShape::HoldsHeight));
        QCOMPARE(rectOf(0, 70s), rectOf(0, 10s));
        QVERIFY(rectOf(0, 30s).bottom() < rectOf(1, 35s).top());
        const TimeScale scale{ double(Start.time_since_epoch().count()), 250, Width };
        const QImage picture = paint(story, scale, End, {});
        const auto colored = [&](std::chrono::seconds at) {
            int count = 0;
            for (int y = 0; y < LaneShape::WaitsTop; ++y)
                count += picture.pixel(int(scale.pixel(Start + at)), y) != m_theme.colors().surface.rgb() ? 1 : 0;
            return count;
        };
        QCOMPARE(colored(15s), LaneShape::HoldsHeight);
        QCOMPARE(colored(85s), LaneShape::HoldsHeight);
        QCOMPARE(colored(50s), int(rectOf(0, 30s).height()));
        QCOMPARE(colored(25s), 0);
    }

    /// A latch that is counted down is open: nothing of it is in use.
    void drawsOfALatchWhatIsStillToBeCountedDown()
    {
        Happening latch;
        for (const auto &[at, count] : { std::pair(1s, 4), std::pair(11s, 1), std::pair(21s, 0) })
            latch.count(at, synchronizers::Kind::CountDownLatch, count);
        Happening permits;
        for (const auto &[at, count] : { std::pair(1s, 4), std::pair(11s, 1), std::pair(21s, 0) })
            permits.count(at, synchronizers::Kind::Semaphore, count);
        const TimeScale scale{ double(Start.time_since_epoch().count()), 100, Width };
        const auto isWashed = [&](const QImage &picture, std::chrono::seconds at, double part) {
            const int y = LaneShape::HoldsTop + int(part * LaneShape::HoldsHeight);
            return picture.pixel(int(scale.pixel(Start + at)), y) != m_theme.colors().surface.rgb();
        };
        const QImage open = paint(latch, scale, End, {});
        QVERIFY(isWashed(open, 6s, 0.2) && isWashed(open, 6s, 0.9));
        QVERIFY(!isWashed(open, 16s, 0.2) && isWashed(open, 16s, 0.9));
        QVERIFY(!isWashed(open, 26s, 0.2) && !isWashed(open, 26s, 0.8));
        const QImage used = paint(permits, scale, End, {});
        QVERIFY(!isWashed(used, 6s, 0.2) && isWashed(used, 16s, 0.2) && !isWashed(used, 16s, 0.9));
        QVERIFY(isWashed(used, 26s, 0.2) && isWashed(used, 26s, 0.8));
    }

    /// Also where the most that was seen free is all that is free now.
    void drawsThePermitsInUseThatRedisTellsOf()
    {
        Happening story;
        story.count(1s, synchronizers::Kind::PermitExpirableSemaphore, 4);
        const TimeScale scale{ double(Start.time_since_epoch().count()), 100, Width };
        const auto isWashed = [&](double part) {
            const int y = LaneShape::HoldsTop + int(part * LaneShape::HoldsHeight);
            return paint(story, scale, End, {}).pixel(int(scale.pixel(Start + 6s)), y)
                != m_theme.colors().surface.rgb();
        };
        QVERIFY(!isWashed(0.5));
        LockState lock;
        lock.name = "it";
        lock.kind = synchronizers::Kind::PermitExpirableSemaphore;
        lock.permits = synchronizers::PermitsReading{ 4, 4, 0, {} };
        lock.readAt = Start + 2s;
        story.timeline.tellState(lock);
        QVERIFY(isWashed(0.2) && !isWashed(0.8));
    }

    void showsTheGravestOfVeryManyEnds()
    {
        Happening story;
        for (int i = 0; i < 1'000; ++i) {
            story.hear(Start + Millis(2 * i), EventKind::Acquired, 1);
            story.hear(Start + Millis(2 * i + 1), i == 700 ? EventKind::ForceReleased : EventKind::Expired, 1);
        }
        const TimeScale scale{ double((Start - 1min).time_since_epoch().count()), 1'000, Width };
        const QImage picture = paint(story, scale, End, {});
        bool isShown = false;
        for (int x = 50; x < 70; ++x)
            isShown = isShown || picture.pixel(x, 6) == m_theme.color(Tone::Danger).rgb();
        QVERIFY(isShown);
    }

    /// Of those who hold at once where rows share a line, the one that was pointed at.
    void showsWhoStandsOutAmongMany()
    {
        Happening story;
        for (int owner = 0; owner < 20; ++owner)
            story.hear(Start + Millis(owner), EventKind::Acquired, owner);
        Event event;
        event.at = Start + 1s;
        event.kind = EventKind::Acquired;
        event.lock = "it";
        event.node = "n1";
        event.owner = OwnerId{ "another", "1" };
        story.timeline.add(event);
        const auto &holds = story.lane().holds;
        QVERIFY(holds.size() > LaneShape::MostHoldRows);
        const std::uint32_t last = holds.back().spans.front().owner;
        const TimeScale scale{ double(Start.time_since_epoch().count()), 100, Width };
        const int y = static_cast<int>(LaneShape::holdRow(story.lane(), holds.size() - 1, Start + 1s, 0).top());
        LanePainter painter(m_theme, m_kept.names, story.timeline);
        const QRgb color = painter.colorOf(last).rgb();
        QVERIFY(paint(story, scale, End, {}).pixel(200, y) != color);
        QCOMPARE(paint(story, scale, End, { .hovered = last }).pixel(200, y), color);
    }

    /// Its begin and its end lie elsewhere: neither round nor ragged edges are drawn in their places.
    void leadsOutOfSightWithoutAnEdge()
    {
        for (const auto kind : { EventKind::Appeared, EventKind::Acquired }) {
            Happening story;
            story.hear(Start, kind, 1);
            story.hear(Start + 9min, EventKind::Released, 1);
            const TimeScale scale{ double((Start + 1min).time_since_epoch().count()), 100, Width };
            const QImage picture = paint(story, scale, End, {});
            const QRectF line = LaneShape::holdRow(story.lane(), 0, Start, 0);
            const QRgb color = picture.pixel(Width / 2, int(line.center().y()));
            QVERIFY(color != m_theme.colors().surface.rgb());
            for (int y = int(line.top()); y < int(line.bottom()); ++y) {
                QCOMPARE(picture.pixel(0, y), color);
                QCOMPARE(picture.pixel(Width - 1, y), color);
            }
        }
    }

    void leadsNoFurtherThanNowWhileItIsHeld()
    {
        for (const auto kind : { EventKind::Appeared, EventKind::Acquired }) {
            Happening story;
            story.hear(Start, kind, 1);
            const TimeScale scale{ double((Start + 1s).time_since_epoch().count()), 100, Width };
            const QImage picture = paint(story, scale, Start + 21s, {});
            const int y = int(LaneShape::holdRow(story.lane(), 0, Start, 0).center().y());
            QVERIFY(picture.pixelColor(199, y) != m_theme.colors().surface);
            for (int x = 201; x < Width; ++x)
                QCOMPARE(picture.pixelColor(x, y), m_theme.colors().surface);
        }
    }

    /// Also upon bars that are faint while the holds of another one are lit, and grey ones.
    void namesCanBeReadUponEveryBar()
    {
        Happening story;
        story.hear(Start + 1s, EventKind::Acquired, 1);
        story.hear(Start + 100s, EventKind::Released, 1);
        story.hear(Start + 100s, EventKind::Acquired, 2);
        const std::uint32_t other = story.lane().holds.front().spans.back().owner;
        const TimeScale scale{ double(Start.time_since_epoch().count()), 250, Width };
        const auto luminance = [](const QColor &color) {
            const auto linear
                = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
            return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
        };
        const QRectF line = LaneShape::holdRow(story.lane(), 0, Start + 1s, 0);
        for (const auto mode : { Theme::Light, Theme::Dark }) {
            m_theme.setMode(mode);
            for (const std::uint32_t picked : { std::uint32_t(0), other }) {
                constexpr int Scale = 4; // so that strokes have their full colour
                QImage picture(Width * Scale, LaneShape::Height * Scale, QImage::Format_ARGB32_Premultiplied);
                picture.setDevicePixelRatio(Scale);
                picture.fill(m_theme.colors().surface);
                QPainter painter(&picture);
                LanePainter(m_theme, m_kept.names, story.timeline)
                    .paint(painter, story.lane(), scale, End, 0, { .picked = picked });
                painter.end();
                const QColor bar = picture.pixelColor(200 * Scale, int(line.center().y()) * Scale);
                double best = 1;
                for (int x = 10 * Scale; x < 200 * Scale; ++x)
                    for (int y = int(line.top() + 3) * Scale; y < int(line.bottom() - 3) * Scale; ++y) {
                        const double a = luminance(bar) + 0.05;
                        const double b = luminance(picture.pixelColor(x, y)) + 0.05;
                        best = std::max(best, std::max(a, b) / std::min(a, b));
                    }
                QVERIFY2(best >= 4.5, qPrintable(QStringLiteral("%1 on %2").arg(best).arg(bar.name())));
            }
        }
        m_theme.setMode(Theme::System);
    }

    /// Nobody knows whether it waits: its place in the queue is all that is seen.
    void drawsTheWaitOfAGhostPale()
    {
        Happening story;
        story.hear(Start + 1s, EventKind::Acquired, 1);
        story.hear(Start + 2s, EventKind::Queued, 2);
        story.hear(Start + 3s, EventKind::Queued, 3);
        const Now moment{ MonoTime(100s), Start + 5s };
        auto lock = test::makeLock("it", moment.mono);
        lock->kind = synchronizers::Kind::Fair;
        lock->node = "n1";
        lock->holders.front().owner = { "client", "1" };
        lock->waiters.push_back({ { "client", "2" }, std::nullopt, { moment.mono - 3s, true }, false });
        lock->waiters.push_back({ { "client", "3" }, std::nullopt, { moment.mono - 2s, true }, true });
        story.timeline.observe(*test::makeSnapshot(moment, { lock }));
        story.timeline.tellState(*lock);
        const TimeScale scale{ double((Start + 4s).time_since_epoch().count()), 10, Width };
        const QImage picture = paint(story, scale, Start + 6s, {});
        const auto colorOf
            = [&](std::size_t row) { return picture.pixelColor(100, int(LaneShape::waitRow(row, 0).center().y())); };
        QCOMPARE(colorOf(1), m_theme.color(Tone::Waiting));
        QVERIFY(colorOf(0) != colorOf(1));
        QVERIFY(colorOf(0) != m_theme.colors().surface);
    }

private:
    QImage paint(Happening &story, const TimeScale &scale, WallTime now, const LanePainter::Lit &lit)
    {
        QImage picture(Width, LaneShape::Height, QImage::Format_ARGB32_Premultiplied);
        picture.fill(m_theme.colors().surface);
        QPainter painter(&picture);
        LanePainter(m_theme, m_kept.names, story.timeline).paint(painter, story.lane(), scale, now, 0, lit);
        return picture;
    }

    test::TestNames m_kept;
    Theme m_theme{ *qApp };
};

QTEST_MAIN(LanePainterTest)
#include "tst_lane_painter.moc"
