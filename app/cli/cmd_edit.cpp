// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

namespace trainyard::cli
{

namespace
{

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

struct Wanted {
    enum class Kind { Set, SetText, Remove };
    Kind kind = Kind::Set;
    QString argument;
};

// QCommandLineParser gives the values of each option, but not the order among different options, which matters here.
struct Arguments {
    QList<Wanted> edits;
    QStringList files;
    bool inPlace = false;
    QString error;
};

Arguments readArguments(const QStringList &arguments)
{
    Arguments result;
    bool optionsEnded = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments.at(i);
        if (optionsEnded || argument == QLatin1String("-") || !argument.startsWith(QLatin1Char('-'))) {
            result.files.append(argument);
            continue;
        }
        if (argument == QLatin1String("--")) {
            optionsEnded = true;
            continue;
        }
        if (argument == QLatin1String("-i") || argument == QLatin1String("--in-place")) {
            result.inPlace = true;
            continue;
        }
        bool known = false;
        for (const auto &[name, kind] : {std::pair{QStringLiteral("--set-text"), Wanted::Kind::SetText},
                 std::pair{QStringLiteral("--set"), Wanted::Kind::Set},
                 std::pair{QStringLiteral("--remove"), Wanted::Kind::Remove}}) {
            if (argument.startsWith(name + QLatin1Char('='))) {
                result.edits.append({kind, argument.mid(name.size() + 1)});
                known = true;
            } else if (argument == name) {
                if (i + 1 >= arguments.size()) {
                    result.error = tr("%1 needs a value.").arg(name);
                    return result;
                }
                result.edits.append({kind, arguments.at(++i)});
                known = true;
            }
            if (known) {
                break;
            }
        }
        if (!known) {
            result.error = tr("There is no option '%1'.").arg(argument);
            return result;
        }
    }
    return result;
}

Result<edit::Op> operation(const Wanted &wanted)
{
    const qsizetype equals = wanted.argument.indexOf(QLatin1Char('='));
    if (wanted.kind != Wanted::Kind::Remove && equals < 0) {
        return fail(QStringLiteral("edit.no-value"), {{QStringLiteral("argument"), wanted.argument}});
    }
    const QString pointer = wanted.kind == Wanted::Kind::Remove ? wanted.argument : wanted.argument.left(equals);
    const Result<YamlPath> path = YamlPath::fromPointer(pointer);
    if (!path) {
        return tl::unexpected(path.error());
    }
    const QString value = wanted.argument.mid(equals + 1);
    switch (wanted.kind) {
    case Wanted::Kind::Set:
        return edit::SetValue{*path, value.toUtf8()};
    case Wanted::Kind::SetText:
        return edit::SetText{*path, value};
    case Wanted::Kind::Remove:
        break;
    }
    return edit::Remove{*path};
}

// Whole or not at all, with the permissions the file had; a link stays a link and its target is written.
bool writeBack(const QString &path, const QByteArray &bytes)
{
    const QFileInfo info(path);
    const QString target = info.isSymLink() ? info.canonicalFilePath() : path;
    QSaveFile file(target);
    const auto failed = [&] {
        errorLine(errorText(Error{QStringLiteral("file.unwritable"),
            {{QStringLiteral("file"), path}, {QStringLiteral("reason"), file.errorString()}}}));
        return false;
    };
    if (target.isEmpty() || !file.open(QIODevice::WriteOnly)) {
        return failed();
    }
    file.setPermissions(QFileInfo(target).permissions());
    if (file.write(bytes) != bytes.size() || !file.commit()) {
        return failed();
    }
    return true;
}

int editFile(const QStringList &arguments)
{
    const QString command = QStringLiteral("edit");
    const Arguments wanted = readArguments(arguments);
    if (!wanted.error.isEmpty()) {
        return usageError(command, wanted.error);
    }
    if (wanted.files.size() != 1) {
        return usageError(command, tr("Give one FILE to edit."));
    }
    if (wanted.edits.isEmpty()) {
        return usageError(command, tr("Give at least one --set, --set-text or --remove."));
    }
    const QString file = wanted.files.first();
    if (wanted.inPlace && file == QLatin1String("-")) {
        return usageError(command, tr("Standard input cannot be edited in place."));
    }
    QList<edit::Op> ops;
    for (const Wanted &each : wanted.edits) {
        const Result<edit::Op> op = operation(each);
        if (!op) {
            return usageError(command, errorText(op.error()));
        }
        ops.append(*op);
    }
    const Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        errorLine(errorText(bytes.error()));
        return exitUnusable;
    }
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(*bytes), ops);
    if (!edits) {
        errorLine(tr("Nothing was changed. %1").arg(errorText(edits.error())));
        return exitRefused;
    }
    const QByteArray edited = applyEdits(*bytes, *edits);
    if (!wanted.inPlace) {
        out(edited);
        return exitOk;
    }
    if (edited == *bytes) {
        return exitOk;
    }
    return writeBack(file, edited) ? exitOk : exitUnusable;
}

} // namespace

Command editCommand()
{
    return {QStringLiteral("edit"), tr("Change values in a job file and leave all else as it is"),
        tr("edit [-i] [--set PATH=VALUE | --set-text PATH=TEXT | --remove PATH]... FILE\n\n"
           "Changes FILE ('-': standard input) in the given order and writes the new text to standard output.\n"
           "Comments, order and formatting of everything else stay. All changes are made, or none.\n\n"
           "  PATH             as in /taskRoles/worker/instances; '/-' at the end appends to a list;\n"
           "                   '~1' is a '/' in a name and '~0' is a '~'\n"
           "  --set            VALUE is YAML on one line: 4, true, [a, b], {cpu: 1}\n"
           "  --set-text       TEXT is always text, quoted as needed\n"
           "  --remove         takes out an entry or an item\n"
           "  -i, --in-place   write the file instead of standard output\n\n"
           "Exit status: 0 ok; 2 the file cannot be read, or wrong usage; 4 refused, nothing written."),
        editFile};
}

} // namespace trainyard::cli
