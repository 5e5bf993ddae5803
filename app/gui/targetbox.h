// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QComboBox>

namespace trainyard
{

class GuiSettings;

// Where Run puts the job: any host, this computer, one of the others. Remembers what was chosen.
class TargetBox : public QComboBox
{
    Q_OBJECT
public:
    explicit TargetBox(GuiSettings *settings, QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts);
    QString target() const; // id of a host, or "any"

private:
    GuiSettings *m_settings;
};

} // namespace trainyard
