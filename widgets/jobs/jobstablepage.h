// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/filtercompletion.h"

#include <QWidget>

class QMenu;
class QLabel;
class QPushButton;
class QToolButton;

namespace trainyard
{

class EmptyState;
class FilterField;
class InfoBar;
class JobsTableModel;
class JobsTableView;
class OwnWidths;
class PageHead;

// The page of all jobs: a table with chosen columns, a filter, and what can be done with the rows that are selected.
// Large because each thing that can be done asks what it is possible for, and says it.
class JobsTablePage : public QWidget
{
    Q_OBJECT
public:
    explicit JobsTablePage(QWidget *parent = nullptr);
    ~JobsTablePage() override;

    JobsTableModel *model() const { return m_model; }
    JobsTableView *view() const { return m_view; }
    FilterField *filter() const { return m_filter; }
    InfoBar *undoBar() const { return m_undo; }
    void setLoading(bool on); // more jobs are coming
    void addJobs(const QList<JobSummary> &jobs); // new ones, or others than they were
    void setColumns(const QStringList &keys);
    // Whether the user has chosen the columns; if not, they follow what the jobs have.
    bool areColumnsChosen() const { return m_areColumnsChosen; }
    void setColumnsChosen(bool on) { m_areColumnsChosen = on; }
    void setSorting(const QString &key, Qt::SortOrder order); // of a column that is shown
    void setFolded(bool on); // the jobs of a group are one row
    static constexpr int mostCompared = 50; // jobs
    QStringList chosen() const; // the selected jobs
    QString selectionAsText() const; // for the clipboard: cells between tabs

Q_SIGNALS:
    void openRequested(const QString &uuid);
    void groupRequested(const QString &group); // the comparison of its jobs
    void stopRequested(const QStringList &uuids);
    void retryRequested(const QStringList &uuids);
    void compareRequested(const QStringList &uuids);
    void labelsRequested(const QList<trainyard::JobSummary> &jobs, bool note);
    void starRequested(const QStringList &uuids, bool on);
    void archiveRequested(const QStringList &uuids, bool on);
    void removeRequested(const QStringList &uuids, int kept = 0); // `kept`: how many with a star stay
    void exportRequested(); // of the rows that are shown
    void arranged(); // filter, columns, sorting or the folding are others now

private:
    FilterWords words() const;
    void makeActions(PageHead *head);
    void updateActions();
    void updateCount();
    enum class Fit { Exact, Grow };
    void fitColumns(Fit fit = Fit::Exact);
    void fillColumns(QMenu *menu);
    QStringList knownResults(const QStringList &names) const;
    void addColumnGroup(QMenu *menu, const QString &title, const QString &kind, const QStringList &names);
    void placeTags(const QList<JobSummary> &jobs);
    void switchColumn(const QString &key, bool on);
    void showMenu(const QPoint &at);
    void showFolding();
    void starClicked(const QModelIndex &at);
    QStringList selectedUuids(bool (*wanted)(const JobSummary &job)) const;

    JobsTableModel *m_model;
    JobsTableView *m_view;
    OwnWidths *m_widths;
    FilterField *m_filter;
    PageHead *m_head;
    QLabel *m_count;
    EmptyState *m_empty;
    InfoBar *m_undo;
    QList<QPushButton *> m_buttons; // for the selection
    QPushButton *m_stop = nullptr;
    QPushButton *m_retry = nullptr;
    QPushButton *m_compare = nullptr;
    QPushButton *m_remove = nullptr;
    bool m_isLoading = false;
    bool m_areColumnsChosen = false;
    QToolButton *m_fold;
};

} // namespace trainyard
