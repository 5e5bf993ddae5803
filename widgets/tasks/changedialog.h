// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDialog>

namespace trainyard
{

// Shows what a change does to the text of a job before a new document is made of it.
class ChangeDialog : public QDialog
{
    Q_OBJECT
public:
    ChangeDialog(const QString &title, const QByteArray &before, const QByteArray &after, QWidget *parent = nullptr);
};

} // namespace trainyard
