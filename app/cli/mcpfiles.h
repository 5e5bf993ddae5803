// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

#include <tl/expected.hpp>

namespace trainyard::cli::mcp
{

// The folders below which files may be read. No file outside is opened, whatever a path or a symbolic link says.
class Roots
{
public:
    static constexpr qint64 mostBytes = 512 * 1024; // of a file

    // The folders must be there; else the sentence that says which one is not.
    static tl::expected<Roots, QString> of(const QStringList &folders);

    // A relative path begins in the first folder that has it. The errors are sentences.
    tl::expected<QByteArray, QString> read(const QString &path) const;
    // Where a file or folder below them, or one of them, really is.
    tl::expected<QString, QString> realPath(const QString &path) const;
    QStringList folders() const { return m_real; }

private:
    bool isBelow(const QString &path) const; // of the folders by either of their names
    bool isReallyBelow(const QByteArray &path) const;

    QStringList m_given, m_real; // absolute: as they were named, and without symbolic links
};

} // namespace trainyard::cli::mcp
