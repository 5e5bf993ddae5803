// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the table of all jobs, and the names in its jobs that columns and the filter offer.
#include "engine/api/compare/comparemetrics.h"
#include "widgets/common/labels.h"
#include "widgets/common/ownwidths.h"
#include "widgets/common/statepainter.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/jobs/jobstableview.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>
#include <iterator>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int widestColumn = 320;
// So that results and parameters are in sight in a small window; the tips of these have all of their text.
constexpr int widestName = 180, widestWhy = 140;
constexpr int wideTable = 1200, widestWhyThere = 200; // where results have their room all the same
constexpr int rowsMeasured = 100;

constexpr qsizetype jobsAsked = 2000; // for names of parameters and results

} // namespace

// The words of the newest jobs: to ask a hundred thousand of them would be felt with each key.
FilterWords JobsTablePage::words() const
{
    return filterWords(m_model->allJobs().first(std::min(jobsAsked, m_model->allJobs().size())));
}

void JobsTablePage::fitColumns(Fit fit)
{
    const QFontMetrics text(m_view->font());
    constexpr int padding = 28; // margins of a cell
    constexpr int orderMark = 18; // in the head
    int widestState = 0;
    for (int shape = 0; shape <= int(StateShape::Paused); ++shape) {
        widestState = std::max(widestState, text.horizontalAdvance(stateLabel(StateShape(shape))));
    }
    const QStringList &keys = m_model->columns();
    for (int column = 0; column < keys.size(); ++column) {
        const QString &key = keys.at(column);
        int width = key == "star"_L1 ? 0 : text.horizontalAdvance(jobColumnTitle(key, keys)) + orderMark;
        width = key == "time"_L1 ? std::max(width, text.horizontalAdvance(u"9:59:59"_s)) : width; // it grows
        // Rows of a group stand one step further in than the group.
        const int step = key == "name"_L1 ? m_view->indentation() : 0;
        for (int row = 0; row < std::min(m_model->rowCount(), rowsMeasured); ++row) {
            const QModelIndex at = m_model->index(row, column);
            width = std::max(width, text.horizontalAdvance(at.data().toString()) + step);
            const QModelIndex group = at.siblingAtColumn(0);
            for (int member = 0; member < std::min(m_model->rowCount(group), rowsMeasured); ++member) {
                const QString shown = m_model->index(member, column, group).data().toString();
                width = std::max(width, text.horizontalAdvance(shown) + 2 * step);
            }
        }
        width = key == "state"_L1 ? std::max(width, widestState) : width; // it changes
        width += key == "state"_L1 ? metrics::rowIcon + metrics::space2 : 0;
        const int widest = key == "name"_L1 ? widestName
            : key == "why"_L1               ? (m_view->width() < wideTable ? widestWhy : widestWhyThere)
                                            : widestColumn;
        width = std::min(widest, width + padding);
        width = fit == Fit::Grow ? std::max(width, m_view->columnWidth(column)) : width;
        m_view->setColumnWidth(column, m_widths->width(key, width));
    }
    // The ground of a row reaches to the edge; numbers stay near their neighbours.
    m_view->header()->setStretchLastSection(!keys.isEmpty() && !isNumberColumn(keys.constLast()));
}

void JobsTablePage::setColumns(const QStringList &keys)
{
    QStringList known;
    for (const QString &key : keys) {
        if (isJobColumn(key) && !known.contains(key)) {
            known.append(key);
        }
    }
    m_model->setColumns(known.isEmpty() ? usualJobColumns() : known);
    const QSignalBlocker quiet(m_view->header());
    m_view->header()->setSortIndicator(int(m_model->columns().indexOf(m_model->sortKey())), m_model->sortOrder());
    m_view->showTree();
    fitColumns();
}

void JobsTablePage::switchColumn(const QString &key, bool on)
{
    QStringList keys = m_model->columns();
    if (on) {
        keys.append(key);
    } else {
        keys.removeAll(key);
    }
    m_areColumnsChosen = true;
    setColumns(keys);
    Q_EMIT arranged();
}

void JobsTablePage::addJobs(const QList<JobSummary> &jobs)
{
    m_model->add(jobs);
    placeTags(jobs);
}

// As suggestedJobColumns() has it as soon as one of them has a tag.
void JobsTablePage::placeTags(const QList<JobSummary> &jobs)
{
    QStringList keys = m_model->columns();
    const qsizetype tags = keys.indexOf("tags"_L1), name = keys.indexOf("name"_L1);
    if (m_areColumnsChosen || name < 0 || tags <= name + 1
        || std::none_of(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return !job.labels.tags.isEmpty(); })) {
        return;
    }
    keys.move(tags, name + 1);
    setColumns(keys);
    Q_EMIT arranged();
}

void JobsTablePage::addColumnGroup(QMenu *menu, const QString &title, const QString &kind, const QStringList &names)
{
    constexpr qsizetype most = 40; // more would not fit into a menu
    if (names.isEmpty()) {
        return;
    }
    QMenu *group = menu->addMenu(title);
    for (const QString &name : names.first(std::min(most, names.size()))) {
        const QString key = kind.isEmpty() ? name : QString(kind + u':' + name);
        QAction *action = group->addAction(plainCaption(jobColumnTitle(key)));
        action->setCheckable(true);
        action->setChecked(m_model->columns().contains(key));
        connect(action, &QAction::triggered, this, [this, key](bool on) { switchColumn(key, on); });
    }
    if (names.size() > most) {
        group->addAction(tr("%1 more").arg(names.size() - most))->setEnabled(false);
    }
}

// Names that differ only in case are one metric, unless a job has both.
QStringList JobsTablePage::knownResults(const QStringList &names) const
{
    const QList<MetricCount> metrics = metricCounts(m_model->allJobs());
    QStringList known;
    std::copy_if(names.cbegin(), names.cend(), std::back_inserter(known), [&metrics](const QString &name) {
        const auto alike
            = [&name](const MetricCount &each) { return each.name.compare(name, Qt::CaseInsensitive) == 0; };
        return std::any_of(metrics.cbegin(), metrics.cend(), [&name](const auto &each) { return each.name == name; })
            || std::none_of(metrics.cbegin(), metrics.cend(), alike);
    });
    return known;
}

void JobsTablePage::fillColumns(QMenu *menu)
{
    const FilterWords known = words();
    const QStringList results = knownResults(known.results);
    addColumnGroup(menu, tr("Of the job"), {}, fixedJobColumns());
    addColumnGroup(menu, tr("Parameters"), u"param"_s, known.parameters);
    addColumnGroup(menu, tr("Latest results"), u"result"_s, results);
    addColumnGroup(menu, tr("Least values"), u"min"_s, results);
    addColumnGroup(menu, tr("Greatest values"), u"max"_s, results);
    menu->addSeparator();
    menu->addAction(tr("The usual columns"), this, [this] {
        m_areColumnsChosen = false;
        setColumns(suggestedJobColumns(m_model->allJobs().first(std::min(jobsAsked, m_model->allJobs().size()))));
        Q_EMIT arranged();
    });
}

} // namespace trainyard
