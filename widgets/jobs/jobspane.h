// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QModelIndex>
#include <QSet>
#include <QWidget>

class QTreeView;

namespace trainyard
{

class EmptyState;
class FilterField;
class InfoBar;
class JobsDrag;
class JobsFilter;
class JobsHead;
class JobsModel;
class KeptRows;
class SearchField;

// The list of jobs at the side: running ones, waiting ones with their reason, and ended ones. It emits the user's
// requests for one or several. The jobs of a sweep are one row, which opens their comparison and unfolds to them; a
// filter that leaves some of them unfolds it. Large because keys, mouse and menu act on the same rows.
class JobsPane : public QWidget
{
    Q_OBJECT
public:
    explicit JobsPane(QWidget *parent = nullptr);

    JobsModel *model() const { return m_model; }
    QTreeView *view() const { return m_view; }
    SearchField *filterField() const;
    InfoBar *undoBar() const { return m_undo; } // below the list
    void setHidden(const QSet<QString> &uuids); // that are being removed
    void setCurrentJob(const QString &uuid); // marks its row; empty: none
    void setCurrentGroup(const QString &name); // the same, the row of the jobs that were submitted together
    QString currentJob() const;
    void setTrouble(const QString &sentence); // why no jobs can be listed; empty: they can
    void setLoading(bool on); // whether there are any is not known yet
    // The masked YAML of a job for drags, when known.
    void setYaml(const QString &uuid, const QByteArray &yaml);

Q_SIGNALS:
    void openRequested(const QString &uuid, bool isLook = false); // a look: one click, which may be one of many
    void stopRequested(const QString &uuid);
    void stopSeveralRequested(const QStringList &uuids);
    void pauseRequested(const QString &uuid, bool on);
    void retryRequested(const QString &uuid, bool failedOnly); // one more attempt of a job that is over
    void moveRequested(const QString &uuid, const QString &before); // in the queue; `before` empty: to its end
    void runAgainRequested(const QString &uuid);
    void editAsNewRequested(const QString &uuid);
    void compareRequested(const QStringList &uuids);
    void compareGroupRequested(const QString &group);
    void openFolderRequested(const QString &uuid);
    void removeRequested(const QStringList &uuids, int kept = 0); // `kept`: how many with a star stay
    void forgetRequested(const QString &uuid); // a run of another program: only its row goes
    void labelsRequested(const QStringList &uuids, bool note); // their tags are edited, or the note
    void starRequested(const QStringList &uuids, bool on);
    void archiveRequested(const QStringList &uuids, bool on);
    void allJobsRequested(const QString &filter); // as a table
    void copyYamlRequested(const QString &uuid); // of what ran, secrets masked
    void yamlWanted(const QString &uuid); // answer with setYaml()
    void helloRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    static constexpr QKeyCombination moveUpKey = Qt::ALT | Qt::Key_Up; // in the queue
    static constexpr QKeyCombination moveDownKey = Qt::ALT | Qt::Key_Down;
    void updateCount();
    void describeEmpty();
    void showMenu(const QPoint &at);
    // `sweep`: they are the jobs of this row alone; not valid: of several rows.
    void showMenuOfSeveral(const QList<JobSummary> &jobs, const QPoint &at, const QModelIndex &sweep = {});
    void unfold();
    void unfoldRow(const QModelIndex &at, bool hasSomeMatches);
    void followKeys();
    void openClicked(const QModelIndex &at);
    void openRow(const QModelIndex &at);
    QModelIndex firstRow() const;
    void moveInQueue(const QModelIndex &at, int rows);
    QString m_moved; // a waiting job that was moved by keys
    QString m_marked; // the job of the page in front
    KeptRows *m_kept; // in the view
    QSet<QString> m_unfolded; // sweeps that the user has unfolded
    bool m_isUnfolding = false; // rows unfold without the user
    JobsHead *m_head;
    JobsModel *m_model;
    JobsFilter *m_filter;
    FilterField *m_filterField;
    QTreeView *m_view;
    EmptyState *m_empty;
    QString m_trouble;
    bool m_isLoading = false;
    EmptyState *m_noMatch; // the filter leaves nothing
    InfoBar *m_undo;
    JobsDrag *m_drag = nullptr;
    QPoint m_pressed;
    Qt::KeyboardModifiers m_pressedWith;
};

} // namespace trainyard
