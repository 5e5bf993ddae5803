// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard
{

class EngineClient;
class TargetBox;

// The clusters that Run may hand a job to. Who adds or removes one does it in the settings or on a terminal, so they
// are asked for again before they are shown.
class ClusterController : public QObject
{
    Q_OBJECT
public:
    ClusterController(EngineClient *client, TargetBox *target, QObject *parent);

private:
    void ask();

    EngineClient *m_client;
    TargetBox *m_target;
};

} // namespace trainyard
