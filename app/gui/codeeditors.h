// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

namespace trainyard
{

// Which program shows a line of code, as words for a process and never for a shell.
struct EditorCommand {
    QStringList words; // empty: there is none
    bool needsTerminal = false;
};

// `wanted` is the command of the settings, with {file} and {line}; without one, the editors of the variables `named`
// (VISUAL, EDITOR) and then the first that is installed. `find` finds a program.
EditorCommand editorFor(const QString &wanted, const QStringList &named, const QString &file, int line,
    const std::function<QString(const QString &name)> &find);

// Opens the file with it. Without an editor, the desktop opens a text that it could not run. Returns a sentence when
// that is not possible.
QString openInEditor(const QString &wanted, const QString &file, int line);

} // namespace trainyard
