// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// Whether an answer of HTTP announces more bytes than have come. Qt calls such an answer whole, and without an error,
// when it notices the end of the connection together with the last bytes. `announced` is the value of Content-Length,
// which is empty where the server does not know it, and where Qt has decompressed the answer.
inline bool brokeOff(const QByteArray &announced, qint64 received)
{
    bool isNumber = false;
    const qint64 bytes = announced.trimmed().toLongLong(&isNumber);
    return isNumber && received < bytes;
}

} // namespace trainyard
