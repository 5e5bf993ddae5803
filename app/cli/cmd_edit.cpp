// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/client/wholefile.h"
#include "model/protocol/rename.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QSaveFile>

namespace trainyard::cli
{

namespace
{

struct Wanted {
    enum class Kind { Set, SetText, Remove, Move, Rename, Duplicate };
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
                 std::pair{QStringLiteral("--remove"), Wanted::Kind::Remove},
                 std::pair{QStringLiteral("--move"), Wanted::Kind::Move},
                 std::pair{QStringLiteral("--rename"), Wanted::Kind::Rename},
                 std::pair{QStringLiteral("--duplicate"), Wanted::Kind::Duplicate}}) {
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
            result.error = tr("There is no option '%1'.").arg(argument)
                + didYouMean(argument.section(QLatin1Char('='), 0, 0),
                    optionsOf(editCommand().usage).replaceInStrings(QStringLiteral("="), QString()));
            return result;
        }
    }
    return result;
}

// The requested edit with its path; `value` is the text behind the '='.
struct Order {
    Wanted::Kind kind = Wanted::Kind::Set;
    YamlPath path;
    QString value;
    qsizetype to = 0; // of a move
};

Result<Order> orderOf(const Wanted &wanted)
{
    const qsizetype equals = wanted.argument.indexOf(QLatin1Char('='));
    const bool bare = wanted.kind == Wanted::Kind::Remove;
    if (!bare && equals < 0) {
        return fail(QStringLiteral("edit.no-value"), {{QStringLiteral("argument"), wanted.argument}});
    }
    const Result<YamlPath> path = YamlPath::fromPointer(bare ? wanted.argument : wanted.argument.left(equals));
    if (!path) {
        return tl::unexpected(path.error());
    }
    Order order{wanted.kind, *path, bare ? QString() : wanted.argument.mid(equals + 1), 0};
    if (wanted.kind == Wanted::Kind::Move) {
        bool ok = false;
        order.to = order.value.toLongLong(&ok);
        if (!ok || order.to < 0) {
            return fail(QStringLiteral("edit.no-position"), {{QStringLiteral("argument"), wanted.argument}});
        }
    }
    return order;
}

edit::Op operation(const Order &order)
{
    switch (order.kind) {
    case Wanted::Kind::Set:
        return edit::SetValue{order.path, order.value.toUtf8()};
    case Wanted::Kind::SetText:
        return edit::SetText{order.path, order.value};
    case Wanted::Kind::Move:
        return edit::Move{order.path, order.to};
    case Wanted::Kind::Duplicate:
        return edit::Duplicate{order.path, order.value};
    default:
        return edit::Remove{order.path};
    }
}

// Says on stderr what else a renaming changed, and what it left for the user to check.
void tell(const RenamePlan &plan)
{
    int count = 0;
    for (const NameReference &reference : plan.references) {
        count += reference.count;
    }
    errorLine(tr("Renamed '%1' to '%2' and %3 references.").arg(plan.from, plan.to).arg(count));
    for (const NameReference &mention : plan.mentions) {
        errorLine(
            tr("Check %1: '%2' may refer to it as well and was not changed.").arg(mention.path.toPointer(), plan.from));
    }
}

// Makes all edits one after the other, or none. References to a name are looked for in the text as it is at that
// moment.
Result<QByteArray> edited(const QByteArray &bytes, const QList<Order> &orders, QList<RenamePlan> &renamings)
{
    QByteArray text = bytes;
    QList<edit::Op> pending;
    const auto flush = [&]() -> Result<void> {
        const Result<TextEdits> edits = planEdits(YamlDocument::parse(text), pending);
        if (!edits) {
            return tl::unexpected(edits.error());
        }
        text = applyEdits(text, *edits);
        pending.clear();
        return {};
    };
    for (const Order &order : orders) {
        if (order.kind != Wanted::Kind::Rename) {
            pending.append(operation(order));
            continue;
        }
        if (const Result<void> done = pending.isEmpty() ? Result<void>() : flush(); !done) {
            return tl::unexpected(done.error());
        }
        const Result<RenamePlan> plan = planRename(YamlDocument::parse(text), order.path, order.value);
        if (!plan) {
            return tl::unexpected(plan.error());
        }
        renamings.append(*plan);
        pending = plan->ops;
        if (const Result<void> done = flush(); !done) {
            return tl::unexpected(done.error());
        }
    }
    if (const Result<void> done = pending.isEmpty() ? Result<void>() : flush(); !done) {
        return tl::unexpected(done.error());
    }
    return text;
}

// Replaces the file completely or not at all and keeps its permissions; a link stays a link, and its target is written.
bool writeBack(const QString &path, const QByteArray &bytes)
{
    const QFileInfo info(path);
    const QString target = info.isSymLink() ? info.canonicalFilePath() : path;
    QSaveFile file(target);
    const auto failed = [&](const QString &why) {
        errorLine(errorText(Error{
            QStringLiteral("file.unwritable"), {{QStringLiteral("file"), path}, {QStringLiteral("reason"), why}}}));
        return false;
    };
    if (target.isEmpty() || !file.open(QIODevice::WriteOnly)) {
        return failed(file.errorString());
    }
    file.setPermissions(QFileInfo(target).permissions());
    const std::optional<QString> why = writeWhole(file, bytes);
    return !why || failed(*why);
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
        return usageError(command, tr("Give at least one change, such as --set or --remove."));
    }
    const QString file = wanted.files.first();
    if (wanted.inPlace && file == QLatin1String("-")) {
        return usageError(command, tr("Standard input cannot be edited in place."));
    }
    QList<Order> orders;
    for (const Wanted &each : wanted.edits) {
        const Result<Order> order = orderOf(each);
        if (!order) {
            return usageError(command, errorText(order.error()));
        }
        orders.append(*order);
    }
    const Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        errorLine(errorText(bytes.error()));
        return exitUnusable;
    }
    QList<RenamePlan> renamings;
    const Result<QByteArray> result = edited(*bytes, orders, renamings);
    if (!result) {
        errorLine(tr("Nothing was changed. %1").arg(errorText(result.error())));
        return exitRefused;
    }
    for (const RenamePlan &plan : std::as_const(renamings)) {
        tell(plan);
    }
    if (!wanted.inPlace) {
        outFile(*result);
        return exitOk;
    }
    if (*result == *bytes) {
        return exitOk;
    }
    return writeBack(file, *result) ? exitOk : exitUnusable;
}

} // namespace

Command editCommand()
{
    return {QStringLiteral("edit"), tr("Change values in a job file and keep everything else"),
        tr("edit [-i] [--set PATH=VALUE | --set-text PATH=TEXT | --remove PATH | --move PATH=N |\n"
           "      --rename PATH=NAME | --duplicate PATH=NAME]... FILE\n\n"
           "Applies the changes to FILE ('-' is standard input) in the given order and writes the new text to "
           "standard\n"
           "output. Comments, order and formatting of everything else are kept. Either all changes are made, or "
           "none.\n\n"
           "  PATH             for example /taskRoles/worker/instances; '/-' at the end appends to a list;\n"
           "                   '~1' is a '/' in a name and '~0' is a '~'\n"
           "  --set            set a value; VALUE is YAML on one line: 4, true, [a, b], {cpu: 1}\n"
           "  --set-text       set a text; TEXT is quoted as needed\n"
           "  --remove         remove an entry or an item\n"
           "  --move           move an entry or an item to position N of its list or map, counted from 0\n"
           "  --rename         rename a key and every reference to it: a role (/taskRoles/worker), a prerequisite or\n"
           "                   deployment (/prerequisites/0), a parameter or secret (/parameters/lr); also in "
           "templates\n"
           "                   and PAI_ variables in commands\n"
           "  --duplicate      copy an entry with its comments under a new name, or an item (PATH=)\n"
           "  -i, --in-place   write the file instead of standard output\n\n"
           "Exit status: 0 ok; 2 the file cannot be read, or wrong usage; 4 refused, nothing is written."),
        editFile};
}

} // namespace trainyard::cli
