// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/diffdialog.h"

namespace trainyard
{

// Shows the effect of a change on the text of a job, before it becomes a new document or a new run. finished() says
// which.
class ChangeDialog : public DiffDialog
{
    Q_OBJECT
public:
    enum Answer { Nothing = Rejected, EditAsNew = Accepted, Run };
    ChangeDialog(const QString &title, const QByteArray &before, const QByteArray &after, QWidget *parent = nullptr);
};

} // namespace trainyard
