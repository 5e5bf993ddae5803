// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/outputfile.h"
#include "app/cli/words.h"
#include "model/protocol/rename.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>

namespace trainyard::cli
{

namespace
{

struct Wanted {
    enum class Kind { Set, SetText, Remove, Move, Rename, Duplicate };
    Kind kind = Kind::Set;
    QString argument;
};

struct EditValues {
    QStringList words;
    QList<Wanted> edits; // in the order of the command line, which matters
    bool inPlace = false, create = false, force = false;
};
const CommandLine<EditValues> &editLine();

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

// The copy of an item that has a name, such as a prerequisite, gets the new one.
Result<QList<edit::Op>> copying(const YamlDocument &document, const Order &order)
{
    if (order.path.isEmpty() || order.value.isEmpty()) {
        return QList<edit::Op>{operation(order)};
    }
    const YamlNode *list = document.find(order.path.parent());
    const YamlNode *item = document.find(order.path);
    bool isItem = false;
    const qsizetype at = order.path.toPointer().section(QLatin1Char('/'), -1).toLongLong(&isItem);
    isItem = isItem && list && list->resolved()->isSequence() && item;
    if (!isItem) {
        return QList<edit::Op>{operation(order)};
    }
    const QString name = QStringLiteral("name");
    item = item->resolved();
    if (!item->isMap() || !item->find(name.toUtf8())) {
        return fail(QStringLiteral("edit.unnamed-item"), {{QStringLiteral("path"), order.path.toPointer()}});
    }
    return QList<edit::Op>{
        edit::Duplicate{order.path, {}}, edit::SetText{order.path.parent().child(at + 1).child(name), order.value}};
}

// Says on stderr what else a renaming changed, and what it left for the user to check.
void tell(const RenamePlan &plan)
{
    int count = 0;
    for (const NameReference &reference : plan.references) {
        count += reference.count;
    }
    errorLine(count == 1 ? tr("Renamed '%1' to '%2' and 1 reference.").arg(plan.from, plan.to)
                         : tr("Renamed '%1' to '%2' and %3 references.").arg(plan.from, plan.to).arg(count));
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
        const bool isCopy = order.kind == Wanted::Kind::Duplicate;
        if (order.kind != Wanted::Kind::Rename && !isCopy) {
            pending.append(operation(order));
            continue;
        }
        if (const Result<void> done = pending.isEmpty() ? Result<void>() : flush(); !done) {
            return tl::unexpected(done.error());
        }
        if (isCopy) {
            const Result<QList<edit::Op>> copy = copying(YamlDocument::parse(text), order);
            if (!copy) {
                return tl::unexpected(copy.error());
            }
            pending = *copy;
            continue;
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

QStringList rolesOf(const YamlDocument &document)
{
    const YamlNode *roles = document.root() ? document.root()->find("taskRoles") : nullptr;
    roles = roles ? roles->resolved() : nullptr;
    QStringList names;
    if (roles && roles->isMap()) {
        for (const YamlNode::Entry &entry : roles->entries) {
            names.append(QString::fromUtf8(entry.key->scalar));
        }
    }
    return names;
}

// A misspelt role would be a new one, with nothing but the value that was to be set. A whole role may be set, and a job
// without roles gets its first. Returns what is wrong.
QString unknownRole(const QByteArray &bytes, const QList<Order> &orders)
{
    QStringList known = rolesOf(YamlDocument::parse(bytes));
    if (known.isEmpty()) {
        return {};
    }
    for (const Order &order : orders) {
        if (order.path.size() < 2 || !order.path.startsWith(YamlPath{QStringLiteral("taskRoles")})) {
            continue;
        }
        const QString role = std::get<QString>(order.path.at(1)); // of a pointer all elements are keys
        const bool isSet = order.kind == Wanted::Kind::Set || order.kind == Wanted::Kind::SetText;
        if (order.path.size() > 2 && isSet && !known.contains(role)) {
            return tr("The job has no task role '%1'; it has: %2.").arg(role, known.join(QStringLiteral(", ")))
                + didYouMean(role, known);
        }
        if (order.path.size() == 2) {
            known.append(isSet ? role : order.value);
        }
    }
    return {};
}

// The findings about the values that were set, except those that existed before: a misspelt field and a value of the
// wrong type are written as requested, but not silently.
void sayWhatIsWrong(const QString &file, const QByteArray &before, const QByteArray &after, const QList<Order> &orders)
{
    QStringList places; // as pointers, in which an item of a list and an entry of a map look alike
    for (const Order &order : orders) {
        if (order.kind == Wanted::Kind::Set || order.kind == Wanted::Kind::SetText) {
            const QString place = order.path.toPointer();
            places.append(place.endsWith(QLatin1String("/-")) ? place.chopped(2) : place);
        }
    }
    if (places.isEmpty() || before == after) {
        return;
    }
    const auto nameOf = [](const Diagnostic &each) -> QString {
        return each.code + each.path.toPointer() + QString::fromUtf8(QJsonDocument(each.args).toJson());
    };
    QSet<QString> known;
    const ParseOutcome former = parseJob(before);
    for (const Diagnostic &each : former.diagnostics) {
        known.insert(nameOf(each));
    }
    ParseOutcome now = parseJob(after);
    now.diagnostics.removeIf([&](const Diagnostic &each) {
        const QString at = each.path.toPointer() + QLatin1Char('/');
        const bool isOfThese = std::any_of(places.cbegin(), places.cend(),
            [&at](const QString &place) { return at.startsWith(place + QLatin1Char('/')); });
        const bool isRemark = each.severity == Severity::Note && !each.code.startsWith(QLatin1String("field."));
        return !isOfThese || isRemark || known.contains(nameOf(each));
    });
    printFindings(inputName(file), now, Severity::Note, Stream::Error);
    // The checks name only fields that are still missing; a user who sets a value may mean an existing one.
    for (const Diagnostic &each : std::as_const(now.diagnostics)) {
        const YamlNode *map = now.document.find(each.path.parent());
        if (!map || (each.code != QLatin1String("field.unknown") && each.code != QLatin1String("field.ignored"))) {
            continue;
        }
        const QString field = each.path.toPointer().section(QLatin1Char('/'), -1);
        QStringList others;
        for (const YamlNode::Entry &entry : map->resolved()->entries) {
            others.append(entry.key ? QString::fromUtf8(entry.key->scalar) : QString());
        }
        others.removeAll(field);
        if (const QString similar = didYouMean(field, others); !similar.isEmpty()) {
            errorLine(tr("'%1' is new there.").arg(field) + similar);
        }
    }
}

int editFile(const EditValues &wanted)
{
    const QString &file = wanted.words.constFirst();
    if (wanted.edits.isEmpty()) {
        return editLine().wrongUsage(tr("Give at least one change."));
    }
    if (wanted.inPlace && file == QLatin1String("-")) {
        return editLine().wrongUsage(tr("Standard input cannot be edited in place."));
    }
    QList<Order> orders;
    for (const Wanted &each : wanted.edits) {
        const Result<Order> order = orderOf(each);
        if (!order) {
            return editLine().wrongUsage(errorText(order.error()));
        }
        orders.append(*order);
    }
    const Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        failureLine(bytes.error());
        sayIfJobWord(file);
        return exitUnusable;
    }
    if (const QString wrong = wanted.create ? QString() : unknownRole(*bytes, orders); !wrong.isEmpty()) {
        errorLine(tr("Nothing was changed. %1").arg(wrong));
        errorLine(tr("%1 adds the task role.").arg(editLine().name(&EditValues::create)));
        return exitRefused;
    }
    QList<RenamePlan> renamings;
    const Result<QByteArray> result = edited(*bytes, orders, renamings);
    if (!result) {
        if (result.error().code == QLatin1String("edit.broken-document")) {
            printFindings(inputName(file), parseJob(*bytes), Severity::Error, Stream::Error);
        }
        errorLine(tr("Nothing was changed. %1").arg(errorText(result.error())));
        return exitRefused;
    }
    for (const RenamePlan &plan : std::as_const(renamings)) {
        tell(plan);
    }
    sayWhatIsWrong(file, *bytes, *result, orders);
    if (!wanted.inPlace) {
        outFile(*result);
        if (file != QLatin1String("-") && stdoutIsTerminal()) {
            errorLine(tr("No file was written. %1 writes the new text to %2.")
                          .arg(editLine().name(&EditValues::inPlace), inputName(file)));
        }
        return exitOk;
    }
    if (*result == *bytes) {
        return exitOk;
    }
    if (!wanted.force && refuseProtected(file, editLine().name(&EditValues::force))) {
        return exitRefused;
    }
    return writeInPlace(file, *bytes, *result) ? exitOk : exitUnusable;
}

const CommandLine<EditValues> &editLine()
{
    const auto adds = [](Wanted::Kind kind) {
        return [kind](EditValues &values, const QString &argument) {
            values.edits.append({kind, argument});
            return QString();
        };
    };
    static const CommandLine<EditValues> line
        = CommandLine<EditValues>(QStringLiteral("edit"), tr("Change values in a job file and keep everything else"))
              .runs(editFile, {QStringLiteral("FILE"), 1, 1, Word::File, tr("Give one FILE to edit.")})
              .text(tr("Applies the changes to FILE ('-' is standard input) in the given order and writes the new text "
                       "to standard output. Comments, order and formatting of everything else are kept. Either all "
                       "changes are made, or none. Problems that 'check' finds with the values that were set are "
                       "printed on standard error.\n\n"
                       "PATH is for example /taskRoles/worker/instances; '/-' at the end appends to a list; '~1' is a "
                       "'/' in a name and '~0' is a '~'."))
              .option(QStringLiteral("--set PATH=VALUE"),
                  tr("set a value; VALUE is YAML on one line: 4, true, [a, b], {cpu: 1}"), adds(Wanted::Kind::Set))
              .option(QStringLiteral("--set-text PATH=TEXT"), tr("set a text; TEXT is quoted as needed"),
                  adds(Wanted::Kind::SetText))
              .option(QStringLiteral("--remove PATH"), tr("remove an entry or an item"), adds(Wanted::Kind::Remove))
              .option(QStringLiteral("--move PATH=N"),
                  tr("move an entry or an item to position N of its list or map, counted from 0"),
                  adds(Wanted::Kind::Move))
              .option(QStringLiteral("--rename PATH=NAME"),
                  tr("rename a key and every reference to it: a role (/taskRoles/worker), a prerequisite or deployment "
                     "(/prerequisites/0), a parameter or secret (/parameters/lr); also in templates and PAI_ variables "
                     "in commands"),
                  adds(Wanted::Kind::Rename))
              .option(QStringLiteral("--duplicate PATH=NAME"),
                  tr("copy an entry, or an item that has a name, with its comments under a new name, or another item "
                     "(PATH=)"),
                  adds(Wanted::Kind::Duplicate))
              .option(QStringLiteral("-i, --in-place"), &EditValues::inPlace,
                  tr("write the file instead of standard output"))
              .option(QStringLiteral("--force"), &EditValues::force,
                  tr("write a file that is protected against writing; its mode stays as it is"))
              .option(QStringLiteral("--create"), &EditValues::create,
                  tr("also set values of a task role that the job does not have, which adds the role"))
              .examples({QStringLiteral("trainyardctl edit -i --set /taskRoles/worker/instances=4 train.pai.yaml")})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("the file cannot be read, or wrong usage")},
                  {exitRefused, tr("refused, nothing is written")}});
    return line;
}

} // namespace

Command editCommand() { return editLine().command(); }

} // namespace trainyard::cli
