// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace trainyard
{

// The text of UTF-8 bytes, to the character. QString::fromUtf8() drops a byte order mark at the beginning, which in a
// value is a character like any other: use this function for every part of a document.
QString textFromUtf8(QByteArrayView utf8);
qsizetype byteOrderMarkLength(QByteArrayView utf8); // of such a mark at the beginning; 0: there is none

// Each of them in UTF-8, for what takes bytes of the standard library.
std::vector<std::string> utf8Of(const QStringList &texts);

} // namespace trainyard
