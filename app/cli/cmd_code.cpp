// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "engine/code/codefiles.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype biggestShown = 10;

struct CodeValues {
    QStringList words;
    bool all = false;
    bool json = false;
};

QJsonObject codeJson(const CodeFiles &code)
{
    QJsonArray files;
    for (const CodeFile &file : code.files) {
        QJsonObject one{{u"path"_s, QFile::decodeName(file.path)}, {u"bytes"_s, file.bytes}};
        if (file.isLink) {
            one.insert(u"target"_s, QFile::decodeName(file.target));
        }
        files.append(one);
    }
    return {{u"folder"_s, code.folder}, {u"bytes"_s, code.bytes}, {u"git"_s, code.isOfGit}, {u"files"_s, files}};
}

int runCode(const CodeValues &values)
{
    const QString word = values.words.value(0, u"."_s);
    const QFileInfo named(word);
    if (!named.exists()) {
        failureLine({u"file.missing"_s, {{u"file"_s, word}}});
        return exitUnusable;
    }
    const QString folder = named.isFile() ? named.absolutePath() : named.absoluteFilePath();
    const Result<CodeFiles> code = codeFilesOf(folder, {});
    if (!code) {
        return report(code.error());
    }
    if (values.json) {
        outJson(QJsonDocument(codeJson(*code)));
        return exitOk;
    }
    if (values.all) {
        for (const CodeFile &file : code->files) {
            outLine(QFile::decodeName(file.path));
        }
        return exitOk;
    }
    const QString size = formatBytes(code->bytes);
    outLine(code->files.size() == 1
            ? tr("%1 in one file of %2").arg(size, code->folder)
            : tr("%1 in %2 files of %3").arg(size, QString::number(code->files.size()), code->folder));
    QList<QStringList> rows;
    const QList<CodeFile> biggest = biggestOf(*code, biggestShown);
    for (const CodeFile &file : biggest) {
        rows.append({u"  "_s + formatBytes(file.bytes), QFile::decodeName(file.path)});
    }
    for (const QString &line : alignedRows(rows)) {
        outLine(line);
    }
    if (code->files.size() > biggest.size()) {
        outLine(u"  "_s + tr("... and %1 more; --all lists them").arg(code->files.size() - biggest.size()));
    }
    return exitOk;
}

const CommandLine<CodeValues> &codeLine()
{
    static const CommandLine<CodeValues> line
        = CommandLine<CodeValues>(u"code"_s, tr("Show which files of a folder are copied to other hosts"))
              .runs(runCode, {u"[FOLDER|FILE]"_s, 0, 1, Word::File, tr("the work folder, or a job in it")})
              .text(tr("When a job runs on an ssh host, its work folder is copied there first. In a git repository, "
                       "these are the files that git would commit, including submodules, and elsewhere those that no "
                       ".gitignore names. Patterns in .trainyardignore, written as in .gitignore, name more files that "
                       "stay here. Shows how much is copied, and the largest files."))
              .option(u"--all"_s, &CodeValues::all, tr("list the paths of all files"))
              .option(u"--json"_s, &CodeValues::json,
                  tr("print a JSON object: folder, bytes, git (whether git names the files), files (path, bytes, "
                     "target "
                     "of a link)"))
              .examples({u"trainyardctl code"_s, u"trainyardctl code ~/project --all"_s})
              .exits({{exitOk, tr("listed")}, {exitUnusable, tr("the folder cannot be listed, or wrong usage")}});
    return line;
}

} // namespace

Command codeCommand() { return codeLine().command(); }

} // namespace trainyard::cli
