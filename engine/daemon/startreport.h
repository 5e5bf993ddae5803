// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Reports how the start of a daemon ended: the process that the user started waits until the daemon process serves or
// has failed, and ends with its sentence and its exit status.
class StartReport
{
public:
    // Gives a process away from the terminal, the session, the folder and the descriptors of the caller, and returns in
    // it alone. The caller's process ends here: with 0 when the daemon serves, else with its sentence on stderr.
    // `onSilence`: status and sentence when the daemon ends without a report.
    void becomeDaemon(int onSilenceStatus, const QString &onSilence);
    // Reports once; no process waits for later reports. Without becomeDaemon() nothing happens.
    void tell(int status, const QString &sentence = {});

private:
    int m_pipe = -1;
};

} // namespace trainyard
