// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/taskbringing.h"

#include "engine/api/tasklabel.h"
#include "engine/client/engineclient.h"
#include "widgets/tasks/bringdialog.h"
#include "widgets/text/texts.h"

namespace trainyard
{

TaskBringing::TaskBringing(EngineClient &client, const TaskPull::Wanted &wanted, const QString &host, QWidget *parent)
    : QObject(parent), m_client(client), m_wanted(wanted),
      m_dialog(new BringDialog(taskLabel(wanted.role, wanted.index), host, wanted.to, parent))
{
    connect(m_dialog, &BringDialog::lookWanted, this, &TaskBringing::look);
    connect(m_dialog, &BringDialog::bringWanted, this, [this] {
        if (m_pull) {
            m_pull->bring();
        }
    });
    connect(m_dialog, &BringDialog::cancelled, this, &TaskBringing::retire);
    connect(m_dialog, &QObject::destroyed, this, &QObject::deleteLater);
    m_dialog->open();
}

TaskBringing::~TaskBringing() { retire(); }

void TaskBringing::retire()
{
    if (m_pull) {
        m_pull->disconnect(this);
        m_pull->retire(); // it goes when the disk lets it
        m_pull.clear();
    }
}

void TaskBringing::look(const QString &folder)
{
    retire();
    TaskPull::Wanted wanted = m_wanted;
    wanted.isOurs = m_wanted.isOurs && folder == m_wanted.to;
    wanted.to = folder;
    m_pull = new TaskPull(m_client, wanted, &m_client);
    connect(m_pull, &TaskPull::looked, this, [this] {
        QStringList notes;
        const api::TaskFileList &found = m_pull->found();
        if (found.links > 0) {
            notes.append(reasonText(QStringLiteral("results.links"), {{QStringLiteral("files"), found.links}}));
        }
        if (found.others > 0) {
            notes.append(reasonText(QStringLiteral("results.special"), {{QStringLiteral("files"), found.others}}));
        }
        if (found.oddNames > 0) {
            notes.append(reasonText(QStringLiteral("results.odd-names"), {{QStringLiteral("files"), found.oddNames}}));
        }
        if (const std::optional<Error> unreadable = m_pull->unreadable()) {
            notes.append(errorText(*unreadable));
        }
        if (!found.isWhole) {
            notes.append(tr("There are more files than can be listed; choose fewer."));
        }
        m_dialog->setPreview(m_pull->plan().files.size(), m_pull->plan().bytes, m_pull->alreadyHere(), notes);
    });
    connect(m_pull, &TaskPull::progressed, this,
        [this] { m_dialog->setProgress(m_pull->filesDone(), m_pull->bytesDone(), m_pull->current()); });
    connect(m_pull, &TaskPull::brought, this, [this](const QString &path, const QString &name, bool isBeside) {
        if (isBeside) {
            m_dialog->addRemark(tr("%1 is there already, as something else: what came is %2.").arg(path, name));
        }
    });
    connect(m_pull, &TaskPull::kept, this, [this](const QString &path, const QString &name) {
        m_dialog->addRemark(reasonText(
            QStringLiteral("results.kept"), {{QStringLiteral("path"), path}, {QStringLiteral("names"), name}}));
    });
    connect(m_pull, &TaskPull::leftOut, this, [this](const Error &why) { m_dialog->addRemark(errorText(why)); });
    connect(m_pull, &TaskPull::ended, this, [this](const Error &why) {
        m_dialog->setEnded(m_pull->filesDone(), why.code.isEmpty() ? QString() : errorText(why));
        retire();
    });
    m_pull->look();
}

} // namespace trainyard
