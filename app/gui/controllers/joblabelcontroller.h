// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

#include <QObject>

#include <functional>

namespace trainyard
{

class EngineClient;
class UndoBars;
class Workbench;

// The user's labels of jobs, for all lists: tags, notes, stars, the archive.
class JobLabelController : public QObject
{
    Q_OBJECT
public:
    JobLabelController(Workbench *workbench, EngineClient *client, UndoBars *undo, QObject *parent);

    void edit(const QList<JobSummary> &jobs, bool note); // asks for their tags, or begins with the note
    void star(const QStringList &uuids, bool on);
    void archive(const QStringList &uuids, bool on);

private:
    void change(const api::LabelChange &change, const std::function<void()> &then = {}); // when it is done
    void sayArchived(const QStringList &uuids); // and offers to take it back

    Workbench *m_workbench;
    EngineClient *m_client;
    UndoBars *m_undo;
    int m_archivings = 0;
};

} // namespace trainyard
