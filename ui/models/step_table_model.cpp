// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_table_model.h"

#include "ui/lab/play_text.h"
#include "ui/lab/step_text.h"
#include "ui/models/roles.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

namespace lockui {

using lab::PlayRecord;
using lab::Step;
using lab::StepState;

namespace {

/// Several lines in one.
QString inOneLine(QString text) { return text.replace(QLatin1Char('\n'), QStringLiteral("; ")); }

QString stepMark(StepState state)
{
    switch (state) {
    case StepState::Waiting:
        return {};
    case StepState::Running:
        return QStringLiteral("◔");
    case StepState::Passed:
        return QStringLiteral("✓");
    case StepState::Failed:
        return QStringLiteral("✗");
    case StepState::Stopped:
        return QStringLiteral("■");
    case StepState::NotReached:
        return QStringLiteral("–");
    }
    return {};
}

/// Nothing more will be seen of it.
bool isCutShort(StepState state) { return state == StepState::Stopped || state == StepState::NotReached; }

} // namespace

void StepTableModel::setRecord(const PlayRecord *record)
{
    beginResetModel();
    m_record = record;
    endResetModel();
}

void StepTableModel::stepChanged(std::size_t step)
{
    const int row = static_cast<int>(step);
    if (row < rowCount())
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int StepTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_record ? 0 : static_cast<int>(m_record->scenario.steps.size());
}

int StepTableModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant StepTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool isTitle = role == Qt::DisplayRole;
    switch (section) {
    case At:
        return isTitle ? tr("At") : tr("When it began, since the first step could begin");
    case Who:
        return isTitle ? tr("Who") : QString();
    case Does:
        return isTitle ? tr("Step") : QString();
    case Expected:
        return isTitle ? tr("Expected") : QString();
    case Seen:
        return isTitle ? tr("Seen")
                       : tr("What the client answered, what was found in Redis and what the monitor showed");
    default:
        return {};
    }
}

QVariant StepTableModel::data(const QModelIndex &index, int role) const
{
    if (!m_record || !index.isValid() || index.row() >= rowCount())
        return {};
    const auto step = static_cast<std::size_t>(index.row());
    const StepState state = m_record->progress[step].state;
    switch (role) {
    case Qt::DisplayRole:
        return inOneLine(textOf(step, index.column()));
    case Qt::ToolTipRole:
        return plainToolTip(detailOf(step));
    case Qt::AccessibleTextRole:
        if (index.column() == Mark)
            return state == StepState::Waiting ? tr("not begun") : stateText(state);
        return inOneLine(textOf(step, index.column()));
    case ToneRole:
        return toneOf(step, index.column());
    case MonoRole:
    case WordsRole:
        return index.column() == Does && isCall(m_record->scenario.steps[step]);
    case StrongRole:
        return index.column() == Mark;
    default:
        return {};
    }
}

QString StepTableModel::textOf(std::size_t step, int column) const
{
    const Step &what = m_record->scenario.steps[step];
    switch (column) {
    case At:
        return atText(step);
    case Who:
        return whoText(what, m_record->scenario);
    case Does:
        return stepText(what);
    case Expected:
        return expectedText(m_record->scenario, step);
    case Seen: {
        const QStringList problems = problemTexts(*m_record, step);
        return problems.isEmpty() ? seenOf(step) : problems.join(QLatin1Char('\n'));
    }
    default:
        return stepMark(m_record->progress[step].state);
    }
}

QString StepTableModel::seenOf(std::size_t step) const
{
    QStringList lines = seenText(*m_record, step).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (const StepState state = m_record->progress[step].state; isCutShort(state))
        lines << stateText(state);
    return lines.join(QLatin1Char('\n'));
}

/// Before it begins, what it waits for.
QString StepTableModel::atText(std::size_t step) const
{
    if (const auto began = m_record->progress[step].beganAt)
        return momentText(*m_record, *began);
    const auto pause = m_record->scenario.steps[step].pause;
    return pause > lockcore::Millis(0) ? tr("+ %1").arg(lab::writtenDuration(pause)) : QString();
}

int StepTableModel::toneOf(std::size_t step, int column) const
{
    const StepState state = m_record->progress[step].state;
    const auto tone = [&] {
        if (state == StepState::Failed && (column == Seen || column == Mark))
            return Tone::Danger;
        if (column == Mark)
            return state == StepState::Passed ? Tone::Good : isCutShort(state) ? Tone::Muted : Tone::Accent;
        if (state == StepState::Waiting || state == StepState::NotReached || column == At
            || ((state == StepState::Running || state == StepState::Stopped) && column == Seen))
            return Tone::Muted;
        return Tone::Normal;
    };
    return static_cast<int>(tone());
}

QString StepTableModel::detailOf(std::size_t step) const
{
    const Step &what = m_record->scenario.steps[step];
    const QString who = whoText(what, m_record->scenario);
    QStringList lines{ who.isEmpty() ? stepText(what) : who + QStringLiteral("  ") + stepText(what) };
    if (const QString note = noteText(what); !note.isEmpty())
        lines << note;
    const auto add = [&lines](const QString &title, const QString &text) {
        if (!text.isEmpty())
            lines << title + QLatin1Char(' ') + inOneLine(text);
    };
    add(tr("Expected:"), expectedText(m_record->scenario, step));
    add(tr("Seen:"), seenOf(step));
    for (const QString &problem : problemTexts(*m_record, step))
        lines << QStringLiteral("✗ ") + problem;
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockui
