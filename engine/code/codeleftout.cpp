// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codeleftout.h"

#include "engine/code/codeignores.h"
#include "engine/code/secretdocument.h"

#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QStandardPaths>

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 rulesPatienceMs = 30'000;
constexpr qsizetype mostCounted = 1'000'000; // files, of all that is left out

QByteArrayList namesIn(const QByteArray &folder)
{
    QByteArrayList names;
    const std::unique_ptr<DIR, int (*)(DIR *)> dir(::opendir(folder.constData()), &::closedir);
    while (const dirent *entry = dir ? ::readdir(dir.get()) : nullptr) {
        const QByteArray name(static_cast<const char *>(entry->d_name));
        if (name != "." && name != "..") {
            names.append(name);
        }
    }
    return names;
}

// Files and folders (with "/" at their end), as git names them.
class NamedPaths
{
public:
    explicit NamedPaths(const Result<QByteArrayList> &names)
    {
        if (names) {
            m_sorted = *names;
            std::sort(m_sorted.begin(), m_sorted.end());
        }
    }
    // The path itself, a folder that it is in, or something that is in it.
    bool have(const QByteArray &path) const
    {
        for (qsizetype slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            if (std::binary_search(m_sorted.cbegin(), m_sorted.cend(), path.first(slash + 1))) {
                return true;
            }
        }
        const auto at = std::lower_bound(m_sorted.cbegin(), m_sorted.cend(), path);
        return at != m_sorted.cend() && (*at == path || (path.endsWith('/') && at->startsWith(path)));
    }

private:
    QByteArrayList m_sorted;
};

class LeftOutWalk
{
public:
    LeftOutWalk(const CodeFiles &code, const QString &without, const std::atomic<bool> *isCancelled)
        : m_top(QFile::encodeName(code.folder) + '/'),
          m_without(without.isEmpty() ? QByteArray() : QFile::encodeName(QFileInfo(without).canonicalFilePath())),
          m_isOfGit(code.isOfGit), m_hasGit(!QStandardPaths::findExecutable(u"git"_s).isEmpty()),
          m_git(rulesPatienceMs, isCancelled), m_ignores(code.folder, m_git), m_own(m_ignores.namedByOwnFile()),
          m_made(code.isOfGit ? Result<QByteArrayList>(QByteArrayList()) : m_ignores.madeByPrograms())
    {
        for (const CodeFile &file : code.files) {
            m_files.insert(file.path);
            for (qsizetype slash = file.path.indexOf('/'); slash >= 0; slash = file.path.indexOf('/', slash + 1)) {
                m_folders.insert(file.path.first(slash));
            }
        }
    }

    QList<LeftOut> found()
    {
        visit({});
        std::sort(m_found.begin(), m_found.end(), [](const LeftOut &a, const LeftOut &b) {
            return a.bytes != b.bytes ? a.bytes > b.bytes : a.path < b.path;
        });
        return m_found;
    }

private:
    void visit(const QByteArray &prefix)
    {
        const QByteArrayList names = namesIn(m_top + prefix);
        for (const QByteArray &name : names) {
            const QByteArray path = prefix + name;
            struct stat info {
            };
            if (m_git.isCancelled() || m_files.contains(path)
                || ::lstat(QByteArray(m_top + path).constData(), &info) != 0) {
                continue;
            }
            if (S_ISDIR(info.st_mode) && m_folders.contains(path)) {
                visit(path + '/');
                continue;
            }
            LeftOut left;
            left.path = S_ISDIR(info.st_mode) ? path + '/' : path;
            if (S_ISDIR(info.st_mode)) {
                count(path + '/', left);
            } else {
                left.files = 1;
                left.bytes = S_ISREG(info.st_mode) ? qint64(info.st_size) : 0;
            }
            left.by = ruleOf(left, name, S_ISDIR(info.st_mode) || S_ISREG(info.st_mode) || S_ISLNK(info.st_mode));
            m_found.append(left);
        }
    }

    void count(const QByteArray &folder, LeftOut &into)
    {
        const QByteArrayList names = namesIn(m_top + folder);
        for (const QByteArray &name : names) {
            if (m_counted >= mostCounted || m_git.isCancelled()) {
                into.isCut = true;
                return;
            }
            const QByteArray path = folder + name;
            struct stat info {
            };
            if (::lstat(QByteArray(m_top + path).constData(), &info) != 0) {
                continue;
            }
            if (S_ISDIR(info.st_mode)) {
                count(path + '/', into);
            } else {
                ++m_counted;
                ++into.files;
                into.bytes += S_ISREG(info.st_mode) ? qint64(info.st_size) : 0;
            }
        }
    }

    LeftOut::By ruleOf(const LeftOut &left, const QByteArray &name, bool isUsual) const
    {
        using enum LeftOut::By;
        if (!isUsual) {
            return Special;
        }
        if (name == ".git") {
            return Git;
        }
        if (!m_without.isEmpty() && QByteArray(m_top + left.path) == m_without) {
            return Document;
        }
        if (m_own.have(left.path)) {
            return OwnIgnore;
        }
        if (isSecretDocument(m_top + left.path)) {
            return Document;
        }
        if (left.files == 0) {
            return Empty;
        }
        // Without git, nothing but the names of what programs make is left out.
        return !m_isOfGit && (!m_hasGit || m_made.have(left.path)) ? Programs : GitIgnore;
    }

    const QByteArray m_top, m_without;
    const bool m_isOfGit, m_hasGit;
    const CodeGit m_git;
    CodeIgnores m_ignores;
    const NamedPaths m_own, m_made;
    QSet<QByteArray> m_files, m_folders; // that go along
    QList<LeftOut> m_found;
    qsizetype m_counted = 0;
};

} // namespace

QString leftOutWord(LeftOut::By by)
{
    switch (by) {
    case LeftOut::By::Git:
        return u"git"_s;
    case LeftOut::By::GitIgnore:
        return u"gitignore"_s;
    case LeftOut::By::OwnIgnore:
        return u"trainyardignore"_s;
    case LeftOut::By::Programs:
        return u"programs"_s;
    case LeftOut::By::Empty:
        return u"empty"_s;
    case LeftOut::By::Special:
        return u"special"_s;
    case LeftOut::By::Document:
        return u"document"_s;
    }
    return {};
}

QList<LeftOut> leftOutOf(const CodeFiles &code, const QString &without, const std::atomic<bool> *isCancelled)
{
    return LeftOutWalk(code, without, isCancelled).found();
}

} // namespace trainyard
