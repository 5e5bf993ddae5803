// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchscript.h"
#include "model/import/batchshape.h"
#include "model/import/dockercall.h"

#include <QByteArrayList>
#include <QStringList>

#include <optional>

namespace trainyard::batch
{

// Derives properties of the job from the options at the head of a script.
struct BatchHead {
    QString name, folder; // empty: not said
    qint64 timeSeconds = 0; // of the component with the longest limit; 0: none
    std::optional<EarlySignal> signal;
    std::optional<ArrayIds> array;
    QByteArrayList exports; // assignments that --export makes
    QStringList exported; // the variables of these
    QList<Shape> shapes; // of the components
    QStringList images; // as each of them says; empty: it does not
    ByteRange nameAt, timeAt, arrayAt, memoryAt, exclusiveAt;
};
// `docker`: what the only call of docker in the script makes of the job.
BatchHead batchHead(const Script &script, const std::optional<DockerJob> &docker, Findings &findings);

} // namespace trainyard::batch
