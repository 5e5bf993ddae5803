// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"
#include "widgets/hosts/clusterlist.h"

class QLabel;
class QPushButton;
class QTimer;

namespace trainyard
{

class EmptyState;
class PageHead;
class StepList;

// One cluster: what is set for it, what a check has found, step by step, and what can be done with it.
class ClusterView : public Ground
{
    Q_OBJECT
public:
    explicit ClusterView();
    void setCluster(const ShownCluster &cluster);

Q_SIGNALS:
    void checkRequested(const QString &id);
    void changeRequested(const QString &id);
    void removeRequested(const QString &id);
    void jobsRequested(const QString &id); // that the cluster has of its user

private:
    void showSteps();
    void showAge();

    ShownCluster m_shown;
    PageHead *m_head;
    ColourLabel *m_state;
    QPushButton *m_copy, *m_jobs, *m_remove, *m_change, *m_check;
    ColourLabel *m_trouble;
    QLabel *m_optionsCaption, *m_folderCaption, *m_modulesCaption;
    QLabel *m_options, *m_folder, *m_modules;
    ColourLabel *m_seen;
    QTimer *m_aging;
    StepList *m_steps;
    EmptyState *m_unchecked;
};

} // namespace trainyard
