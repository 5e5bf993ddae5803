// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"

namespace trainyard
{

QString textFromUtf8(QByteArrayView utf8)
{
    QString text = QString::fromUtf8(utf8);
    if (utf8.startsWith(QByteArrayView("\xEF\xBB\xBF"))) {
        text.prepend(QChar(0xFEFF));
    }
    return text;
}

} // namespace trainyard
