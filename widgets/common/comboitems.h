// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QComboBox;

namespace trainyard
{

// Offers these words, which are their own data. While they are the same, the list is left alone: the user may be
// choosing from it.
void setComboItems(QComboBox *box, const QStringList &words);

} // namespace trainyard
