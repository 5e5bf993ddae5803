// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"

namespace trainyard
{

qsizetype byteOrderMarkLength(QByteArrayView utf8)
{
    constexpr QByteArrayView mark("\xEF\xBB\xBF");
    return utf8.startsWith(mark) ? mark.size() : 0;
}

QString textFromUtf8(QByteArrayView utf8)
{
    QString text = QString::fromUtf8(utf8);
    if (byteOrderMarkLength(utf8) > 0) {
        text.prepend(QChar(0xFEFF));
    }
    return text;
}

std::vector<std::string> utf8Of(const QStringList &texts)
{
    std::vector<std::string> all;
    all.reserve(std::size_t(texts.size()));
    for (const QString &text : texts) {
        all.push_back(text.toStdString());
    }
    return all;
}

} // namespace trainyard
