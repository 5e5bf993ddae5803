// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <optional>

namespace trainyard::cli
{

// How much of outputs is read, for a command that reads them in one go.
class ReadProgress
{
public:
    // `total` is in bytes; 0: it is not known. `printsValues`: each value is printed as it is found, and where that is
    // on a terminal, it says enough.
    ReadProgress(qint64 total, bool printsValues);
    void setRead(qint64 bytes);
    void hide(); // something else is written now

private:
    qint64 m_total;
    std::optional<Progress> m_progress;
};

} // namespace trainyard::cli
