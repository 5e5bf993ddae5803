// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/transport.h"

#include <QProcess>
#include <QRandomGenerator>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard
{

QByteArray Transport::makeNonce()
{
    quint32 words[4];
    QRandomGenerator::system()->fillRange(words);
    return QByteArray(reinterpret_cast<const char *>(words), sizeof words).toHex();
}

void Transport::detachFromTerminal(QProcess &process, int outputPipe)
{
    process.setChildProcessModifier([outputPipe] {
        ::setsid();
        if (outputPipe > 0) {
            ::fcntl(STDOUT_FILENO, F_SETPIPE_SZ, outputPipe); // where that is refused, it is as long as any
        }
    });
}

} // namespace trainyard
