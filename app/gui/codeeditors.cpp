// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/codeeditors.h"

#include "app/gui/controllers/taskterminals.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace trainyard
{
namespace
{

class Editors
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::CodeEditors)
};

// How each editor gets the line. Those without a window come first only if the user named them.
struct KnownEditor {
    const char *name, *arguments;
    bool isOfTerminal = false;
};
constexpr KnownEditor knownEditors[] = {{"code", "-g {file}:{line}"}, {"codium", "-g {file}:{line}"},
    {"cursor", "-g {file}:{line}"}, {"zed", "{file}:{line}"}, {"subl", "{file}:{line}"}, {"kate", "-l {line} {file}"},
    {"gedit", "+{line} {file}"}, {"xed", "+{line} {file}"}, {"pluma", "+{line} {file}"},
    {"gnome-text-editor", "{file}"}, {"mousepad", "--line={line} {file}"}, {"gvim", "+{line} {file}"},
    {"emacs", "+{line} {file}"}, {"pycharm", "--line {line} {file}"}, {"vim", "+{line} {file}", true},
    {"nvim", "+{line} {file}", true}, {"vi", "+{line} {file}", true}, {"nano", "+{line} {file}", true},
    {"micro", "{file}:{line}", true}, {"hx", "{file}:{line}", true}, {"emacs-nox", "+{line} {file}", true}};

QStringList filledIn(QStringList words, const QString &file, int line)
{
    const QString fileMark = QStringLiteral("{file}");
    const bool namesFile = std::any_of(
        words.cbegin(), words.cend(), [&fileMark](const QString &word) { return word.contains(fileMark); });
    if (!namesFile) {
        words.append(fileMark);
    }
    for (QString &word : words) { // the name last: it may hold what looks like a mark
        word.replace(QStringLiteral("{line}"), QString::number(line)).replace(fileMark, file);
    }
    return words;
}

const KnownEditor *knownEditor(const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    const auto *const found = std::find_if(std::begin(knownEditors), std::end(knownEditors),
        [&name](const KnownEditor &one) { return name == QLatin1String(one.name); });
    return found == std::end(knownEditors) ? nullptr : found;
}

} // namespace

EditorCommand editorFor(const QString &wanted, const QStringList &named, const QString &file, int line,
    const std::function<QString(const QString &name)> &find)
{
    if (QStringList words = QProcess::splitCommand(wanted); !words.isEmpty()) {
        return {filledIn(words, file, line), false};
    }
    const auto made = [&](const QString &path, const QStringList &own, const KnownEditor *known) {
        const QStringList arguments = known ? QString::fromLatin1(known->arguments).split(QLatin1Char(' '))
                                            : QStringList{QStringLiteral("{file}")};
        return EditorCommand{filledIn(QStringList{path} + own + arguments, file, line), !known || known->isOfTerminal};
    };
    for (const QString &one : named) {
        const QStringList words = QProcess::splitCommand(one);
        const QString path = words.isEmpty() ? QString() : find(words.constFirst());
        if (!path.isEmpty()) { // an unknown program may need a terminal, which does no harm
            return made(path, words.mid(1), knownEditor(words.constFirst()));
        }
    }
    for (const KnownEditor &one : knownEditors) {
        const QString path = one.isOfTerminal ? QString() : find(QString::fromLatin1(one.name));
        if (!path.isEmpty()) {
            return made(path, {}, &one);
        }
    }
    return {};
}

QString openInEditor(const QString &wanted, const QString &file, int line)
{
    const auto find = [](const QString &name) { return QStandardPaths::findExecutable(name); };
    const EditorCommand editor
        = editorFor(wanted, {qEnvironmentVariable("VISUAL"), qEnvironmentVariable("EDITOR")}, file, line, find);
    if (editor.words.isEmpty()) {
        // A desktop may run what is executable, and what describes a program.
        const QFileInfo info(file);
        const bool isText = QMimeDatabase().mimeTypeForFile(info).inherits(QStringLiteral("text/plain"));
        const bool mayRun = info.isExecutable() || info.suffix() == QLatin1String("desktop");
        if (isText && !mayRun && QDesktopServices::openUrl(QUrl::fromLocalFile(file))) {
            return {};
        }
        return Editors::tr("No editor was found. Name one under \"Program for code\" in the settings.");
    }
    const QStringList words
        = editor.needsTerminal ? terminalCommand(qEnvironmentVariable("TERMINAL"), editor.words, find) : editor.words;
    if (words.isEmpty()) {
        return Editors::tr("%1 needs a terminal, and no terminal program was found.").arg(editor.words.constFirst());
    }
    return QProcess::startDetached(words.constFirst(), words.mid(1))
        ? QString()
        : Editors::tr("%1 could not be started. It is under \"Program for code\" in the settings.")
              .arg(words.constFirst());
}

} // namespace trainyard
