// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/fuzzy_match.h"
#include "ui/models/palette_source.h"

#include <QAbstractListModel>
#include <QStringList>
#include <QTimer>

namespace lockui {

/// The best of what matches what a person typed, out of all sources. A turn of the event loop looks at so many entries
/// at most, so that no key press waits for a hundred thousand locks; what was found in the first turn is shown at once,
/// and all when everything has been looked at.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    static constexpr std::size_t MostAtOnce = 2'000; // looked at in one turn
    static constexpr std::size_t MostShown = 100;

    enum PaletteRole {
        KindRole = Qt::UserRole + 100, // int(PaletteKind); those of roles.h come before
        NoteRole, // QString: of what kind it is, or what it needs first
        KeysRole, // QString; empty: none
        IsReadyRole, // bool: it can be done now
        PlacesRole, // QVariantList of int: letters of the text that match
    };

    struct Row {
        PaletteEntry entry;
        std::vector<int> places; // of its text that match
    };

    explicit PaletteModel(QObject *parent = nullptr);

    void setSources(PaletteSources sources); // in the order in which they are told where nothing else decides
    void search(const QString &typed); // nothing typed: everything matches, what was used last first
    void remember(const PaletteEntry &entry); // it was used: from now on it is found a little earlier

    bool isSearching() const { return m_source < m_sources.size(); }
    qint64 found() const { return m_found; } // so far
    const Row &rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

Q_SIGNALS:
    void searched(); // everything has been looked at

private:
    struct Found {
        int score = 0;
        qsizetype length = 0;
        std::size_t source = 0;
        std::size_t index = 0;
    };

    static bool isBetter(const Found &a, const Found &b);
    void lookAtSome();
    void look(std::size_t source, std::size_t index);
    void show();

    PaletteSources m_sources;
    FuzzyPattern m_pattern;
    QStringList m_recent; // texts, the last one first
    std::size_t m_source = 0; // that is being looked through, and from where
    std::size_t m_next = 0;
    qint64 m_found = 0;
    std::vector<Found> m_best; // a heap, with the worst of them on top
    std::vector<Row> m_rows;
    QTimer m_more;
};

} // namespace lockui
