// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

class QWidget;

namespace trainyard
{

// Drags a job out of the window as a file (and as text). `yaml` must be masked already. The file lies in a folder that
// goes away with the program. Returns when the drag is over.
void dragYaml(QWidget *source, const QByteArray &yaml, const QString &fileName);

} // namespace trainyard
