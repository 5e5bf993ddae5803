// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"

#include <QJsonObject>

namespace trainyard
{

// The large work folders that the user has said may be copied, so that the user is not asked at each run: in a file
// that all engines of the user share. A folder that has become twice as large since is asked about again.
class CodeAllowances
{
public:
    explicit CodeAllowances(const QString &file) : m_file(file) { }
    // The limits, raised to what the user has allowed for this folder.
    CodeLimits widened(const CodeLimits &limits, const QString &folder) const;
    // The user allows the present size of the folder. If the disk has no room to record that, it counts until the
    // engine ends.
    void allow(const QString &folder, qint64 bytes, qint64 files, qint64 nowMs);

private:
    QJsonObject read() const;

    QString m_file;
    QJsonObject m_unwritten; // could not be written
};

} // namespace trainyard
