// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// When lines of a log were written, as text before them: "2026-03-31T14:05:00.123", in the local time. Dashes: it is
// not known.
class LineTimes
{
public:
    QByteArray text(qint64 timeNs); // UTC

private:
    qint64 m_second = -1; // whose text m_text is
    QByteArray m_text;
};

} // namespace trainyard
