// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobimport.h"

#include <QByteArray>
#include <QStringList>

namespace trainyard
{

// Jobs of protocol version 1: JSON, often with comments and trailing commas, in three vintages that differ in a few
// fields; also written as YAML. docs/protocol.md says what becomes of each field.

// Whether the text is a job of version 1, which is a map with jobName and without protocolVersion; also when its JSON
// is broken further down.
bool isLegacyJob(const QByteArray &bytes);

// Codes of a report. `at` are bytes of the old text, `path` is in the old text; args hold "field" where one is meant,
// and "to", a pointer into the new text, where the place to look at is there.
//
// code                    severity  args                     meaning
// legacy.json.*           error     field?                   the text cannot be read; trailing-comma, duplicate-key and
//                                                            control are warnings
// legacy.not-a-job        error                              no map with jobName and a list of taskRoles
// legacy.missing          error     field, where             what version 1 wanted as well
// legacy.wrong-type       warning   field, where             not of its type, and left out
// legacy.unknown-field    warning   field, where             kept in extras.trainyard.legacy
// legacy.name             warning   from, name               the job was renamed
// legacy.role-name        warning   from, name               a role was renamed
// legacy.port-label       warning   from, name, role         a label was renamed
// legacy.default          note      field, value, role       a missing number became version 1's default
// legacy.number-text      note      field, value             a number in quotes
// legacy.not-a-number     warning   field, value, role       could not be understood; value is used
// legacy.limit-null       note      field, role              null became -1
// legacy.limit-range      warning   field, value, role, instances  can never be reached, or less than 1
// legacy.kill-all         warning   number, instances        became minSucceededInstances
// legacy.kill-all-kept    warning   number                   cannot be said, kept
// legacy.begin-at         warning   role, label, port        fixed ports cannot be said, kept
// legacy.gpu-type         warning   type                     became a wish to the HiveD scheduler
// legacy.retry-count      warning   from, to                 negative counts cannot be said, kept
// legacy.env-name         warning   name                     no name for a shell variable, left out
// legacy.env-value        warning   name                     a list or map as a value
// legacy.env-meaning      warning   name                     isDebug, paiAzRDMA: only a variable now
// legacy.auth-file        warning   file                     cannot be read from here, kept
// legacy.storage          warning   field, uri               a place on the cluster's own storage
// legacy.code-dir         note      uri                      is copied by a command when it is a folder
// legacy.references       note      role, name               names of variables in commands were changed
// legacy.template         warning   role                     "<%" was text in version 1
// legacy.shell            note                               commands run without errexit, as they did
// legacy.yaml             note                               was YAML: its comments are not carried over
// legacy.unwritable       error                              the result would be too large, or has too long a key
JobImport importLegacyJob(const QByteArray &bytes);

// The verdicts of the servers of version 1 on such a job.
struct LegacyVerdict {
    QStringList acceptedBy; // of "v0.4", "v0.8", "v0.14": each represents its generation
    // Why the last server refuses it (legacy.schema.* {field, where, ...}); empty when it accepts.
    QList<Diagnostic> refusals;
    QList<Diagnostic> syntax; // why it cannot be read at all, or warnings about the JSON
    bool isValid() const { return !acceptedBy.isEmpty(); }
};

LegacyVerdict checkLegacyJob(const QByteArray &bytes);

} // namespace trainyard
