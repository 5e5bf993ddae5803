// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

// The lists that nearly every file uses are compiled once, in lists.cpp. Without this, each file compiles its own copy
// and the linker throws all but one away, which costs a tenth of a whole build. The header is part of the precompiled
// headers; compiling a file without it only takes longer.
extern template class QList<QString>;
extern template class QList<QByteArray>;
extern template class QList<int>;
extern template class QList<qint64>;
extern template class QList<std::pair<QString, QString>>;
