// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/listedwords.h"
#include "app/cli/manual.h"
#include "app/cli/words.h"
#include "engine/client/settings.h"
#include "model/protocol/fieldreference.h"

#include <QJsonArray>

namespace trainyard::cli
{

namespace
{

// Lines of at most the terminal's width, with blanks in front.
QString wrapped(const QString &text, qsizetype indent, qsizetype firstUsed = 0)
{
    const qsizetype width = std::clamp(terminalWidth(), 40, 100);
    QString result;
    qsizetype column = std::max(indent, firstUsed);
    result += QString(indent - std::min(indent, firstUsed), QLatin1Char(' '));
    bool first = true;
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!first && column + 1 + word.size() > width) {
            result += QLatin1Char('\n') + QString(indent, QLatin1Char(' '));
            column = indent;
            first = true;
        }
        result += (first ? QString() : QStringLiteral(" ")) + word;
        column += word.size() + (first ? 0 : 1);
        first = false;
    }
    return result;
}

QJsonObject fieldJson(const ReferenceField &field)
{
    QJsonObject json{{QStringLiteral("path"), field.pointer()}, {QStringLiteral("type"), field.typeText()},
        {QStringLiteral("required"), field.required}, {QStringLiteral("short"), field.brief},
        {QStringLiteral("help"), field.help}, {QStringLiteral("since"), field.since}};
    if (!field.defaultValue.isUndefined()) {
        json.insert(QStringLiteral("default"), field.defaultValue);
    }
    for (const auto &[key, value] :
        {std::pair{QStringLiteral("min"), field.minimum}, std::pair{QStringLiteral("max"), field.maximum}}) {
        if (!value.isUndefined()) {
            json.insert(key, value);
        }
    }
    for (const auto &[key, text] :
        {std::pair{QStringLiteral("unit"), field.unit}, std::pair{QStringLiteral("requiredWhere"), field.requiredWhere},
            std::pair{QStringLiteral("pattern"), field.textPattern},
            std::pair{QStringLiteral("keyPattern"), field.keyPattern},
            std::pair{QStringLiteral("example"), field.example}, std::pair{QStringLiteral("server"), field.server},
            std::pair{QStringLiteral("portal"), field.portal}, std::pair{QStringLiteral("here"), field.here}}) {
        if (!text.isEmpty()) {
            json.insert(key, text);
        }
    }
    if (!field.values.isEmpty()) {
        QJsonArray values;
        for (const ReferenceValue &value : field.values) {
            values.append(QJsonObject{{QStringLiteral("value"), value.value}, {QStringLiteral("short"), value.text}});
        }
        json.insert(QStringLiteral("values"), values);
    }
    if (!field.kinds.isEmpty()) {
        json.insert(QStringLiteral("for"), QJsonArray::fromStringList(field.kinds));
    }
    if (!field.oldNames.isEmpty()) {
        json.insert(QStringLiteral("oldNames"), QJsonArray::fromStringList(field.oldNames));
    }
    return json;
}

QJsonObject variableJson(const ReferenceVariable &variable)
{
    return {{QStringLiteral("name"), variable.name}, {QStringLiteral("scope"), variable.scope},
        {QStringLiteral("short"), variable.text}, {QStringLiteral("example"), variable.example},
        {QStringLiteral("since"), variable.since}, {QStringLiteral("old"), variable.old}};
}

void fact(const QString &name, const QString &text)
{
    if (!text.isEmpty()) {
        constexpr qsizetype column = 14;
        const QString head = QStringLiteral("  ") + name;
        outLine(paint(Colour::Dim, head) + wrapped(text, column, head.size()));
    }
}

void printField(const ReferenceField &field)
{
    QString title = field.dotted();
    if (!field.kinds.isEmpty()) {
        title += QStringLiteral("  (%1)").arg(field.kinds.join(QStringLiteral(", ")));
    }
    outLine(paint(Colour::Bold, title));
    outLine(wrapped(field.brief, 2));
    if (!field.help.isEmpty()) {
        outLine(QString());
        outLine(wrapped(field.help, 2));
    }
    outLine(QString());
    QString type = field.typeText();
    if (!field.rangeText().isEmpty()) {
        type += QStringLiteral(", ") + field.rangeText();
    }
    if (!field.unit.isEmpty()) {
        type += QStringLiteral(" (%1)").arg(field.unit);
    }
    fact(tr("Type"),
        !field.required                     ? type
            : field.requiredWhere.isEmpty() ? tr("%1, required").arg(type)
                                            : tr("%1, required %2").arg(type, field.requiredWhere));
    fact(tr("Default"), field.defaultText());
    fact(tr("Matches"), field.textPattern);
    fact(tr("Keys match"), field.keyPattern);
    for (const ReferenceValue &value : field.values) {
        fact(&value == &field.values.first() ? tr("Values") : QString(),
            value.value + QStringLiteral(": ") + value.text);
    }
    fact(tr("Old names"), field.oldNames.join(QStringLiteral(", ")));
    fact(tr("Since"), field.since);
    fact(tr("Trainyard"), field.here);
    fact(tr("Server"), field.server);
    fact(tr("Portal"), field.portal);
    if (!field.example.isEmpty()) {
        outLine(QString());
        outLine(QStringLiteral("  ") + tr("Example"));
        for (const QString &line : field.example.split(QLatin1Char('\n'))) {
            outLine(QStringLiteral("    ") + line);
        }
    }
    YamlPath path;
    for (const QString &element : field.pattern) {
        path = path.child(element);
    }
    const QList<const ReferenceField *> children
        = FieldReference::bundled().childrenOf(path, field.kinds.isEmpty() ? QString() : field.kinds.first());
    if (!children.isEmpty()) {
        outLine(QString());
        outLine(QStringLiteral("  ") + tr("Fields"));
        for (const ReferenceField *child : children) {
            outLine(QStringLiteral("    %1  ").arg(child->name(), -22) + child->brief);
        }
    }
}

void printVariable(const ReferenceVariable &variable)
{
    outLine(paint(Colour::Bold, variable.name));
    outLine(wrapped(variable.text, 2));
    outLine(QString());
    fact(tr("Scope"),
        variable.scope == QLatin1String("job")        ? tr("the same in all tasks of a job")
            : variable.scope == QLatin1String("role") ? tr("the same in all tasks of a job, one for each role")
                                                      : tr("the task's own"));
    fact(tr("Example"), variable.example);
    fact(tr("Since"), variable.since);
}

QStringList settingKeys()
{
    QStringList keys;
    const QJsonArray table = Settings::table();
    for (const QJsonValue &entry : table) {
        keys.append(entry[QLatin1String("key")].toString());
    }
    return keys;
}

void printSetting(const QString &key, const QJsonObject &entry)
{
    outLine(paint(Colour::Bold, key) + QStringLiteral("  ") + tr("(a setting of the engine)"));
    outLine(wrapped(entry.value(QLatin1String("help")).toString(), 2));
    outLine(QString());
    const QString type = entry.value(QLatin1String("type")).toString();
    fact(tr("Type"),
        type == QLatin1String("int") ? tr("whole number from %1 to %2")
                                           .arg(entry.value(QLatin1String("min")).toInteger())
                                           .arg(entry.value(QLatin1String("max")).toInteger())
            : type == QLatin1String("bool") ? tr("true or false")
            : type == QLatin1String("list") ? tr("list of texts")
                                            : tr("text"));
    const QByteArray list
        = QJsonDocument(QJsonArray{entry.value(QLatin1String("default"))}).toJson(QJsonDocument::Compact);
    const bool hasDefault = entry.contains(QLatin1String("default"));
    fact(tr("Default"), hasDefault ? QString::fromUtf8(list.sliced(1, list.size() - 2)) : QString());
    QStringList values;
    const QJsonArray allowed = entry.value(QLatin1String("values")).toArray();
    for (const QJsonValue &value : allowed) {
        values.append(value.toString().isEmpty() ? QStringLiteral("\"\"") : value.toString());
    }
    fact(tr("Values"), values.join(QStringLiteral(", ")));
    outLine(QString());
    outLine(QStringLiteral("  ")
        + tr("'trainyardctl settings %1' prints its value, 'trainyardctl settings %1 VALUE' sets it.").arg(key));
}

void printAll(const FieldReference &reference)
{
    for (const ReferenceField &field : reference.fields()) {
        if (!field.reserved && !field.forbidden) {
            outLine(field.dotted());
            outLine(paint(Colour::Dim, wrapped(field.brief, 4)));
        }
    }
    outLine(QString());
    outLine(tr("Variables of a task:"));
    for (const ReferenceVariable &variable : reference.variables()) {
        if (!variable.old) {
            outLine(QStringLiteral("  ") + variable.name);
        }
    }
    outLine(QString());
    outLine(tr("Settings of the engine:"));
    const QStringList keys = settingKeys();
    for (const QString &key : keys) {
        outLine(QStringLiteral("  ") + key);
    }
    outLine(QString());
    outLine(tr("'trainyardctl explain NAME' says more about one of them."));
}

// " Did you mean ...?": what has the word in its name, or is spelled nearly so.
QString similarNames(const FieldReference &reference, const QString &text)
{
    constexpr qsizetype most = 4;
    const QString word = text.section(QLatin1Char('.'), -1).section(QLatin1Char('/'), -1);
    QStringList names;
    for (const ReferenceField &field : reference.fields()) {
        names.append(field.name());
    }
    for (const ReferenceVariable &variable : reference.variables()) {
        names.append(variable.name);
    }
    names.removeDuplicates();
    if (text.contains(QLatin1Char('.'))) {
        if (const QString near = didYouMean(text, settingKeys()); !near.isEmpty()) {
            return near;
        }
    }
    const QStringList having = word.isEmpty() ? QStringList() : names.filter(word, Qt::CaseInsensitive);
    return having.isEmpty()
        ? didYouMean(word, names)
        : tr(" Did you mean %1?").arg(having.first(std::min(most, having.size())).join(QStringLiteral(", ")));
}

struct ExplainValues {
    QStringList words;
    bool json = false, markdown = false;
    std::optional<QString> man; // the build writes the pages
};

int explain(const ExplainValues &values)
{
    const FieldReference &reference = FieldReference::bundled();
    if (values.man) {
        const QByteArray page = manualPage(*values.man);
        out(page);
        return page.isEmpty() ? exitUnusable : exitOk;
    }
    if (values.markdown) {
        out(referenceMarkdown());
        return exitOk;
    }
    const QString text = values.words.value(0);
    QList<const ReferenceField *> fields;
    QList<const ReferenceVariable *> variables;
    if (text.isEmpty()) {
        for (const ReferenceField &field : reference.fields()) {
            fields.append(&field);
        }
        for (const ReferenceVariable &variable : reference.variables()) {
            variables.append(&variable);
        }
    } else {
        fields = reference.search(text);
        if (fields.isEmpty()) {
            variables = reference.searchVariables(text);
        }
    }
    // A field of the job may have the key of the setting that it overrides.
    const QJsonObject setting = text.isEmpty() ? QJsonObject() : Settings::about(text);
    if (fields.isEmpty() && variables.isEmpty() && !setting.isEmpty()) {
        if (values.json) {
            outJson(QJsonDocument(QJsonObject{{QStringLiteral("settings"), QJsonArray{setting}}}));
        } else {
            printSetting(text, setting);
        }
        return exitOk;
    }
    if (fields.isEmpty() && variables.isEmpty()) {
        errorLine(tr("There is no field, variable or setting '%1'.%2 This command explains the words of the job "
                     "language and the settings, not the names that a job defines, such as those of parameters; "
                     "'trainyardctl explain' lists all of them.")
                      .arg(text, similarNames(reference, text)));
        return exitNo;
    }
    if (values.json) {
        QJsonArray fieldList;
        for (const ReferenceField *field : std::as_const(fields)) {
            fieldList.append(fieldJson(*field));
        }
        QJsonArray variableList;
        for (const ReferenceVariable *variable : std::as_const(variables)) {
            variableList.append(variableJson(*variable));
        }
        QJsonObject all{{QStringLiteral("fields"), fieldList}, {QStringLiteral("variables"), variableList}};
        if (text.isEmpty()) {
            all.insert(QStringLiteral("settings"), Settings::table());
        } else if (!setting.isEmpty()) {
            all.insert(QStringLiteral("settings"), QJsonArray{setting});
        }
        outJson(QJsonDocument(all));
        return exitOk;
    }
    if (text.isEmpty()) {
        printAll(reference);
        return exitOk;
    }
    bool first = true;
    for (const ReferenceField *field : std::as_const(fields)) {
        if (!first) {
            outLine(QString());
        }
        first = false;
        printField(*field);
    }
    for (const ReferenceVariable *variable : std::as_const(variables)) {
        printVariable(*variable);
    }
    if (!setting.isEmpty()) {
        outLine(QString());
        printSetting(text, setting);
    }
    return exitOk;
}

} // namespace

Command explainCommand()
{
    static const CommandLine<ExplainValues> line
        = CommandLine<ExplainValues>(
            QStringLiteral("explain"), tr("Explain a field of a job, a variable of its tasks, or a setting"))
              .runs(explain,
                  {QStringLiteral("[PATH]"), 0, 1, Word::Other, tr("Give one PATH, or none for the list."), {},
                      explainedWords})
              .text(tr("Shows the meaning, type, range, default and an example of a field, and how an OpenPAI server "
                       "differs. PATH is written with dots (taskRoles.worker.taskRetryCount), as a JSON pointer "
                       "(/taskRoles/worker/taskRetryCount), or is just the name of the field. Names of variables "
                       "(PAI_TASK_INDEX) and keys of settings (tasks.maxParallel) work as well. Without PATH, all of "
                       "them are "
                       "listed."))
              .option(QStringLiteral("--json"), &ExplainValues::json,
                  tr("print a JSON object: fields, variables and settings"))
              .option(QStringLiteral("--man PAGE"), &ExplainValues::man, tr("print a page of the manual"))
              .hidden()
              .option(
                  QStringLiteral("--markdown"), &ExplainValues::markdown, tr("print the reference of the job language"))
              .hidden()
              .exits({{exitOk, tr("found")}, {exitNo, tr("there is no such field, variable or setting")},
                  {exitUnusable, tr("wrong usage")}});
    return line.command();
}

} // namespace trainyard::cli
