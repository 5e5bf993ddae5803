// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/foreigncontroller.h"

#include "app/gui/pages/foreigntab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "engine/client/paths.h"
#include "engine/foreign/foreignruns.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>

namespace trainyard
{

ForeignController::ForeignController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, JobsPane *jobs)
    : QObject(workbench->window()), m_workbench(workbench), m_jobs(jobs),
      m_runs(new ForeignRuns(
          paths::stateFolder() + QStringLiteral("/files.json"), paths::stateFolder() + QStringLiteral("/files"), this))
{
    pages->add(ForeignTab::kind,
        [this](const SessionTab &place) -> Page * { return place.uuid.isEmpty() ? nullptr : show(place.uuid); });
    actions->add({"openRuns", QStringLiteral("folder"), tr("Open runs from &files…"),
                     tr("Show the runs in a folder of TensorBoard, W&B, MLflow or other files, read-only")},
        this, [this] { askForFolder(); });
    follow();
    m_runs->restore();
}

QStringList ForeignController::patterns()
{
    return {QStringLiteral("*tfevents*"), QStringLiteral("*.wandb"), QStringLiteral("*.csv"), QStringLiteral("*.tsv"),
        QStringLiteral("*.jsonl"), QStringLiteral("*.ndjson"), QStringLiteral("*.db"),
        QStringLiteral("trainer_state.json"), QStringLiteral("metrics.json")};
}

QStringList ForeignController::take(const QStringList &paths)
{
    const QStringList names = patterns();
    QStringList runs;
    QStringList others;
    for (const QString &path : paths) {
        const QFileInfo info(path);
        const bool isRun
            = info.isDir() || (info.isFile() && (QDir::match(names, info.fileName()) || isUnnamedMetric(path)));
        (isRun ? runs : others).append(path);
    }
    if (!runs.isEmpty()) {
        open(runs);
    }
    return others;
}

void ForeignController::open(const QStringList &paths)
{
    for (const QString &path : paths) {
        m_wanted.insert(QFileInfo(path).absoluteFilePath());
    }
    m_runs->open(paths);
}

void ForeignController::askForFolder()
{
    QFileDialog *dialog = makeFileDialog(m_workbench->window(), tr("Folder with the files of runs"), beginFolder(), {});
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) { open({folder}); });
    dialog->open();
}

void ForeignController::nameByJobs(EngineClient *client)
{
    const auto name = [this, client] {
        m_runs->setJobNames([client](const QString &uuid) {
            const std::optional<JobSummary> job = client->job(uuid);
            return job ? tr("%1 #%2").arg(job->name, QString::number(job->id)) : QString();
        });
    };
    connect(client, &EngineClient::reset, this, name);
    name();
}

void ForeignController::follow()
{
    connect(
        m_runs, &ForeignRuns::changed, this, [this](const ForeignRun &run) { m_jobs->model()->apply(run.summary); });
    // The list of the engine's jobs was put in its place.
    connect(m_jobs->model(), &QAbstractItemModel::modelReset, this, [this] {
        const QList<ForeignRun> runs = m_runs->runs();
        for (const ForeignRun &run : runs) {
            m_jobs->model()->apply(run.summary);
        }
    });
    connect(m_runs, &ForeignRuns::removed, this, [this](const QString &uuid) {
        m_jobs->model()->remove(uuid);
        const QList<Page *> pages = m_workbench->pages();
        for (Page *page : pages) {
            if (page->jobUuid() == uuid) {
                m_workbench->close(page);
            }
        }
    });
    connect(m_runs, &ForeignRuns::failed, this, [this](const Error &error) { m_workbench->say(errorText(error)); });
    connect(m_runs, &ForeignRuns::opened, this,
        [this](const QString &path, const QString &first, int count, const QList<ForeignNote> &notes) {
            if (!m_wanted.remove(path)) {
                return;
            }
            if (count > 0) {
                show(first)->focus();
                if (count > 1) {
                    m_workbench->say(tr("%n run(s) of %1 are in the list of jobs.", nullptr, count).arg(path), false);
                    m_workbench->windowBar()->goSoon();
                }
            } else if (!notes.isEmpty()) {
                m_workbench->say(errorText(Error{notes.constFirst().code, notes.constFirst().args}));
            } else {
                m_workbench->say(tr("%1 has no files of metrics.").arg(path));
            }
        });
    connect(m_jobs, &JobsPane::openRequested, this, [this](const QString &uuid) {
        if (isForeign(uuid)) {
            show(uuid);
        }
    });
    connect(m_jobs, &JobsPane::forgetRequested, this, &ForeignController::forget);
}

// It takes the place of the notice that the runs are in the list, and several in a row come back together.
void ForeignController::forget(const QString &uuid)
{
    const std::optional<ForeignRun> run = m_runs->run(uuid);
    if (!run) {
        return;
    }
    const QString topic = QStringLiteral("forgottenRuns");
    InfoBar *bar = m_workbench->windowBar();
    if (bar->isHidden() || !bar->isOf(topic)) {
        m_undoable.clear();
    }
    m_undoable.append(uuid);
    m_runs->forget(uuid);
    m_workbench->say(m_undoable.size() > 1
            ? tr("%n runs were removed from the list. Their files stay as they are.", nullptr, int(m_undoable.size()))
            : tr("%1 was removed from the list. Its files stay as they are.").arg(run->summary.name),
        false);
    bar->setTopic(topic);
    QPushButton *undo = bar->addAction(tr("Undo"));
    undo->setObjectName(QStringLiteral("foreignUndo"));
    connect(undo, &QPushButton::clicked, this, [this, bar, runs = m_undoable] {
        for (const QString &each : runs) {
            m_runs->bringBack(each);
        }
        bar->hide();
    });
}

Page *ForeignController::show(const QString &uuid)
{
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        if (page->jobUuid() == uuid) {
            m_workbench->show(page);
            return page;
        }
    }
    auto *tab = new ForeignTab(m_runs, uuid);
    connect(tab, &ForeignTab::forgetRequested, this, &ForeignController::forget);
    Q_EMIT shown(tab);
    m_workbench->add(tab);
    return tab;
}

} // namespace trainyard
