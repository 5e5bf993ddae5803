// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/joblabelcontroller.h"

#include "app/gui/controllers/undobars.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "widgets/jobs/filtercompletion.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/text/texts.h"

#include <QTimer>

#include <chrono>

namespace trainyard
{
namespace
{
constexpr std::chrono::seconds archiveGrace{30}; // as long as deleted jobs can be had back
} // namespace

JobLabelController::JobLabelController(Workbench *workbench, EngineClient *client, UndoBars *undo, QObject *parent)
    : QObject(parent), m_workbench(workbench), m_client(client), m_undo(undo)
{
}

void JobLabelController::edit(const QList<JobSummary> &jobs, bool note)
{
    if (jobs.isEmpty()) {
        return;
    }
    auto *dialog = new LabelsDialog(jobs, filterWords(m_client->jobs()).tags,
        note ? LabelsDialog::Begin::Note : LabelsDialog::Begin::Tags, m_workbench->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { change(dialog->change()); });
    dialog->open();
}

void JobLabelController::star(const QStringList &uuids, bool on)
{
    api::LabelChange wanted;
    wanted.ids = uuids;
    wanted.starred = on;
    change(wanted);
}

void JobLabelController::archive(const QStringList &uuids, bool on)
{
    api::LabelChange wanted;
    wanted.ids = uuids;
    wanted.archived = on;
    change(wanted, [this, uuids, on] {
        if (on) { // it is in no list now
            sayArchived(uuids);
        }
    });
}

void JobLabelController::sayArchived(const QStringList &uuids)
{
    const QString topic = QStringLiteral("archived-%1").arg(++m_archivings);
    m_undo->put({topic, tr("%n job(s) archived.", nullptr, int(uuids.size())), [this, uuids] { archive(uuids, false); },
        QStringLiteral("undoArchive"), true});
    QTimer::singleShot(archiveGrace, this, [this, topic] { m_undo->drop(topic); });
}

void JobLabelController::change(const api::LabelChange &change, const std::function<void()> &then)
{
    m_client->call<api::SetLabels>(change, this, [this, then](const Result<bool> &done) {
        if (!done) {
            m_workbench->say(errorText(done.error()));
        } else if (then) {
            then();
        }
    });
}

} // namespace trainyard
