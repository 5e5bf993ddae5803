// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/changedialog.h"

namespace trainyard
{

ChangeDialog::ChangeDialog(const QString &title, const QByteArray &before, const QByteArray &after, QWidget *parent)
    : DiffDialog({tr("Change the job"), title,
                     tr("The text of the run is on the left, the changed one on the right. Run submits the changed one "
                        "as a new job; \"Edit as new\" opens it as a new document. The run that failed stays as it "
                        "is.")},
        before, after, parent)
{
    setObjectName(QStringLiteral("changeDialog"));
    addAnswer(tr("Edit as new"), EditAsNew, false, "changeEdit");
    addAnswer(tr("Run"), Run, true, "changeRun");
}

} // namespace trainyard
