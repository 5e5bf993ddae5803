// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace trainyard::core
{

// Whether a line of a Python program, the source of a frame, opens a file to write it, or makes a folder or a file.
bool opensToWrite(QByteArrayView source);

// Whether a file of a stack frame belongs to a library that asks servers for something (HTTP, object stores, hubs).
bool isOfServerClient(const QString &file);

} // namespace trainyard::core
