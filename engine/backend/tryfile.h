// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

class QFile;

namespace trainyard
{

// Opens a file of the folder of a try to read it, by its name. The task can have put anything there: nothing but a
// plain file is opened, and nothing is waited for.
bool openTryFile(QFile &file);

// The beginning or the end of such a file, and the number of lines before a position. Without a file, the results are
// empty.
QByteArray tryFileBegin(const QString &path, qint64 most);
QByteArray tryFileEnd(const QString &path, qint64 most);
qint64 tryFileLines(const QString &path, qint64 place);

} // namespace trainyard
