// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

#include <QObject>

namespace trainyard
{

class ActionRegistry;
class ExportDialog;
class FileController;
class Workbench;
struct ExportPlace;

// The document in front as a text for another system: shown, copied and saved.
class ExportController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "export".
    ExportController(Workbench *workbench, ActionRegistry *actions, FileController *files);

private:
    void exportCurrent();
    void save(ExportDialog *dialog, const QString &path, const QByteArray &text);
    // Asks first whether what is there is replaced.
    void saveIn(ExportDialog *dialog, const ExportPlace &place, const Exported &exported, const ExportOptions &options);

    Workbench *m_workbench;
    FileController *m_files;
    ExportTarget m_last = ExportTarget::Bash;
};

} // namespace trainyard
