// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QElapsedTimer>

#include <optional>

namespace trainyard::cli
{

// Where no line can be drawn again and again: whether the next line about it is due, after so many.
bool isLineDue(qint64 elapsedMs, int lines);

// How much of outputs is read, for a command that reads them in one go. Where standard error is not a terminal, a line
// of it says so after some seconds and then twice a minute.
class ReadProgress
{
public:
    // `total` is in bytes; 0: it is not known. `printsValues`: each value is printed as it is found, and where that is
    // on a terminal, it says enough.
    ReadProgress(qint64 total, bool printsValues);
    void setRead(qint64 bytes);
    void hide(); // something else is written now

private:
    QString textOf(qint64 bytes) const;

    qint64 m_total;
    std::optional<Progress> m_progress;
    QElapsedTimer m_since; // valid: lines are written
    int m_lines = 0;
};

} // namespace trainyard::cli
