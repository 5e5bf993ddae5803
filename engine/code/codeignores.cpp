// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codeignores.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto patternsOfPrograms
    = "__pycache__/\n*.pyc\n.venv/\nvenv/\n.tox/\n.nox/\nnode_modules/\n.ipynb_checkpoints/\n"
      ".mypy_cache/\n.pytest_cache/\n.ruff_cache/\n.cache/\n.idea/\n.vscode/\n.DS_Store\n";

} // namespace

CodeIgnores::CodeIgnores(const QString &top, const CodeGit &git) : m_top(top), m_git(git) { }

CodeIgnores::~CodeIgnores() = default;

Result<void> CodeIgnores::prepareEmpty()
{
    if (m_empty) {
        return {};
    }
    auto empty = std::make_unique<QTemporaryDir>();
    QFile head(empty->filePath(u"HEAD"_s)), ignored(empty->filePath(u"made"_s));
    const bool isMade = empty->isValid() && QDir(empty->path()).mkdir(u"objects"_s)
        && QDir(empty->path()).mkdir(u"refs"_s) && head.open(QIODevice::WriteOnly)
        && head.write("ref: refs/heads/none\n") > 0 && ignored.open(QIODevice::WriteOnly)
        && ignored.write(patternsOfPrograms) > 0;
    if (!isMade) {
        return tl::unexpected<Error>(CodeGit::failed(m_top, empty->errorString().toLocal8Bit()));
    }
    m_empty = std::move(empty);
    return {};
}

Result<QByteArray> CodeIgnores::ask(const QString &folder, const QStringList &arguments)
{
    if (const Result<void> made = prepareEmpty(); !made) {
        return tl::unexpected<Error>(made.error());
    }
    return m_git.ask(folder,
        QStringList{u"--git-dir="_s + m_empty->path(), u"--work-tree="_s + folder, u"-c"_s, u"core.bare=false"_s,
            u"ls-files"_s, u"-z"_s, u"-o"_s}
            + arguments);
}

Result<QString> CodeIgnores::excludeMade()
{
    if (const Result<void> made = prepareEmpty(); !made) {
        return tl::unexpected<Error>(made.error());
    }
    return QString(u"--exclude-from="_s + m_empty->filePath(u"made"_s));
}

Result<QByteArrayList> CodeIgnores::ignored(const QString &exclude)
{
    const Result<QByteArray> said = ask(m_top, {u"-i"_s, u"--directory"_s, exclude});
    if (!said) {
        return tl::unexpected<Error>(said.error());
    }
    QByteArrayList names = said->split('\0');
    names.removeAll(QByteArray());
    return names;
}

Result<QByteArrayList> CodeIgnores::namedByOwnFile()
{
    const QString file = m_top + u"/.trainyardignore"_s;
    return QFileInfo(file).isFile() ? ignored(u"--exclude-from="_s + file) : QByteArrayList();
}

Result<QByteArrayList> CodeIgnores::madeByPrograms()
{
    const Result<QString> exclude = excludeMade();
    return exclude ? ignored(*exclude) : tl::unexpected<Error>(exclude.error());
}

} // namespace trainyard
