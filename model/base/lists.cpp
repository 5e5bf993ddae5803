// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/lists.h"

template class QList<QString>;
template class QList<QByteArray>;
template class QList<int>;
template class QList<qint64>;
template class QList<std::pair<QString, QString>>;
