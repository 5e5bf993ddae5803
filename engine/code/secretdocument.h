// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSet>
#include <QStringList>

namespace trainyard
{

// Whether the file is a job with the values of secrets in it, or a file with such values for an exported script
// (JOB.secrets). They reach no disk of a host: not only the job that runs is in a work folder. Reads files that are
// called .yaml, .yml or .secrets, 1 MiB at most. For any thread; waits for the disk.
bool isSecretDocument(const QByteArray &path);

// Files that are the value of a secret, such as the one that "--secret token=@FILE" names. They may lie in the work
// folder, and their values reach no disk of a host.
class SecretFiles
{
public:
    // Values that are too short to be masked in output are too short to identify a file.
    explicit SecretFiles(const QStringList &values);
    // Whether the file of this many bytes holds one of the values, perhaps with an end of a line, and nothing else. For
    // any thread; reads the file only if its size is that of a value.
    bool contain(const QByteArray &path, qint64 bytes) const;

private:
    QSet<QByteArray> m_values;
    QSet<qint64> m_sizes;
};

} // namespace trainyard
