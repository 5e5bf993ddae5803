// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/taskoutline.h"

namespace trainyard
{

void countState(TaskCounts &counts, State state, int more)
{
    switch (state) {
    case State::Succeeded:
        counts.succeeded += more;
        break;
    case State::Failed:
        counts.failed += more;
        break;
    case State::Stopped:
        counts.stopped += more;
        break;
    case State::Waiting:
    case State::Unknown:
        counts.waiting += more;
        break;
    case State::Running:
    case State::Stopping:
        counts.running += more;
        break;
    }
}

} // namespace trainyard
