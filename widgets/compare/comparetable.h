// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/comparefilter.h"
#include "widgets/compare/comparemodel.h"

#include <QWidget>

class QToolButton;
class QTreeView;

namespace trainyard
{

class CompareTableHead;
class ElidedLabel;
class EmptyState;
class FilterField;
class OwnWidths;
class SearchField;

// The runs of a comparison as a table: how many there are, what they have in common, and a row for each. A click into
// the first column draws a run or leaves it out, as do the space bar and the menu.
// Large because the table has its filter and its menu, which act on the same selection.
class CompareTablePane : public QWidget
{
    Q_OBJECT
public:
    explicit CompareTablePane(CompareRuns *runs, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    CompareFilter *filter() const { return m_filter; }
    SearchField *filterField() const;
    int wantedWidth() const; // of what one compares: names, results and parameters
    QList<qsizetype> selected() const; // runs of the selected rows, in the order shown
    qsizetype current() const; // -1: none
    bool isCurrentChosen() const { return m_isCurrentChosen; } // by the user; else it is the best
    void setCurrent(qsizetype run);
    QSize minimumSizeHint() const override; // without the lines about all runs, which give way to the table
    QByteArray saveLayout() const; // by what the rows are sorted
    void restoreLayout(const QByteArray &layout);

Q_SIGNALS:
    void wantedWidthChanged();
    void currentChanged(qsizetype run);
    void openRequested(const QString &uuid);
    void starRequested(const QString &uuid, bool on);
    void stopRequested(const QList<qsizetype> &runs);
    void removeRequested(const QList<qsizetype> &runs); // from the comparison
    void sameRequested(); // all that is the same in all runs is to be shown
    void tooManyDrawn();
    void addRequested(); // there are no runs

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void fitLines();
    void applyFilter();
    QList<JobSummary> jobs() const;
    void updateHead();
    void fitColumns();
    void growColumns();
    int neededWidth(int column) const; // at most so much that other columns stay in sight
    void followBest();
    void onClicked(const QModelIndex &at);
    bool isDrawn(qsizetype run) const;
    void setDrawn(const QList<qsizetype> &runs, bool on);
    void selectAgain(const QStringList &uuids);
    QList<qsizetype> placesOf(const QStringList &uuids) const; // of those that are still there
    void showMenu(const QPoint &at);

    CompareRuns *m_runs;
    CompareModel *m_model;
    CompareFilter *m_filter;
    FilterField *m_field;
    CompareTableHead *m_head;
    ElidedLabel *m_same;
    QToolButton *m_more;
    ElidedLabel *m_other; // what else differs
    QWidget *m_sameLine, *m_otherLine;
    bool m_hasSame = false, m_hasOther = false; // to say there
    EmptyState *m_empty;
    QTreeView *m_view;
    OwnWidths *m_widths;
    QString m_currentJob;
    QStringList m_selectedJobs;
    bool m_isCurrentChosen = false; // by a person; else it is the best one
    bool m_isFollowing = false; // it becomes current without one
    QString m_sortTitle; // of the column that a person has chosen; empty: the best first
};

} // namespace trainyard
