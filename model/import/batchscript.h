// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchoptions.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

// A batch script of Slurm, as sbatch reads it: options in comments above the first command, then the commands.
namespace trainyard::batch
{

struct Line { // of the commands
    QByteArray text; // without its end; may have several, joined by '\' at their ends or by quotes
    ByteRange at;
    bool isText = false; // of a heredoc that begins above
    bool isInside = false; // of parentheses that open above
};

struct Script {
    QString interpreter; // of the first line: "/bin/bash", "/usr/bin/env python3"
    QList<QList<Option>> components; // one, or those of a heterogeneous job
    ByteRange componentsAt; // where the second begins
    QList<Line> lines;
    QList<ByteRange> late; // options below the first command, which Slurm does not read; they are lines as well
};

// Whether a text is such a script: it has an option above its first command, or a shell script's name ("a.sbatch").
bool isBatchScript(const QByteArray &bytes, const QString &fileName = {});
// Whether it is a script of any kind by what it says alone: by "#!", by a call of docker or podman, or by a first
// command such as "torchrun train.py".
bool isShellScript(const QByteArray &bytes);
Script readBatchScript(const QByteArray &bytes);

// Values of options. "2-00:30" and the other forms of a time: seconds; 0: no limit.
std::optional<qint64> timeOf(const QString &value);
// "16G", "4000" (MiB): MiB; 0: all of the node.
std::optional<qint64> memoryOf(const QString &value);
// The least of "2", "2-4" or "2k".
std::optional<qint64> countOf(const QString &value);
struct GpuCount {
    qint64 count = 0;
    QString type;
};
// "4", "a100:4", and of several the sum: "a100:2,v100:1".
std::optional<GpuCount> gpusOf(const QString &value);
// The same in a list of generic resources: "gpu:a100:4,shard:2". No GPUs: 0.
std::optional<GpuCount> gpusInGres(const QString &value);
struct EarlySignal {
    QString name; // one by which jobs may be stopped: "USR1"
    qint64 seconds = 60; // before the end
    bool isForShell = false; // and not for what it has started
};
// "B:USR1@120"; nothing also for other signals.
std::optional<EarlySignal> signalOf(const QString &value);
struct ArrayIds {
    QList<qint64> ids;
    qint64 most = 0; // at a time; 0: any number
};
// "0-15:5%4", "1,3,7-9".
std::optional<ArrayIds> arrayOf(const QString &value);

} // namespace trainyard::batch
