// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QCryptographicHash>
#include <QString>

namespace trainyard
{

// The beginning of the SHA-256 of `bytes`, as 16 hexadecimal digits: for names of files and labels that stand for
// contents. It tells apart what differs by accident, and does not protect against two that were made to agree.
inline QString shortDigest(QByteArrayView bytes)
{
    constexpr qsizetype digits = 16;
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().first(digits));
}

} // namespace trainyard
