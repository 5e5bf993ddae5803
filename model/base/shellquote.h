// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard
{

// Quotes one word for a POSIX shell: in single quotes unless it needs none. It is the only such function of the
// project.
QByteArray shellQuote(const QByteArray &text);
QString shellWord(const QString &text); // the same of text

} // namespace trainyard
