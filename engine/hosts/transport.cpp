// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/transport.h"

#include <QProcess>
#include <QRandomGenerator>

#include <unistd.h>

namespace trainyard
{

QByteArray Transport::makeNonce()
{
    quint32 words[4];
    QRandomGenerator::system()->fillRange(words);
    return QByteArray(reinterpret_cast<const char *>(words), sizeof words).toHex();
}

void Transport::detachFromTerminal(QProcess &process)
{
    process.setChildProcessModifier([] { ::setsid(); });
}

} // namespace trainyard
