// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/palette_model.h"

#include "ui/models/roles.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <tuple>

namespace lockui {

namespace {

constexpr qsizetype MostRecent = 6;
constexpr int PointsOfLast = 12; // two less for each that was used later

QString kindWord(PaletteKind kind)
{
    switch (kind) {
    case PaletteKind::Action:
        return PaletteModel::tr("action");
    case PaletteKind::Page:
        return PaletteModel::tr("page");
    case PaletteKind::Lock:
        return PaletteModel::tr("lock");
    case PaletteKind::Chapter:
        return PaletteModel::tr("guide");
    }
    return {};
}

QString noteOf(const PaletteEntry &entry)
{
    const QString kind = kindWord(entry.kind);
    return entry.note.isEmpty() ? kind : kind + QStringLiteral(" · ") + entry.note;
}

} // namespace

PaletteModel::PaletteModel(QObject *parent)
    : QAbstractListModel(parent)
    , m_more(this)
{
    m_more.setSingleShot(true);
    connect(&m_more, &QTimer::timeout, this, &PaletteModel::lookAtSome);
}

void PaletteModel::setSources(PaletteSources sources)
{
    m_more.stop();
    beginResetModel();
    m_rows.clear();
    endResetModel();
    m_best.clear();
    m_found = 0;
    m_sources = std::move(sources);
    m_source = m_sources.size();
}

void PaletteModel::search(const QString &typed)
{
    m_pattern = FuzzyPattern(typed);
    m_best.clear();
    m_found = 0;
    m_source = 0;
    m_next = 0;
    lookAtSome();
    if (isSearching())
        show();
}

void PaletteModel::remember(const PaletteEntry &entry)
{
    m_recent.removeAll(entry.text);
    m_recent.prepend(entry.text);
    m_recent.resize(std::min(m_recent.size(), MostRecent));
}

void PaletteModel::lookAtSome()
{
    for (std::size_t looked = 0; looked < MostAtOnce && isSearching();) {
        if (m_next < m_sources[m_source]->count()) {
            look(m_source, m_next++);
            ++looked;
        } else {
            ++m_source;
            m_next = 0;
        }
    }
    if (isSearching()) {
        m_more.start(0);
        return;
    }
    show();
    Q_EMIT searched();
}

bool PaletteModel::isBetter(const Found &a, const Found &b)
{
    return std::tuple(-a.score, a.length, a.source, a.index) < std::tuple(-b.score, b.length, b.source, b.index);
}

void PaletteModel::look(std::size_t source, std::size_t index)
{
    const QString text = m_sources[source]->text(index);
    std::optional<int> score = m_pattern.scoreOf(text);
    if (!score) {
        const QString about = m_sources[source]->about(index);
        if (about.isEmpty() || !m_pattern.isSaidIn(QString(text + QLatin1Char(' ') + about)))
            return;
        score = 0;
    }
    ++m_found;
    Found found{ *score, m_pattern.isEmpty() ? 0 : text.size(), source, index };
    for (qsizetype rank = 0; rank < m_recent.size(); ++rank)
        if (m_recent[rank] == text)
            found.score += PointsOfLast - 2 * static_cast<int>(rank);
    if (m_best.size() == MostShown) {
        if (!isBetter(found, m_best.front()))
            return;
        std::ranges::pop_heap(m_best, isBetter);
        m_best.pop_back();
    }
    m_best.push_back(found);
    std::ranges::push_heap(m_best, isBetter);
}

void PaletteModel::show()
{
    std::vector<Found> best = m_best;
    std::ranges::sort(best, isBetter);
    beginResetModel();
    m_rows.clear();
    for (const Found &found : best) {
        Row row{ m_sources[found.source]->entry(found.index), {} };
        row.places = m_pattern.placesIn(row.entry.text);
        m_rows.push_back(std::move(row));
    }
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PaletteEntry &entry = rowAt(index.row()).entry;
    switch (role) {
    case Qt::DisplayRole:
        return entry.text;
    case Qt::ToolTipRole:
        return plainToolTip(entry.text);
    case Qt::AccessibleTextRole: {
        QStringList parts{ entry.text, noteOf(entry) };
        for (const QString &part : { entry.keys, entry.needs })
            if (!part.isEmpty())
                parts << part;
        return parts.join(QStringLiteral(", "));
    }
    case KindRole:
        return int(entry.kind);
    case NoteRole:
        return entry.needs.isEmpty() ? noteOf(entry) : entry.needs;
    case KeysRole:
        return entry.keys;
    case IsReadyRole:
        return entry.needs.isEmpty();
    case MonoRole:
        return entry.kind == PaletteKind::Lock;
    case PlacesRole: {
        QVariantList places;
        for (const int place : rowAt(index.row()).places)
            places << place;
        return places;
    }
    default:
        return {};
    }
}

} // namespace lockui
