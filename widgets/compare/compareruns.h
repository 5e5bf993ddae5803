// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"
#include "engine/api/compare/comparemetrics.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <optional>

class QTimer;

namespace trainyard
{

// The runs of a comparison and what its parts share: which metric ranks them, which are drawn with which look, which
// are let through by the brushes. The parts read it and are informed of changes. Large because all parts of the page
// share it: most methods are a query or a choice. GUI thread only.
class CompareRuns : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype mostDrawn = 50;

    explicit CompareRuns(QObject *parent = nullptr);

    void setGroup(const QString &group) { m_group = group; } // whose name is the heading; before setJobs()
    // The data of runs that remain are kept. Until the user chooses, the present best runs are drawn.
    void setJobs(const QList<JobSummary> &jobs);
    void apply(const JobSummary &job); // one of them is another now; others are left alone
    void setText(const QString &uuid, const QByteArray &yaml);
    void setEnvironment(const QString &uuid, const QJsonObject &environment);

    const QList<CompareRun> &runs() const { return m_runs; }
    qsizetype indexOf(const QString &uuid) const { return m_places.value(uuid, -1); } // -1: none of them
    QStringList uuidsOf(const QList<qsizetype> &runs) const; // of their jobs
    QList<JobSummary> jobsOf(const QList<qsizetype> &runs) const;
    const CompareTable &table() const { return m_table; }

    const QStringList &metrics() const { return m_metrics; }
    const QString &metric() const { return m_metric; } // by which they are ranked; empty: there is none
    Better better() const { return m_better; }
    void setMetric(const QString &metric); // whether less is better then follows from its name
    void setBetter(Better better);
    std::optional<double> value(qsizetype run) const; // the best one of that metric
    // By which it is ranked; nothing for a run that has ended in NaN.
    std::optional<double> rankedValue(qsizetype run) const;
    qsizetype best() const; // -1: none has a value
    QList<qsizetype> ranking() const; // of those that are not hidden
    // By which a row is ranked; nothing where one of its runs has ended in NaN: the others say nothing about that one.
    std::optional<double> rankedMean(const QList<qsizetype> &row) const;
    QList<QList<qsizetype>> rankedRows() const; // those of rows(), the best first

    // Runs that a filter takes out are in no row, not drawn and not ranked. What the user has chosen to draw is drawn
    // again when it is back.
    void setHidden(const QSet<QString> &uuids);
    bool isHidden(qsizetype run) const { return m_hidden.contains(m_runs.at(run).job.uuid); }

    // Rows: each a run, or those that differ only in a seed.
    bool isFolded() const { return m_isFolded; }
    void setFolded(bool on);
    const QList<QList<qsizetype>> &rows() const { return m_rows; }
    qsizetype rowsWithHidden() const { return m_folds.size(); } // how many there are without the filter

    // Colour and dash (widgets/common/tokens.h); -1: not drawn, as are those that a brush keeps out. The runs of a row
    // are drawn together and look the same. One that is drawn again looks as it did before.
    int look(qsizetype run) const { return passes(run) ? lookOfFold(run) : -1; }
    QList<qsizetype> drawn() const; // in the order of the runs
    bool setDrawn(const QList<qsizetype> &runs, bool on); // false: there are too many
    // The uuids of those that the user has chosen to draw, hidden ones as well; nothing: the user has not chosen. For a
    // later start, which restores them: one that is not there yet is drawn when it comes.
    std::optional<QStringList> chosenDrawn() const;
    void restoreDrawn(const QStringList &uuids, const QStringList &asRows = {});
    // Those of them that stand for a row, which the user has drawn while seeds were folded. All of its runs are drawn
    // when they are rows of their own again.
    QStringList drawnAsRows() const;
    // The looks of those that are drawn, by uuid, for a later start: a run keeps its colour. Restored ones are kept
    // free for their runs, which may come in any order.
    QHash<QString, int> looks() const;
    void restoreLooks(const QHash<QString, int> &looks);
    // All jobs have come: the looks are given by the order of the jobs, not by the order in which they came.
    void settleLooks();
    // While it is on, only setDrawn() changes which are drawn: for a question about them.
    void holdDrawn(bool on);

    // Runs that a brush excludes are neither in the table nor drawn. They are still counted and ranked, because a brush
    // is moved over all of them. Nothing: all pass.
    void setBrush(const std::optional<QSet<qsizetype>> &passing);
    bool passes(qsizetype run) const { return !isHidden(run) && (!m_brush || m_brush->contains(run)); }

    // The runs of table rows without a tick, of which none is drawn. Excluded runs are not among them.
    QList<qsizetype> unticked() const;

    // The parameter that distinguishes the runs best: the one with the most values. The result is its position among
    // the facts that differ; -1: there is none.
    qsizetype mainParameter() const { return m_mainParameter; }

    // "#41", with its name where the runs have several; the name alone of a run of another program.
    QString label(qsizetype run) const;

Q_SIGNALS:
    void reset(); // other runs, rows, facts or metrics
    void valuesChanged(); // of the same rows and columns
    void drawnChanged();
    void brushChanged();

private:
    void compare();
    void makeRows();
    // All runs of the row of a run, hidden ones as well.
    const QList<qsizetype> &foldOf(qsizetype run) const { return m_folds.at(m_foldOf.at(run)); }
    int lookOfFold(qsizetype run) const; // -1: none of its runs has one
    void takeChanges();
    int freeLook(const QString &uuid) const;
    void draw(const QString &uuid) { m_looks.insert(uuid, freeLook(uuid)); }
    void rememberLook(const QString &uuid); // before it goes
    void rememberLooks();
    bool drawBest(); // true: others are drawn now
    bool drawAwaited(); // likewise
    void drawRowsAsRuns();
    void passOnLooks(const QList<JobSummary> &staying);
    void tellReset();

    QList<CompareRun> m_runs;
    QHash<QString, qsizetype> m_places;
    CompareTable m_table;
    QStringList m_metrics;
    QString m_metric;
    Better m_better = Better::Lower;
    bool m_isMetricChosen = false;
    bool m_isFolded = false;
    QString m_group;
    bool m_hasNames = false; // more than one
    qsizetype m_mainParameter = -1;
    QList<QList<qsizetype>> m_rows;
    QList<QList<qsizetype>> m_folds; // the same with hidden runs
    QList<qsizetype> m_foldOf; // of each run, its place among them
    QHash<QString, int> m_looks;
    QHash<QString, int> m_ownLooks; // by the order of the jobs, so that each start gives the same ones
    QHash<QString, int> m_keptLooks; // that were restored, until the user takes their run out
    QHash<QString, int> m_pastLooks, m_pastLooksOfFolds; // that they had when they were last drawn, as runs and as rows
    QSet<QString> m_hidden;
    QSet<QString> m_drawnAsRows; // runs that stand for the row that was drawn while it was folded
    bool m_isDrawnChosen = false;
    bool m_isDrawnHeld = false;
    QStringList m_awaitedDrawn; // restored ones that are not there yet
    std::optional<QSet<qsizetype>> m_brush;
    QTimer *m_timer;
    bool m_isOther = false; // more than values has changed since takeChanges()
};

// The look of a row: of the first of its runs that is drawn; -1: none is.
int lookOfRow(const CompareRuns &runs, const QList<qsizetype> &row);

// "lr 0.1, batch 64": a few of the parameters that distinguish it from the others; empty: none differs.
QString detailOfRun(const CompareRuns &runs, qsizetype run);

} // namespace trainyard
