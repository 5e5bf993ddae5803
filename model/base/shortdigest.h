// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QCryptographicHash>
#include <QString>

namespace trainyard
{

// The beginning of the SHA-256 of `bytes`, as 16 hexadecimal digits: for names of files and labels that represent
// contents. It distinguishes contents that differ by accident, and does not protect against collisions made on purpose.
inline QString shortDigest(QByteArrayView bytes)
{
    constexpr qsizetype digits = 16;
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().first(digits));
}

} // namespace trainyard
