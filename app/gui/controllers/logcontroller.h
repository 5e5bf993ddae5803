// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logrules.h"
#include "widgets/log/logsource.h"

#include <QMap>
#include <QObject>

namespace trainyard
{

class ActionRegistry;
class CurvesView;
class EngineClient;
class GuiSettings;
class RunPage;
class RunTab;
class RunTabs;
class Workbench;

// The settings shared by all logs of the window: the rules of their colours, whether their lines have numbers, and the
// metrics that the user has named.
class LogController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "logRules" and "metricPatterns".
    LogController(
        Workbench *workbench, ActionRegistry *actions, EngineClient *client, RunTabs *runs, GuiSettings *settings);

    // The metrics that the user pins there are pinned everywhere, in runs of other programs too.
    void sharePinned(CurvesView *curves);

private:
    void prepare(RunTab *tab);
    void editRules(const LogSourceFactory &preview);
    void editPatterns(const LogSourceFactory &log);
    void savePatterns(const QMap<QString, QString> &expressions);
    LogSourceFactory currentLog() const; // of the run in front
    Workbench *m_workbench;
    EngineClient *m_client;
    GuiSettings *m_settings;
    RunTabs *m_runs;
    QList<RunPage *> m_pages; // of the runs that are open
    QList<CurvesView *> m_curves; // that share what is pinned
    LogRules m_rules;
};

} // namespace trainyard
