// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace trainyard
{

// The line at the head of every exported text that says of which job it is, by which it is known again.
QString exportMark(const QString &job, qint64 tasks);

struct MarkedExport {
    QString job;
    ByteRange at; // of the line, which may have become several
};
// Nothing: the text is not an export.
std::optional<MarkedExport> markedExport(const QByteArray &text);

} // namespace trainyard
