// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/hostcleaning.h"

#include "app/gui/askbox.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/hosts/hostfilesview.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/text/hostfilestexts.h"
#include "widgets/text/texts.h"

#include <QCheckBox>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

namespace trainyard
{

HostCleaning::HostCleaning(Workbench *workbench, EngineClient *client)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client)
{
}

void HostCleaning::serve(HostsPage *page)
{
    connect(page, &HostsPage::filesWanted, this, [this, page](const HostInfo &host) { show(page, host); });
    connect(page, &HostsPage::cleanRequested, this, [this, page](const QString &id) { clean(page, id, false); });
    connect(page, &HostsPage::emptyRequested, this,
        [this, page](const HostInfo &host) { askToEmpty(page, host.id, host.label); });
}

void HostCleaning::show(HostsPage *page, const HostInfo &host)
{
    page->files()->setWaiting(tr("looking…"));
    m_client->call<api::GetHostFiles>(
        {host.id}, page, [page, id = host.id](const Result<api::HostFiles> &files) { page->setFiles(id, files); });
}

void HostCleaning::clean(HostsPage *page, const QString &id, bool everything)
{
    page->files()->setWaiting(tr("removing…"));
    m_client->call<api::CleanHost>(
        {id, everything, false}, page, [this, page, id](const Result<api::HostFiles> &files) {
            if (!files) {
                m_workbench->say(errorText(files.error()));
                page->askForFiles(); // as they are
            } else {
                page->setFiles(id, files);
            }
        });
}

void HostCleaning::askToEmpty(HostsPage *page, const QString &id, const QString &label)
{
    QMessageBox *box = makeAskBox(m_workbench->window(), tr("Remove everything of Trainyard from %1?").arg(label),
        tr("The folders of jobs that have ended are removed with all that the jobs wrote there, such as checkpoints. "
           "Logs and results that are on this computer stay. The helper is copied again when the host is used."),
        QMessageBox::Yes | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("hostEmptyBox"));
    box->button(QMessageBox::Yes)->setText(tr("Remove all"));
    openAskBox(box, page, [this, page, id] { clean(page, id, true); });
}

// Nothing can be seen or removed there now.
void HostCleaning::askUnseen(const QString &label, const std::function<void()> &remove)
{
    QMessageBox *box = makeAskBox(m_workbench->window(), tr("Remove %1 from the list?").arg(label),
        tr("What Trainyard has put there stays, because the host cannot be reached now. Its labels and limits are "
           "forgotten."),
        QMessageBox::Yes | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("hostRemoveBox"));
    box->button(QMessageBox::Yes)->setText(tr("Remove"));
    openAskBox(box, this, remove);
}

void HostCleaning::askBeforeRemoval(const HostInfo &host, const std::function<void()> &remove)
{
    const QString id = host.id, label = host.label;
    if (host.state != HostState::Online) {
        if (host.cpus == 0) { // it was never reached: nothing of it is lost
            remove();
        } else {
            askUnseen(label, remove);
        }
        return;
    }
    m_client->call<api::GetHostFiles>({id}, this, [this, id, label, remove](const Result<api::HostFiles> &files) {
        if (!files) {
            askUnseen(label, remove);
            return;
        }
        const QString staying = stayingText(*files);
        if (staying.isEmpty()) {
            remove();
            return;
        }
        QMessageBox *box = makeAskBox(m_workbench->window(), tr("Remove %1 from the list?").arg(label),
            tr("Trainyard has put files there: %1.").arg(staying), QMessageBox::Yes | QMessageBox::Cancel);
        box->setObjectName(QStringLiteral("hostRemoveBox"));
        box->button(QMessageBox::Yes)->setText(tr("Remove"));
        const bool hasJobs = files->jobs + files->leftJobs > 0;
        auto *also = new QCheckBox(hasJobs ? tr("Remove these files as well, with all that the jobs wrote there")
                                           : tr("Remove these files as well"));
        also->setObjectName(QStringLiteral("hostRemoveFiles"));
        also->setChecked(!hasJobs); // what a job wrote there may be nowhere else
        box->setCheckBox(also);
        openAskBox(box, this, [this, also, id, remove] {
            if (!also->isChecked()) {
                remove();
                return;
            }
            m_client->call<api::CleanHost>({id, true, false}, this, [this, remove](const Result<api::HostFiles> &left) {
                if (!left) {
                    m_workbench->say(errorText(left.error())); // the host stays: nothing was done
                    return;
                }
                if (const QString text = stayingText(*left); !text.isEmpty()) {
                    m_workbench->say(tr("This is still there: %1.").arg(text) + u' ' + helperStaysText(*left));
                }
                remove();
            });
        });
    });
}

} // namespace trainyard
