// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/protocol/jobspec.h"

#include <QByteArray>
#include <QStringList>
#include <QUuid>

// A job as an OpenPAI cluster gets it. Pure.
namespace trainyard::openpai
{

// The name of a job there: unique, and always the same for this attempt of this job. It is how the cluster is
// asked whether it has the job.
QString nameThere(const QString &runName, const QUuid &job, int attempt);

// The name without what nameThere() has appended, or as it is.
QString nameWithoutSuffix(const QString &nameThere);
// A document that the cluster has kept, in the form for a new job: its name is nameWithoutSuffix(). Text that is not
// YAML is returned unchanged.
QByteArray documentToOpen(const QByteArray &kept);

struct DocumentInput {
    QByteArray yaml; // as it is stored: secrets are masked
    QString name; // there
    QString virtualCluster; // of a document that names none; empty or "default": the cluster's own default
    const JobSpec *spec = nullptr; // parameters and secrets filled in
    QStringList parameters; // names of those that the submission has changed
};
// The text with as few changes as possible: the name, the values of secrets and changed parameters, the virtual
// cluster. It holds the secrets, and must not be kept. Codes: those of
// planEdit().
Result<QByteArray> documentFor(const DocumentInput &input);

// Fields of extras.trainyard that have no effect there, by their names.
QStringList withoutEffect(const JobSpec &spec);

} // namespace trainyard::openpai
