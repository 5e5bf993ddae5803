// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparemodel.h"

#include "engine/api/compare/comparefolds.h"
#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "engine/client/exportmark.h"
#include "model/base/csv.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>

#include <algorithm>

namespace trainyard
{
namespace
{

double stepOf(const JobSummary &job)
{
    double most = -1;
    for (const QJsonValue each : job.results) {
        most = std::max(most, each.toObject().value(QLatin1String("step")).toDouble(-1));
    }
    return most;
}

// Few files say how long their run took: without that, both times are those at which the files were written.
bool hasTime(const JobSummary &job) { return job.launched && !(isForeign(job.uuid) && job.completed == job.launched); }

// For a program: as digits.
QString secondsOf(const JobSummary &job)
{
    constexpr double msPerSecond = 1000;
    return hasTime(job) ? QString::number(double(allAttemptsMs(job, QDateTime::currentMSecsSinceEpoch())) / msPerSecond,
               'g', QLocale::FloatingPointShortest)
                        : QString();
}

} // namespace

CompareModel::CompareModel(CompareRuns *runs, QObject *parent) : QAbstractTableModel(parent), m_runs(runs)
{
    makeColumns();
    connect(runs, &CompareRuns::reset, this, [this] {
        beginResetModel();
        makeColumns();
        endResetModel();
    });
    const auto changed = [this] {
        if (repeatedMetrics(*m_runs) != m_leftOut) {
            beginResetModel();
            makeColumns();
            endResetModel();
            return;
        }
        rank();
        if (rowCount() > 0) {
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
    };
    connect(runs, &CompareRuns::valuesChanged, this, changed);
    connect(runs, &CompareRuns::drawnChanged, this, changed);
}

void CompareModel::makeColumns()
{
    m_leftOut = repeatedMetrics(*m_runs);
    m_columns = compareColumns(*m_runs, m_leftOut);
    rank();
}

void CompareModel::rank()
{
    QList<std::optional<double>> means;
    QList<bool> behind;
    for (const QList<qsizetype> &row : m_runs->rows()) {
        means.append(m_runs->rankedMean(row));
        behind.append(ranksBehind(m_runs->jobsOf(row), m_runs->metric()));
    }
    m_best = markedBest(means, m_runs->better(), behind);
    m_betterBehind = betterBehind(means, m_runs->better(), behind);
    QStringList all;
    for (qsizetype run = 0; run < m_runs->runs().size(); ++run) {
        const auto value = m_runs->isHidden(run) ? std::nullopt : m_runs->rankedValue(run);
        all.append(value ? QString::number(*value, 'g', QLocale::FloatingPointShortest) : QString());
    }
    m_scale = ValueScale(all, ValueScale::Numbers::Results);
}

int CompareModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_runs->rows().size());
}
int CompareModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

int CompareModel::columnOf(Part part) const
{
    const auto found = std::find_if(
        m_columns.cbegin(), m_columns.cend(), [part](const Column &column) { return column.part == part; });
    return found == m_columns.cend() ? -1 : int(found - m_columns.cbegin());
}

QList<std::optional<double>> CompareModel::values(const Column &column, const QList<qsizetype> &row) const
{
    QList<std::optional<double>> all;
    for (const qsizetype run : row) {
        const JobSummary &job = m_runs->runs().at(run).job;
        all.append(
            column.part == Part::Best ? m_runs->value(run) : compareValue(job, column.metric, Better::Lower).last);
    }
    return all;
}

// For people on one line and not too long, and that there is none is said; for programs as it is.
QString CompareModel::factText(qsizetype fact, const QList<qsizetype> &row, bool isPlain) const
{
    QStringList texts;
    for (const qsizetype run : row) {
        const QString &whole = m_runs->table().different.at(fact).values.at(run);
        const QString text = isPlain ? whole : factValue(whole);
        if (!texts.contains(text)) {
            texts.append(text);
        }
    }
    return texts.join(QStringLiteral(", "));
}

QString CompareModel::textOf(const Column &column, const QList<qsizetype> &row, bool isPlain) const
{
    const JobSummary &job = m_runs->runs().at(row.constFirst()).job;
    const QString none = isPlain ? QString() : QStringLiteral("–");
    switch (column.part) {
    case Part::Run:
        return row.size() == 1
            ? m_runs->label(row.constFirst())
            : tr("%1 and %n more", nullptr, int(row.size() - 1)).arg(m_runs->label(row.constFirst()));
    case Part::Fact:
        return factText(column.fact, row, isPlain);
    case Part::Best:
    case Part::Last: {
        const CompareSpread spread = spreadOf(values(column, row));
        // Some of folded runs have no value, such as one that was stopped early: then it is said of how many it is.
        const bool isOfSome = !isPlain && !spread.hasBroken && spread.n > 0 && spread.n < row.size();
        return spread.n == 0 && !spread.hasBroken ? none
            : isOfSome         ? tr("%1 (n %2)").arg(spreadText(spread, spread.n > 1), QString::number(spread.n))
            : !isPlain         ? spreadText(spread, row.size() > 1)
            : spread.hasBroken ? metricNumber(qQNaN())
                               : QString::number(spread.mean, 'g', QLocale::FloatingPointShortest);
    }
    case Part::Step: {
        const double step = stepOf(job);
        return step < 0 ? none : QString::number(step, 'g', 10);
    }
    case Part::State: {
        if (row.size() > 1) { // one may have been stopped
            QStringList states;
            for (const qsizetype run : row) {
                const JobSummary &each = m_runs->runs().at(run).job;
                states.append(saysState(each) ? stateText(each.state) : none);
            }
            states.removeDuplicates();
            return states.join(QStringLiteral(", "));
        }
        if (!saysState(job)) {
            return none;
        }
        const QString failure = isPlain ? QString() : failureBrief(job);
        const QString why = isPlain || !failure.isEmpty() ? failure : brokenBrief(job);
        return why.isEmpty() ? stateText(job.state) : tr("%1: %2").arg(stateText(job.state), why);
    }
    case Part::Time:
        return hasTime(job) ? clockText(allAttemptsMs(job, QDateTime::currentMSecsSinceEpoch())) : none;
    case Part::Star:
        return isPlain && job.labels.isStarred ? tr("starred") : QString();
    case Part::Check:
    case Part::Line:
        break;
    }
    return {};
}

QVariant CompareModel::sortKey(const Column &column, const QList<qsizetype> &row) const
{
    const JobSummary &job = m_runs->runs().at(row.constFirst()).job;
    switch (column.part) {
    case Part::Check:
    case Part::Line:
        return lookOfRow(*m_runs, row) < 0 ? 1 : 0;
    case Part::Star:
        return job.labels.isStarred ? 0 : 1;
    case Part::Run:
        return job.id;
    case Part::Fact: {
        const QString &text = m_runs->table().different.at(column.fact).values.at(row.constFirst());
        bool isNumber = false;
        const double number = text.toDouble(&isNumber);
        return text.isNull() ? QVariant() : isNumber ? QVariant(number) : QVariant(text);
    }
    case Part::Best: {
        const std::optional<double> mean = m_runs->rankedMean(row);
        return mean ? QVariant(*mean) : QVariant();
    }
    case Part::Last: {
        const CompareSpread spread = spreadOf(values(column, row));
        return spread.n == 0 || spread.hasBroken ? QVariant() : QVariant(spread.mean);
    }
    case Part::Step: {
        const double step = stepOf(job);
        return step < 0 ? QVariant() : QVariant(step);
    }
    case Part::State:
        return int(job.state);
    case Part::Time:
        return hasTime(job) ? QVariant(allAttemptsMs(job, QDateTime::currentMSecsSinceEpoch())) : QVariant();
    }
    return {};
}

// The worst has a short bar, so that it is seen as one.
QVariant CompareModel::share(const QList<qsizetype> &row) const
{
    const std::optional<double> ranked = m_runs->rankedMean(row);
    if (!ranked) {
        return {};
    }
    constexpr double least = 0.15;
    const QString mean = QString::number(*ranked, 'g', QLocale::FloatingPointShortest);
    const double part = std::clamp(m_scale.position(mean).value_or(0), 0.0, 1.0);
    return least + (1 - least) * (m_runs->better() == Better::Lower ? 1 - part : part);
}

QString CompareModel::searchText(const QList<qsizetype> &row) const
{
    QStringList words;
    for (const Column &each : m_columns) {
        words.append(each.part == Part::Fact ? QString(each.title + QLatin1Char('=') + factText(each.fact, row, false))
                                             : textOf(each, row, false));
    }
    words.append(m_runs->runs().at(row.constFirst()).job.name);
    words += m_runs->runs().at(row.constFirst()).job.labels.tags;
    return words.join(QLatin1Char(' '));
}

QSet<QString> CompareModel::unmatched(const JobFilter &filter) const
{
    QSet<QString> uuids;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (qsizetype run = 0; run < m_runs->runs().size() && !filter.isEmpty(); ++run) {
        const JobSummary &job = m_runs->runs().at(run).job;
        if (!filter.matches(job, now, searchText({run}))) {
            uuids.insert(job.uuid);
        }
    }
    return uuids;
}

// Of a column of values.
QString CompareModel::unfinishedText(const Column &column, const QList<qsizetype> &row) const
{
    if (column.part != Part::Best && column.part != Part::Last) {
        return {};
    }
    const auto open = std::find_if(row.cbegin(), row.cend(), [this](qsizetype run) {
        const JobSummary &job = m_runs->runs().at(run).job;
        return !job.results.isEmpty() && !trainyard::unfinishedText(job).isEmpty();
    });
    return open == row.cend() ? QString()
        : row.size() > 1      ? tr("Some of these values are not final.")
                              : trainyard::unfinishedText(m_runs->runs().at(*open).job);
}

QVariant CompareModel::data(const QModelIndex &index, int role) const
{
    const QList<qsizetype> &row = m_runs->rows().at(index.row());
    const Column &column = m_columns.at(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(column, row, false);
    case PlainRole:
        return textOf(column, row, true);
    case Qt::AccessibleTextRole:
        return column.part == Part::Check ? (lookOfRow(*m_runs, row) < 0 ? tr("not drawn") : tr("drawn"))
            : column.part == Part::Star
            ? (m_runs->runs().at(row.constFirst()).job.labels.isStarred ? tr("starred") : tr("not starred"))
            : textOf(column, row, false);
    case SortRole:
        return sortKey(column, row);
    case RowRole:
        return QVariant::fromValue(row);
    case PartRole:
        return int(column.part);
    case ShareRole:
        return column.part == Part::Best ? share(row) : QVariant();
    case IsBestRole:
        return m_best.contains(index.row());
    case Qt::FontRole: {
        QFont font;
        font.setItalic(true);
        return unfinishedText(column, row).isEmpty() ? QVariant() : QVariant(font);
    }
    case Qt::ToolTipRole: {
        const JobSummary &job = m_runs->runs().at(row.constFirst()).job;
        if (column.part == Part::Run) {
            const QString detail = detailOfRun(*m_runs, row.constFirst());
            return plainTip(detail.isEmpty() ? job.name : QString(job.name + u'\n' + detail));
        }
        if (column.part == Part::Best && index.row() == m_betterBehind) {
            const QString label = textOf({Part::Run, {}}, row, false);
            return plainTip(betterBehindText(label, m_runs->jobsOf(row), m_runs->rankedMean(row).value_or(0)));
        }
        if (column.part == Part::State && !saysState(job)) {
            return plainTip(tr("The files of this run do not say how it ended."));
        }
        if (const QString unfinished = unfinishedText(column, row); !unfinished.isEmpty()) {
            return plainTip(unfinished);
        }
        const QString reason = column.part == Part::State ? reasonText(job.reason, job.reasonArgs) : QString();
        return reason.isEmpty() ? QVariant() : plainTip(stateText(job.state) + QStringLiteral(": ") + reason);
    }
    default:
        return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= m_columns.size()) {
        return {};
    }
    const Column &column = m_columns.at(section);
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.fact >= 0          ? plainTip(factTitle(m_runs->table().different.at(column.fact)))
            : column.part == Part::Last  ? plainTip(tr("The newest value of %1").arg(column.metric))
            : column.part == Part::Best  ? plainTip(m_runs->better() == Better::Lower
                       ? tr("The best value of %1; less is better").arg(column.metric)
                       : tr("The best value of %1; more is better").arg(column.metric))
            : column.part == Part::Check ? plainTip(tr("Whether the run is drawn in the plots"))
                                         : QVariant();
    case Qt::TextAlignmentRole: {
        const bool isLeft = column.part == Part::Run || column.part == Part::State || column.part == Part::Check
            || column.part == Part::Line || column.part == Part::Star;
        return int((isLeft ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

QString CompareModel::asTable(const QAbstractItemModel &shown)
{
    // A user who pastes it needs rows and columns; text between tabs cannot be quoted.
    QStringList lines;
    for (int row = -1; row < shown.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < shown.columnCount(); ++column) {
            if (isDataColumn(Part(shown.index(0, column).data(PartRole).toInt()))) {
                cells.append(tabCell(row < 0 ? shown.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                                             : shown.index(row, column).data(PlainRole).toString()));
            }
        }
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString CompareModel::namesOf(const QList<qsizetype> &runs) const
{
    QStringList names;
    for (const qsizetype run : runs) {
        names.append(m_runs->runs().at(run).job.name);
    }
    names.removeDuplicates();
    return names.join(QLatin1Char(' '));
}

QString CompareModel::asCsv(const QAbstractItemModel &shown) const
{
    const QList<Column> columns = dataColumns(*m_runs, m_columns);
    QStringList lines;
    for (int row = -1; row < shown.rowCount(); ++row) {
        const auto runs = row < 0 ? QList<qsizetype>() : shown.index(row, 0).data(RowRole).value<QList<qsizetype>>();
        QStringList cells;
        for (const Column &column : columns) {
            const bool isTime = column.part == Part::Time;
            const QString title = isTime ? tr("Seconds") : column.title;
            cells.append(csvCell(row < 0 ? title
                    : isTime             ? secondsOf(m_runs->runs().at(runs.constFirst()).job)
                                         : textOf(column, runs, true)));
            if (column.part == Part::Run) {
                cells.append(csvCell(row < 0 ? tr("Name") : namesOf(runs)));
            }
            if (m_runs->isFolded() && (column.part == Part::Best || column.part == Part::Last)) {
                cells += row < 0 ? QStringList{csvCell(tr("%1 std").arg(title)), csvCell(tr("%1 n").arg(title))}
                                 : spreadCells(spreadOf(values(column, runs)));
            }
        }
        cells.append(row < 0 ? exportMark() : exportVersion());
        lines.append(cells.join(QLatin1Char(',')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace trainyard
