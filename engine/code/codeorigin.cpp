// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codeorigin.h"

#include "engine/code/codegit.h"
#include "engine/contract/environmentrecord.h"
#include "engine/contract/mask.h"
#include "model/base/utf8.h"

#include <QFile>
#include <QSet>

#include <sys/stat.h>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 originPatienceMs = 5000;
constexpr qsizetype mostLeftOut = 500; // files that are named to git, in its arguments
constexpr std::size_t mostUntracked = 200;

QString lineOf(const Result<QByteArray> &said) { return said ? QString::fromUtf8(*said).trimmed() : QString(); }

class Hidden
{
public:
    explicit Hidden(const QStringList &secrets) : m_secrets(utf8Of(secrets)) { }
    std::string in(const QByteArray &text) const { return contract::masked(m_secrets, text.toStdString()); }

private:
    contract::Secrets m_secrets;
};

// Filters of contents are programs that the repository's own configuration names.
QStringList optionsFor(const CodeGit &git, const QString &folder)
{
    QStringList options{u"-c"_s, u"core.quotePath=false"_s};
    for (const QString &scope : {u"--local"_s, u"--worktree"_s}) {
        const Result<QByteArray> names = git.ask(folder,
            {u"config"_s, scope, u"--includes"_s, u"-z"_s, u"--name-only"_s, u"--get-regexp"_s,
                u"^filter\\..*\\.(clean|process|required)$"_s});
        const QList<QByteArray> all = names ? names->split('\0') : QList<QByteArray>();
        for (const QByteArray &name : all) {
            if (!name.isEmpty()) {
                options += {u"-c"_s, QString::fromUtf8(name) + (name.endsWith(".required") ? u"=false"_s : u"="_s)};
            }
        }
    }
    return options;
}

// A submodule is a folder: of it only its commit is told.
bool isFileThere(const QString &folder, const QByteArray &path)
{
    struct stat info {
    };
    return ::lstat(QByteArray(QFile::encodeName(folder) + '/' + path).constData(), &info) == 0
        && !S_ISDIR(info.st_mode);
}

} // namespace

QByteArray codeOriginOf(const CodeFiles &code, const QStringList &secrets, const std::atomic<bool> *isCancelled)
{
    if (!code.isOfGit) {
        return {};
    }
    const CodeGit git(originPatienceMs, isCancelled);
    const QString &folder = code.folder;
    const Hidden hidden(secrets);
    contract::EnvironmentRecord record;
    contract::GitRecord &found = record.git.emplace();
    found.top = hidden.in(lineOf(git.ask(folder, {u"rev-parse"_s, u"--show-toplevel"_s})).toUtf8());
    if (found.top.empty()) {
        return {};
    }
    found.commit = lineOf(git.ask(folder, {u"rev-parse"_s, u"--verify"_s, u"-q"_s, u"HEAD"_s})).toStdString();
    found.branch = hidden.in(lineOf(git.ask(folder, {u"symbolic-ref"_s, u"--short"_s, u"-q"_s, u"HEAD"_s})).toUtf8());

    QSet<QByteArray> along;
    for (const CodeFile &file : code.files) {
        along.insert(file.path);
    }
    const QStringList options = optionsFor(git, folder);
    const QStringList look{u"diff"_s, u"--no-ext-diff"_s, u"--no-textconv"_s, u"--no-color"_s, u"--no-renames"_s,
        u"--ignore-submodules=dirty"_s};
    const Result<QByteArray> changed = found.commit.empty()
        ? Result<QByteArray>(QByteArray())
        : git.ask(folder,
            options + look + QStringList{u"--relative"_s, u"--name-only"_s, u"-z"_s, u"HEAD"_s, u"--"_s, u"."_s});
    QStringList leftOut;
    const QList<QByteArray> names = changed ? changed->split('\0') : QList<QByteArray>();
    for (const QByteArray &name : names) {
        const bool staysHere = !name.isEmpty() && !along.contains(name) && isFileThere(folder, name);
        found.dirty = found.dirty || (!name.isEmpty() && !staysHere);
        if (staysHere) {
            leftOut.append(u":(exclude,literal)"_s + QFile::decodeName(name));
        }
    }
    if (!changed || leftOut.size() > mostLeftOut) {
        record.gaps.emplace_back(changed || git.isOver() ? "diff.slow" : "git.failed");
    } else if (found.dirty) {
        // A file that was deleted gives nothing but its name: it does not go along.
        const Result<QByteArray> diff = git.ask(folder,
            options + look
                + QStringList{u"--no-relative"_s, u"--irreversible-delete"_s, u"--src-prefix=a/"_s,
                    u"--dst-prefix=b/"_s, u"HEAD"_s, u"--"_s, u"."_s}
                + leftOut,
            qsizetype(contract::greatestDiff));
        if (diff) {
            found.diffCut = diff->size() > qsizetype(contract::greatestDiff);
            // What is cut in the middle of a secret would show its beginning: the last line goes.
            const QByteArray text = diff->first(std::min(diff->size(), qsizetype(contract::greatestDiff)));
            found.diff = hidden.in(found.diffCut ? text.first(text.lastIndexOf('\n') + 1) : text);
        } else {
            record.gaps.emplace_back(git.isOver() ? "diff.slow" : "git.failed");
        }
    }
    const QByteArray prefix = lineOf(git.ask(folder, {u"rev-parse"_s, u"--show-prefix"_s})).toUtf8();
    const Result<QByteArray> others = git.ask(folder, {u"ls-files"_s, u"-z"_s, u"-o"_s, u"--exclude-standard"_s});
    if (!others) {
        record.gaps.emplace_back("untracked.slow");
    }
    const QList<QByteArray> untracked = others ? others->split('\0') : QList<QByteArray>();
    for (const QByteArray &name : untracked) {
        if (!along.contains(name)) {
            continue;
        }
        ++found.untrackedCount;
        if (found.untracked.size() < mostUntracked) {
            found.untracked.push_back(hidden.in(prefix + name));
        }
    }
    return QByteArray::fromStdString(environmentJson(record));
}

} // namespace trainyard
