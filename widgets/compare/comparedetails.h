// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QStackedWidget;
class QTabBar;
class QTreeWidget;

namespace trainyard
{

class DiffView;
class EmptyState;
class RunPick;

// Two runs of a comparison beside each other: their texts, their settings, and what else was different when they ran.
class CompareDetails : public QWidget
{
    Q_OBJECT
public:
    enum Tab { TextTab, SettingsTab, ElseTab };
    explicit CompareDetails(CompareRuns *runs, QWidget *parent = nullptr);

    void setOther(qsizetype run); // the one that is compared with the best, or with the one chosen by hand
    void showTab(Tab tab);
    void showAll(); // settings that are the same in all runs, too
    DiffView *diff() const { return m_diff; }
    QTreeWidget *settings() const { return m_settings; }
    QTreeWidget *surroundings() const { return m_else; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void fillPicks();
    QList<qsizetype> bestTwo() const; // with which it begins
    void followBest();
    void update();
    void fillFacts(QTreeWidget *facts, const QList<CompareFact::Kind> &kinds, qsizetype first, qsizetype second);
    void addTimes(qsizetype first, qsizetype second);
    QStringList unknownOf(qsizetype first, qsizetype second) const;
    void updateUnknown();
    qsizetype picked(const RunPick *pick) const;
    void pick(RunPick *pick, qsizetype run);

    CompareRuns *m_runs;
    QTabBar *m_tabs;
    RunPick *m_first;
    RunPick *m_second;
    QList<QLabel *> m_signs; // before each of them
    QCheckBox *m_all;
    QStackedWidget *m_stack;
    DiffView *m_diff;
    EmptyState *m_empty;
    QTreeWidget *m_settings;
    QTreeWidget *m_else;
    QStringList m_unknownTold;
    bool m_isFirstChosen = false;
    bool m_isSecondChosen = false;
};

} // namespace trainyard
