// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/joblabelcontroller.h"

#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "widgets/jobs/filtercompletion.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/text/texts.h"

namespace trainyard
{

JobLabelController::JobLabelController(Workbench *workbench, EngineClient *client, QObject *parent)
    : QObject(parent), m_workbench(workbench), m_client(client)
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
    change(wanted);
}

void JobLabelController::change(const api::LabelChange &change)
{
    m_client->call<api::SetLabels>(change, this, [this](const Result<bool> &done) {
        if (!done) {
            m_workbench->say(errorText(done.error()));
        }
    });
}

} // namespace trainyard
