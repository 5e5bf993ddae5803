// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/joblabelcontroller.h"

#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "widgets/common/infobar.h"
#include "widgets/jobs/filtercompletion.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/text/texts.h"

#include <QPushButton>

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
    change(wanted, [this, uuids, on] {
        if (on) { // it is in no list now
            sayArchived(uuids);
        }
    });
}

void JobLabelController::sayArchived(const QStringList &uuids)
{
    m_workbench->say(tr("%n job(s) archived.", nullptr, int(uuids.size())), false);
    InfoBar *bar = m_workbench->windowBar();
    QPushButton *undo = bar->addAction(tr("Undo"));
    undo->setObjectName(QStringLiteral("undoArchive"));
    connect(undo, &QPushButton::clicked, this, [this, bar, uuids] {
        bar->hide();
        archive(uuids, false);
    });
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
