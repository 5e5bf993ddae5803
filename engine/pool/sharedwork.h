// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include <optional>

namespace trainyard
{

// The work folders that hosts were last seen to have by a shared file system, so that the answer to a submission can
// say what happens to the folder before a host is asked again. It decides nothing: the host of each job is checked.
// Kept in a file, since the engine ends between jobs. Reads and writes are synchronous.
class SharedWork
{
public:
    explicit SharedWork(const QString &file) : m_file(file) { }
    // `target`: of the host, as ssh has it; a host may be given another one.
    void note(const QString &target, const QString &folder, bool isShared);
    bool isShared(const QString &target, const QString &folder) const;

private:
    const QJsonObject &read() const;

    QString m_file;
    mutable std::optional<QJsonObject> m_known; // folders by target
};

} // namespace trainyard
