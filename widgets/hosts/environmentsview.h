// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hostenvironments.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace trainyard
{

// The environments and modules that tasks could use on a host, each with a button that copies what a job has to say
// for it. Hidden while none is known.
class EnvironmentsView : public QWidget
{
    Q_OBJECT
public:
    explicit EnvironmentsView(QWidget *parent = nullptr);
    void setEnvironments(const api::HostEnvironments &found);
    void clear();

private:
    void addRow(int row, const QString &name, const QString &what, const QString &command);

    QGridLayout *m_grid;
    QLabel *m_note;
};

} // namespace trainyard
