// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/logcontroller.h"

#include "app/gui/controllers/runtabs.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "engine/client/metricpatterns.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logrulesdialog.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/metricpatternsdialog.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/texts.h"

#include <utility>

namespace trainyard
{
namespace
{
Settings engineSettings() { return Settings(paths::configFolder() + QStringLiteral("/engine.json")); }
} // namespace

LogController::LogController(
    Workbench *workbench, ActionRegistry *actions, EngineClient *client, RunTabs *runs, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_settings(settings), m_runs(runs)
{
    if (const auto rules = settings->logRules()) {
        m_rules = LogRules::fromJson(*rules);
    }
    actions->add(
        {"logRules", {}, tr("Colours of &log lines…"), tr("Choose which lines of logs are errors, warnings and so on")},
        this, [this] { editRules(currentLog()); });
    actions->add({"metricPatterns", {}, tr("Own &metrics…"),
                     tr("Name metrics that are not recognized in the output, and how to find them")},
        this, [this] { editPatterns(currentLog()); });
    connect(runs, &RunTabs::opened, this, &LogController::prepare);
}

LogSourceFactory LogController::currentLog() const
{
    const RunTab *tab = m_runs->current();
    return tab ? tab->run()->logPane()->shownSource() : LogSourceFactory();
}

void LogController::sharePinned(CurvesView *curves)
{
    m_curves.append(curves);
    connect(curves, &QObject::destroyed, this, [this, curves] { m_curves.removeAll(curves); });
    curves->setPinned(m_settings->pinnedMetrics());
    connect(curves, &CurvesView::pinnedChanged, this, [this](const QStringList &names) {
        m_settings->setPinnedMetrics(names);
        for (CurvesView *each : std::as_const(m_curves)) {
            each->setPinned(names);
        }
    });
}

void LogController::prepare(RunTab *tab)
{
    RunPage *page = tab->run();
    const LogPane *log = page->logPane();
    m_pages.append(page);
    connect(page, &QObject::destroyed, this, [this, page] { m_pages.removeAll(page); });
    page->setMetricPatterns(MetricPatterns::of(engineSettings()));
    log->view()->setRules(m_rules);
    log->view()->setNumbered(m_settings->numbersLogs());
    connect(log->view(), &LogView::numberedChanged, this, [this](bool on) {
        m_settings->setNumbersLogs(on);
        for (const RunPage *each : std::as_const(m_pages)) {
            each->logPane()->view()->setNumbered(on);
        }
    });
    sharePinned(page->curves());
    page->curves()->offerPatterns();
    connect(page->curves(), &CurvesView::patternsRequested, this, [this, log] { editPatterns(log->shownSource()); });
    connect(log, &LogPane::rulesRequested, this, [this, log] { editRules(log->shownSource()); });
    connect(log, &LogPane::patternsRequested, this, [this, log] { editPatterns(log->shownSource()); });
}

void LogController::editRules(const LogSourceFactory &preview)
{
    auto *dialog = new LogRulesDialog(m_rules, preview, m_workbench->window());
    connect(dialog, &LogRulesDialog::chosen, this, [this](const LogRules &rules) {
        m_rules = rules;
        if (rules == LogRules()) {
            m_settings->setLogRules(std::nullopt); // a later version may have better ones
        } else {
            m_settings->setLogRules(rules.toJson());
        }
        for (const RunPage *page : std::as_const(m_pages)) {
            page->logPane()->view()->setRules(rules);
        }
    });
    dialog->open();
}

void LogController::editPatterns(const LogSourceFactory &log)
{
    auto *dialog
        = new MetricPatternsDialog(engineSettings().texts(MetricPatterns::settingsPrefix), log, m_workbench->window());
    connect(dialog, &MetricPatternsDialog::chosen, this, &LogController::savePatterns);
    dialog->open();
}

// The engine alone writes its settings, those that are gone as well.
void LogController::savePatterns(const QMap<QString, QString> &expressions)
{
    const QMap<QString, QString> before = engineSettings().texts(MetricPatterns::settingsPrefix);
    const auto set = [this](const QString &name, const QJsonValue &value) {
        m_client->call<api::SetSetting>(
            {MetricPatterns::settingsPrefix + name, value}, this, [this](const Result<bool> &done) {
                if (!done) {
                    m_workbench->sayOf(m_workbench->front(), errorText(done.error()));
                }
            });
    };
    for (auto each = before.cbegin(); each != before.cend(); ++each) {
        if (!expressions.contains(each.key())) {
            set(each.key(), QJsonValue());
        }
    }
    for (auto each = expressions.cbegin(); each != expressions.cend(); ++each) {
        if (before.value(each.key()) != each.value()) {
            set(each.key(), each.value());
        }
    }
    for (RunPage *page : std::as_const(m_pages)) {
        page->setMetricPatterns(MetricPatterns(expressions));
    }
}

} // namespace trainyard
