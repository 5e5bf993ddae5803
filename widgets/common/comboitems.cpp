// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/comboitems.h"

#include "widgets/common/labels.h"

#include <QComboBox>

namespace trainyard
{

void setComboItems(QComboBox *box, const QStringList &words)
{
    QStringList offered;
    for (int i = 0; i < box->count(); ++i) {
        offered.append(box->itemData(i).toString());
    }
    if (offered == words) {
        return;
    }
    box->clear();
    for (const QString &word : words) {
        box->addItem(plainCaption(word), word);
    }
}

} // namespace trainyard
