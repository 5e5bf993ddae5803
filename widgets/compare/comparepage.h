// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"

#include <QWidget>

class QAction;
class QComboBox;
class QSlider;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace trainyard
{

class CompareCurves;
class CompareDetails;
class CompareHead;
class CompareTablePane;
class ParallelView;
class ScatterView;
class ViewSaving;

// Several runs compared: a table of what differs and of the results, two of them in detail, their curves, the results
// by a parameter, and parallel coordinates. It knows neither window nor engine: it emits requests, and data are set
// from outside.
class ComparePage : public QWidget
{
    Q_OBJECT
public:
    explicit ComparePage(QWidget *parent = nullptr);

    CompareRuns *runs() const { return m_runs; }
    CompareTablePane *table() const { return m_table; }
    CompareDetails *details() const { return m_details; }
    CompareCurves *curves() const { return m_curves; }
    ParallelView *parallel() const { return m_parallel; }
    ScatterView *scatter() const { return m_scatter; }
    void setHeading(const QString &text);
    QString heading() const;
    QList<QAction *> pageActions() const; // what can be done with it now
    QList<QAction *> exportActions() const; // what of it can be written to a file now
    QByteArray csv() const; // the table as it is shown
    QByteArray html(); // with the plots
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray &layout);

Q_SIGNALS:
    void outputsWanted(const QString &uuid); // answer with curves()->setOutputs()
    void openRequested(const QString &uuid);
    void starRequested(const QString &uuid, bool on);
    void stopRequested(const QStringList &uuids);
    void stopRestRequested(const QStringList &uuids); // that are not drawn
    void removeRequested(const QStringList &uuids); // from the comparison
    void bestAsNewRequested(const QString &uuid);
    void seedsRequested(const QString &uuid);
    void addRequested();
    void saveRequested(bool asHtml);
    void said(const QString &sentence);
    void saved(const QString &file);
    void edited(); // its layout is another now

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeRight();
    void shareWidth();
    QWidget *makeScatter();
    QString leftOutText() const;
    QWidget *makeParallel();
    QString scatterTitle() const;
    void offerPictures();
    void connectParts();
    void setCurrent(qsizetype run);
    void updateParameters();

    CompareRuns *m_runs;
    CompareHead *m_head;
    CompareTablePane *m_table;
    CompareDetails *m_details;
    CompareCurves *m_curves;
    ScatterView *m_scatter;
    ParallelView *m_parallel;
    QList<ViewSaving *> m_savings;
    QSplitter *m_across;
    QSplitter *m_leftParts;
    QSplitter *m_rightParts;
    QTabBar *m_tabs;
    QStackedWidget *m_stack;
    QComboBox *m_parameter;
    QSlider *m_bestOnly;
    bool m_isShareChosen = false; // how wide the table and the plots are
};

} // namespace trainyard
