// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codefiles.h"

#include "engine/code/codegit.h"
#include "engine/code/codeignores.h"
#include "engine/code/secretdocument.h"
#include "engine/contract/systemtimes.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <QStandardPaths>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 gitPatienceMs = 30'000;
constexpr int deepest = 8; // submodules in submodules
constexpr int biggestNamed = 10;

class Lister
{
public:
    Lister(const QString &folder, const std::atomic<bool> *isCancelled)
        : m_top(folder), m_git(gitPatienceMs, isCancelled), m_ignores(folder, m_git)
    {
    }
    // The paths below the folder; those of folders that are repositories of their own are entered.
    Result<QList<QByteArray>> paths();
    bool isOfGit() const { return m_isOfGit; }

private:
    Result<void> list(const QString &folder, const QByteArray &prefix, int depth, QSet<QByteArray> &found);
    Result<void> dropIgnored(QSet<QByteArray> &found);
    Result<void> walk(const QString &folder, QSet<QByteArray> &found);

    const QString m_top;
    const CodeGit m_git;
    CodeIgnores m_ignores;
    bool m_isOfGit = false;
};

Result<void> Lister::list(const QString &folder, const QByteArray &prefix, int depth, QSet<QByteArray> &found)
{
    Result<QByteArray> named = m_git.ask(folder, {u"ls-files"_s, u"-z"_s, u"-c"_s, u"-o"_s, u"--exclude-standard"_s});
    if (!named && named.error().code != "code.git-failed"_L1) {
        return tl::unexpected<Error>(named.error());
    }
    // A folder that its repository ignores is none of its files; one that is not git's to read (another owner) neither.
    const bool isOfGit = named && !named->isEmpty();
    if (!isOfGit) {
        const Result<QString> byPrograms = m_ignores.excludeMade();
        if (!byPrograms) {
            return tl::unexpected<Error>(byPrograms.error());
        }
        named = m_ignores.ask(folder, {u"--exclude-per-directory=.gitignore"_s, *byPrograms});
        if (!named) {
            return tl::unexpected<Error>(named.error());
        }
    }
    m_isOfGit = m_isOfGit || (isOfGit && prefix.isEmpty());
    const QList<QByteArray> names = named->split('\0');
    for (QByteArray name : names) {
        if (name.isEmpty()) {
            continue;
        }
        const bool isRepository = name.endsWith('/');
        if (isRepository) {
            name.chop(1);
        }
        struct stat info {
        };
        const QByteArray place = QFile::encodeName(folder) + '/' + name;
        if (::lstat(place.constData(), &info) != 0 || !S_ISDIR(info.st_mode)) {
            found.insert(prefix + name);
        } else if (depth < deepest) { // a submodule, or another repository
            const QString path = QFile::decodeName(place);
            if (QFile::encodeName(path) != place) {
                return fail(u"code.unreadable"_s, {{u"file"_s, path}}); // a name that Qt cannot have
            }
            if (const Result<void> inside = list(path, prefix + name + '/', depth + 1, found); !inside) {
                return inside;
            }
        }
    }
    return {};
}

Result<void> Lister::dropIgnored(QSet<QByteArray> &found)
{
    const Result<QByteArrayList> ignored = m_ignores.namedByOwnFile();
    if (!ignored) {
        return tl::unexpected<Error>(ignored.error());
    }
    QList<QByteArray> folders;
    for (const QByteArray &name : *ignored) {
        if (name.endsWith('/')) {
            folders.append(name);
        } else {
            found.remove(name);
        }
    }
    found.removeIf([&folders](const QByteArray &path) {
        return std::any_of(
            folders.cbegin(), folders.cend(), [&](const QByteArray &each) { return path.startsWith(each); });
    });
    return {};
}

// Where there is no git, and nothing says what it would have to leave out.
Result<void> Lister::walk(const QString &folder, QSet<QByteArray> &found)
{
    static const QSet<QString> left{u".git"_s, u"__pycache__"_s, u".venv"_s, u"venv"_s, u"node_modules"_s,
        u".ipynb_checkpoints"_s, u".mypy_cache"_s, u".pytest_cache"_s, u".cache"_s};
    QStringList open{{}};
    while (!open.isEmpty()) {
        const QString below = open.takeLast();
        const QFileInfoList entries
            = QDir(folder + u'/' + below)
                  .entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System);
        for (const QFileInfo &entry : entries) {
            const QString path = below.isEmpty() ? entry.fileName() : below + u'/' + entry.fileName();
            if (entry.fileName() == ".gitignore"_L1 || path == ".trainyardignore"_L1) {
                return fail(u"code.git-missing"_s, {{u"folder"_s, folder}});
            }
            if (left.contains(entry.fileName())) {
                continue;
            }
            if (entry.isDir() && !entry.isSymLink()) {
                open.append(path);
            } else {
                found.insert(QFile::encodeName(path));
            }
        }
        if (m_git.isOver() || found.size() > CodeGit::mostNames) {
            return fail(u"code.slow"_s, {{u"folder"_s, folder}});
        }
    }
    return {};
}

Result<QList<QByteArray>> Lister::paths()
{
    QSet<QByteArray> found;
    Result<void> done;
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty()) {
        done = walk(m_top, found);
    } else {
        done = list(m_top, {}, 0, found);
        done = done ? dropIgnored(found) : done;
    }
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    QList<QByteArray> sorted(found.cbegin(), found.cend());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

// A link that leads to a place in the folder does so in a copy, too.
QByteArray targetOf(const QByteArray &path, const QByteArray &folder, const QByteArray &link)
{
    QByteArray target(4096, '\0');
    const ssize_t length = ::readlink(path.constData(), target.data(), std::size_t(target.size()));
    target.resize(std::max<ssize_t>(0, length));
    if (!target.startsWith(QByteArray(folder + '/'))) {
        return target;
    }
    return QByteArray("../").repeated(link.count('/')) + target.mid(folder.size() + 1);
}

// Whether a folder on the way to a file is a link by now: what is behind it is not part of the work folder.
class LinkedFolders
{
public:
    explicit LinkedFolders(const QByteArray &top) : m_top(top) { }
    bool contain(const QByteArray &path)
    {
        for (qsizetype slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            const QByteArray folder = path.first(slash);
            auto known = m_known.constFind(folder);
            if (known == m_known.cend()) {
                struct stat info {
                };
                const bool isLink
                    = ::lstat(QByteArray(m_top + '/' + folder).constData(), &info) == 0 && S_ISLNK(info.st_mode);
                known = m_known.insert(folder, isLink);
            }
            if (*known) {
                return true;
            }
        }
        return false;
    }

private:
    QByteArray m_top;
    QHash<QByteArray, bool> m_known;
};

Error tooBig(const CodeFiles &files, const CodeLimits &limits)
{
    QStringList biggest;
    const QList<CodeFile> all = biggestOf(files, biggestNamed);
    for (const CodeFile &file : all) {
        biggest.append(QFile::decodeName(file.path).replace(u'\n', u' '));
        biggest.append(QString::number(file.bytes));
    }
    return {u"code.too-big"_s,
        {{u"folder"_s, files.folder}, {u"bytes"_s, files.bytes}, {u"files"_s, qint64(files.files.size())},
            {u"limitBytes"_s, limits.bytes}, {u"limitFiles"_s, qint64(limits.files)},
            {u"biggest"_s, biggest.join(u'\n')}}};
}

} // namespace

bool CodeFile::readStatus(const QByteArray &at)
{
    struct stat info {
    };
    if (::lstat(at.constData(), &info) != 0 || !(S_ISLNK(info.st_mode) || S_ISREG(info.st_mode))) {
        return false;
    }
    isLink = S_ISLNK(info.st_mode);
    bytes = isLink ? 0 : qint64(info.st_size);
    changedNs = contract::changedNsOf(info);
    statusNs = contract::nsOf(info.st_ctim);
    inode = info.st_ino;
    isExecutable = (info.st_mode & S_IXUSR) != 0;
    isPrivate = !isLink && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    return true;
}

bool CodeFile::isSameAs(const CodeFile &other) const
{
    return bytes == other.bytes && changedNs == other.changedNs && statusNs == other.statusNs && inode == other.inode
        && isLink == other.isLink;
}

Result<CodeFiles> codeFilesOf(const QString &folder, const CodeLimits &limits, const std::atomic<bool> *isCancelled)
{
    const QString top = QDir::cleanPath(folder);
    if (!QFileInfo(top).isDir()) {
        return fail(u"code.folder-missing"_s, {{u"folder"_s, top}});
    }
    Lister lister(top, isCancelled);
    const Result<QList<QByteArray>> paths = lister.paths();
    if (!paths) {
        return tl::unexpected<Error>(paths.error());
    }
    CodeFiles all;
    all.folder = top;
    all.isOfGit = lister.isOfGit();
    const QByteArray place = QFile::encodeName(top);
    LinkedFolders linked(place);
    const QString without = QFileInfo(limits.without).canonicalFilePath();
    const QByteArray left = limits.without.isEmpty() ? QByteArray() : QFile::encodeName(without);
    const SecretFiles secrets(limits.secrets);
    for (const QByteArray &path : *paths) {
        const QByteArray full = place + '/' + path;
        CodeFile file;
        // What git still tracks may be deleted.
        if (!file.readStatus(full) || full == left || linked.contain(path)
            || (!file.isLink && (isSecretDocument(full) || secrets.contain(full, file.bytes)))) {
            continue;
        }
        file.path = path;
        file.target = file.isLink ? targetOf(full, place, path) : QByteArray();
        all.bytes += file.bytes;
        all.files.append(std::move(file));
    }
    if ((limits.bytes > 0 && all.bytes > limits.bytes) || (limits.files > 0 && all.files.size() > limits.files)) {
        return tl::unexpected<Error>(tooBig(all, limits));
    }
    return all;
}

QList<CodeFile> biggestOf(const CodeFiles &files, qsizetype count)
{
    QList<CodeFile> sorted = files.files;
    const auto end = sorted.begin() + std::min(count, sorted.size());
    std::partial_sort(sorted.begin(), end, sorted.end(),
        [](const CodeFile &a, const CodeFile &b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.path < b.path; });
    sorted.erase(end, sorted.end());
    return sorted;
}

} // namespace trainyard
