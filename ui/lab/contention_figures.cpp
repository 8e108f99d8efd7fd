// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/contention_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockui::lab {

using lockcore::MonoTime;

namespace {

constexpr double Half = 0.5;
constexpr double NearlyAll = 0.99;
/// A rate over less would be chance.
constexpr Micros LeastActive{ 1'000'000 };

} // namespace

std::optional<double> jainIndex(const std::vector<double> &shares)
{
    double sum = 0;
    double squares = 0;
    for (const double share : shares) {
        sum += share;
        squares += share * share;
    }
    if (squares <= 0)
        return std::nullopt;
    return sum * sum / (static_cast<double>(shares.size()) * squares);
}

std::optional<Micros> quantile(std::vector<Micros> values, double part)
{
    if (values.empty())
        return std::nullopt;
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(part * static_cast<double>(values.size())));
    const auto place = values.begin() + std::max<std::ptrdiff_t>(rank - 1, 0);
    std::ranges::nth_element(values, place);
    return *place;
}

void ContentionFigures::takesPart(Client client, bool does, MonoTime at)
{
    advance(at);
    Course &course = m_courses[client];
    if (does && !course.activeSince)
        course.activeSince = at;
    else if (!does && course.activeSince)
        leaveOff(course, at);
}

void ContentionFigures::acquired(Client client, Micros waited, MonoTime at)
{
    advance(at);
    m_courses[client].running.waits.push_back(waited);
}

void ContentionFigures::advance(MonoTime now)
{
    while (secondStart() + std::chrono::seconds(1) <= now)
        closeSecond();
}

void ContentionFigures::leaveOff(Course &course, MonoTime at)
{
    course.running.active += at - std::max(*course.activeSince, secondStart());
    course.activeSince.reset();
}

void ContentionFigures::closeSecond()
{
    const MonoTime end = secondStart() + std::chrono::seconds(1);
    SecondFigures second;
    std::vector<Micros> waits;
    for (auto &[client, course] : m_courses) {
        if (course.activeSince) {
            leaveOff(course, end);
            course.activeSince = end;
        }
        waits.insert(waits.end(), course.running.waits.begin(), course.running.waits.end());
        course.seconds.push_back(std::exchange(course.running, {}));
        if (std::ssize(course.seconds) > FiguresWindow.count())
            course.seconds.pop_front();
    }
    ++m_closed;
    second.acquires = std::ssize(waits);
    second.halfWait = quantile(waits, Half);
    second.longWait = quantile(std::move(waits), NearlyAll);
    second.fairness = fairness();
    m_seconds.push_back(second);
    if (std::ssize(m_seconds) > FiguresKept.count())
        m_seconds.pop_front();
    std::erase_if(m_courses, [](const auto &each) {
        const Course &course = each.second;
        return !course.activeSince && std::ranges::all_of(course.seconds, [](const Second &past) {
            return past.waits.empty() && past.active == Micros(0);
        });
    });
}

std::optional<double> ContentionFigures::fairness() const
{
    std::vector<double> rates;
    for (const auto &[client, course] : m_courses) {
        Micros active{ 0 };
        for (const Second &second : course.seconds)
            active += second.active;
        if (active >= LeastActive)
            rates.push_back(static_cast<double>(waitsOf(course).size()) / static_cast<double>(active.count()));
    }
    return jainIndex(rates);
}

std::vector<Micros> ContentionFigures::waitsOf(const Course &course) const
{
    std::vector<Micros> waits;
    for (const Second &second : course.seconds)
        waits.insert(waits.end(), second.waits.begin(), second.waits.end());
    return waits;
}

GroupFigures ContentionFigures::group() const
{
    GroupFigures figures;
    figures.seconds.assign(m_seconds.begin(), m_seconds.end());
    if (m_seconds.empty())
        return figures;
    std::vector<Micros> waits;
    for (const auto &[client, course] : m_courses) {
        const auto own = waitsOf(course);
        waits.insert(waits.end(), own.begin(), own.end());
    }
    const auto seconds = std::min<std::int64_t>(m_closed, FiguresWindow.count());
    figures.acquiresPerSecond = static_cast<double>(waits.size()) / static_cast<double>(seconds);
    figures.halfWait = quantile(waits, Half);
    figures.longWait = quantile(std::move(waits), NearlyAll);
    figures.fairness = m_seconds.back().fairness;
    return figures;
}

void ContentionFigures::describe(Client client, ContenderState &state) const
{
    const auto own = m_courses.find(client);
    if (own == m_courses.end())
        return;
    std::size_t all = 0;
    for (const auto &[each, course] : m_courses)
        all += waitsOf(course).size();
    auto waits = waitsOf(own->second);
    if (all > 0)
        state.share = static_cast<double>(waits.size()) / static_cast<double>(all);
    state.halfWait = quantile(waits, Half);
    state.longWait = quantile(std::move(waits), NearlyAll);
}

} // namespace lockui::lab
