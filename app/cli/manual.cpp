// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual.h"

#include "app/cli/command.h"
#include "app/cli/helptext.h"
#include "app/common/windowoptions.h"
#include "model/protocol/fieldreference.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

// Text for roff, in which nothing is a request.
QByteArray roff(const QString &text)
{
    QByteArray result;
    for (const QChar c : text) {
        switch (c.unicode()) {
        case u'\\':
            result += "\\(rs";
            break;
        case u'-':
            result += "\\-";
            break;
        case u'\'':
            result += "\\(aq";
            break;
        case u'"':
            result += "\\(dq";
            break;
        case u'`':
            result += "\\(ga";
            break;
        case u'^':
            result += "\\(ha";
            break;
        case u'~':
            result += "\\(ti";
            break;
        default:
            result += QString(c).toUtf8();
        }
    }
    // A line must not begin with a request.
    return result.startsWith('.') ? "\\&" + result : result;
}

class Page
{
public:
    Page(const char *name, const char *section, const char *title)
    {
        m_text += ".\\\" Made from the table of commands and the reference of the job language.\n.TH \"";
        m_text += QByteArray(name).toUpper() + "\" \"" + section + "\" \"\" \"Trainyard " TRAINYARD_VERSION "\" \"";
        m_text += QByteArray(title) + "\"\n.nh\n.ad l\n";
    }
    void section(const QString &title) { m_text += ".SH \"" + roff(title) + "\"\n"; }
    void part(const QString &title) { m_text += ".SS \"" + roff(title) + "\"\n"; }
    void text(const QString &text) { m_text += ".PP\n" + roff(text) + '\n'; }
    void verbatim(const QString &text, bool indented = true)
    {
        m_text += indented ? ".PP\n.RS 4\n.nf\n" : ".PP\n.nf\n";
        for (const QString &line : text.split(u'\n')) {
            m_text += line.isEmpty() ? QByteArray("\\&\n") : roff(line) + '\n';
        }
        m_text += indented ? ".fi\n.RE\n" : ".fi\n";
    }
    void term(const QString &term, const QStringList &paragraphs)
    {
        // Long names of fields may break behind a dot.
        m_text += ".TP\n\\fB" + roff(term).replace('.', ".\\:") + "\\fR\n";
        bool first = true;
        for (const QString &paragraph : paragraphs) {
            if (paragraph.isEmpty()) {
                continue;
            }
            m_text += (first ? QByteArray() : QByteArray(".br\n")) + roff(paragraph) + '\n';
            first = false;
        }
    }
    QByteArray bytes() const { return m_text; }

private:
    QByteArray m_text;
};

// "print a table" as a sentence.
QString sentenceOf(const QString &text)
{
    return text.isEmpty() ? text : QString(text.first(1).toUpper() + text.sliced(1) + u'.');
}

void addCommand(Page &page, const Command &command)
{
    page.part(command.name);
    page.text(command.summary + u'.');
    const QStringList ways = synopses(command);
    page.verbatim(u"trainyardctl "_s + ways.join(u"\ntrainyardctl "_s), true);
    for (const QString &text : command.text.split(u"\n\n"_s)) {
        page.text(text);
    }
    for (const Option &option : command.options) {
        if (!option.isHidden) {
            page.term(option.spelled(), {sentenceOf(option.text)});
        }
    }
    for (const QString &text : command.more.split(u"\n\n"_s, Qt::SkipEmptyParts)) {
        page.text(text);
    }
    if (!command.examples.isEmpty()) {
        page.text(command.examples.size() == 1 ? u"Example:"_s : u"Examples:"_s);
        page.verbatim(command.examples.join(u'\n'));
    }
    page.text(u"Exit status: "_s + exitsText(command.exits) + u'.'
        + (command.exitNote.isEmpty() ? QString() : QString(u' ' + command.exitNote)));
}

QByteArray commandsPage()
{
    Page page("trainyardctl", "1", "User Commands");
    page.section(u"NAME"_s);
    page.text(u"trainyardctl - check, run and follow training jobs from the command line"_s);
    page.section(u"SYNOPSIS"_s);
    page.verbatim(u"trainyardctl COMMAND [OPTIONS] ..."_s, false);
    page.section(u"DESCRIPTION"_s);
    page.text(u"A job is described in a YAML file, see trainyard-job(5). A FILE of '-' is standard input. A JOB is a "
              "number, the beginning of its UUID, or a name; name:NAME is always a name, also if it looks like one of "
              "the others, as name:12. Of several jobs with one name it is the newest, or, for what is done with "
              "active jobs, the active one. Words after '--' are not options. Every command explains itself with "_s
        + programOptions().constFirst().shown() + u'.');
    page.section(u"COMMANDS"_s);
    for (const Command &command : commands()) {
        addCommand(page, command);
    }
    page.section(u"OPTIONS"_s);
    for (const Option &option : programOptions()) {
        page.term(option.spelled(), {sentenceOf(option.text)});
    }
    page.section(u"EXIT STATUS"_s);
    for (const auto &[status, meaning] : exitMeanings()) {
        page.term(QString::number(status), {sentenceOf(meaning)});
    }
    page.text(
        u"A job that was waited for and failed gives the exit status of its command, or its code, when that is 1 to 125."_s);
    page.text(
        u"When the program that reads the output ends first, as in 'trainyardctl explain | head -1', SIGPIPE ends the "
        "command, which a shell reports as 141. What it had asked the engine to do is done all the same."_s);
    page.section(u"ENVIRONMENT"_s);
    page.term(u"NO_COLOR"_s, {u"When it is set, output has no colours."_s});
    page.section(u"SEE ALSO"_s);
    page.text(u"trainyard(1), trainyard-job(5)"_s);
    return page.bytes();
}

QByteArray programPage()
{
    Page page("trainyard", "1", "User Commands");
    page.section(u"NAME"_s);
    page.text(u"trainyard - design, run and watch training jobs"_s);
    page.section(u"SYNOPSIS"_s);
    page.verbatim(u"trainyard [OPTIONS] [FILE...]"_s, false);
    page.section(u"DESCRIPTION"_s);
    page.text(u"Opens each FILE for editing, in the window that is open already when there is one. A job is edited as "
              "a form and as YAML at the same time, checked while it is typed, run on this computer or on hosts that "
              "can be reached over ssh, and watched. Jobs go on when the window is closed."_s);
    page.text(u"A job of version 1 (JSON) is converted into a new document when it is opened; the file stays as it "
              "is."_s);
    page.section(u"OPTIONS"_s);
    for (const WindowOption &option : windowOptions()) {
        page.term(
            u"--"_s + option.name + (option.value.isEmpty() ? QString() : QString(u' ' + option.value)), {option.text});
    }
    page.term(u"-h, --help"_s, {u"Show the options."_s}); // these two are Qt's
    page.term(u"-v, --version"_s, {u"Show the version."_s});
    page.section(u"SEE ALSO"_s);
    page.text(u"trainyardctl(1), trainyard-job(5)"_s);
    return page.bytes();
}

// "integer, 0 or more; default 0; required"
QString facts(const ReferenceField &field)
{
    QString text = field.typeText();
    if (!field.rangeText().isEmpty()) {
        text += u", "_s + field.rangeText();
    }
    if (!field.unit.isEmpty()) {
        text += u" ("_s + field.unit + u')';
    }
    if (!field.defaultText().isEmpty()) {
        text += u"; default "_s + field.defaultText();
    }
    if (field.required) {
        text += u"; required"_s;
        text += field.requiredWhere.isEmpty() ? QString() : QString(u' ' + field.requiredWhere);
    }
    if (!field.textPattern.isEmpty()) {
        text += u"; matches "_s + field.textPattern;
    }
    if (!field.keyPattern.isEmpty()) {
        text += u"; keys match "_s + field.keyPattern;
    }
    if (!field.kinds.isEmpty()) {
        text += u"; for "_s + field.kinds.join(u", "_s);
    }
    return text;
}

QString valuesText(const ReferenceField &field)
{
    QStringList words;
    for (const ReferenceValue &value : field.values) {
        words.append(value.value + u": "_s + value.text);
    }
    return words.join(u"; "_s);
}

struct Group {
    QString title;
    QString first; // first element of the pattern; empty: the fields of the top level
};

QList<Group> groups()
{
    return {{u"Top level"_s, {}}, {u"Prerequisites"_s, u"prerequisites"_s}, {u"Task roles"_s, u"taskRoles"_s},
        {u"Parameters and secrets"_s, u"parameters secrets"_s}, {u"Deployments"_s, u"deployments"_s},
        {u"Defaults"_s, u"defaults"_s}, {u"Extras"_s, u"extras"_s}};
}

QList<const ReferenceField *> fieldsOf(const Group &group)
{
    QList<const ReferenceField *> list;
    for (const ReferenceField &field : FieldReference::bundled().fields()) {
        const bool top = field.pattern.size() == 1;
        const bool wanted
            = group.first.isEmpty() ? top : !top && group.first.split(u' ').contains(field.pattern.first());
        if (wanted && !field.forbidden) {
            list.append(&field);
        }
    }
    return list;
}

QStringList differences(const ReferenceField &field)
{
    QStringList lines;
    for (const auto &[who, text] : {std::pair{u"Trainyard: "_s, field.here},
             std::pair{u"OpenPAI server: "_s, field.server}, std::pair{u"OpenPAI portal: "_s, field.portal}}) {
        if (!text.isEmpty()) {
            lines.append(who + text);
        }
    }
    if (!field.oldNames.isEmpty()) {
        lines.append(u"Also understood: "_s + field.oldNames.join(u", "_s) + u'.');
    }
    return lines;
}

QByteArray jobPage()
{
    const FieldReference &reference = FieldReference::bundled();
    Page page("trainyard-job", "5", "File Formats");
    page.section(u"NAME"_s);
    page.text(u"trainyard-job - description of a training job"_s);
    page.section(u"DESCRIPTION"_s);
    page.text(u"A YAML file, usually named NAME.pai.yaml, in version 2 of the OpenPAI job protocol. A '*' below is a "
              "name that you choose, or an item of a list. trainyardctl check says what is wrong with a file, "
              "trainyardctl explain FIELD shows one entry of this page with an example."_s);
    page.section(u"EXAMPLE"_s);
    page.verbatim(u"protocolVersion: 2\nname: hello\ntype: job\nprerequisites:\n  - name: image\n"
                  "    type: dockerimage\n    uri: ubuntu:22.04\ntaskRoles:\n  main:\n    instances: 1\n"
                  "    dockerImage: image\n    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 1024}\n"
                  "    commands:\n      - echo \"task $PAI_TASK_INDEX\""_s);
    page.section(u"FIELDS"_s);
    for (const Group &group : groups()) {
        page.part(group.title);
        for (const ReferenceField *field : fieldsOf(group)) {
            if (field->reserved) {
                continue;
            }
            QStringList lines{facts(*field), field->brief, field->help};
            if (!field->values.isEmpty() && field->type != FieldType::Version) {
                lines.append(valuesText(*field));
            }
            page.term(field->dotted(), lines + differences(*field));
        }
    }
    page.section(u"TEMPLATES"_s);
    page.text(u"In commands, <% $parameters.NAME %>, <% $secrets.NAME %>, <% $data.KEY %>, <% $script.KEY %> and "
              "<% $output.KEY %> are replaced once, as text and without quoting. What resolves to nothing stays as it "
              "is and is reported."_s);
    page.section(u"EVENTS"_s);
    for (const ReferenceEvent &event : reference.events()) {
        page.term(event.name, {event.text});
    }
    page.section(u"ENVIRONMENT"_s);
    page.text(u"Tasks see these variables. <role> is the name of a role, also in lower-case letters and digits only; "
              "<index> the number of a task; <label> the label of a port."_s);
    for (const ReferenceVariable &variable : reference.variables()) {
        page.term(variable.name, {variable.text});
    }
    page.section(u"SEE ALSO"_s);
    page.text(u"trainyard(1), trainyardctl(1)"_s);
    return page.bytes();
}

// Text in a table, where a bar would end the cell, and asterisks and angle brackets are markup.
QString cell(const QString &text)
{
    QString result = text;
    result.replace(u'\\', u"\\\\"_s).replace(u'|', u"\\|"_s).replace(u'*', u"\\*"_s).replace(u'<', u"&lt;"_s);
    // An underscore at the edge of a word begins or ends emphasis, and would be lost; within a word it is one.
    static const QRegularExpression edge(u"(?<![A-Za-z0-9_])_|_(?![A-Za-z0-9_])"_s);
    QStringList parts = result.split(u'`'); // each second one is code
    for (qsizetype i = 0; i < parts.size(); i += 2) {
        parts[i].replace(edge, u"\\_"_s);
    }
    return parts.join(u'`').replace(u'\n', u' ');
}

QString code(const QString &text) { return u'`' + QString(text).replace(u'|', u"\\|"_s) + u'`'; }

} // namespace

QByteArray manualPage(const QString &name)
{
    if (name == "trainyardctl.1"_L1) {
        return commandsPage();
    }
    if (name == "trainyard.1"_L1) {
        return programPage();
    }
    return name == "trainyard-job.5"_L1 ? jobPage() : QByteArray();
}

QByteArray referenceMarkdown()
{
    const FieldReference &reference = FieldReference::bundled();
    QString text = u"# Reference of the job language\n\n"
                   "[The job protocol](protocol.md) describes how the parts work together. A `*` is a name that you "
                   "choose, or an item of a list.\n"_s;
    for (const Group &group : groups()) {
        text += u"\n## "_s + group.title + u"\n\n| field | type | meaning | differences |\n|---|---|---|---|\n"_s;
        for (const ReferenceField *field : fieldsOf(group)) {
            QString meaning = field->brief;
            if (!field->help.isEmpty()) {
                meaning += u' ' + field->help;
            }
            if (!field->values.isEmpty() && field->type != FieldType::Version) {
                meaning += u" Values: "_s + valuesText(*field) + u'.';
            }
            QStringList more = differences(*field);
            if (field->since != reference.fields().first().since) {
                more.append(u"Since "_s + field->since + u'.');
            }
            text += u"| "_s + code(field->dotted()) + u" | "_s + cell(facts(*field)) + u" | "_s + cell(meaning)
                + u" | "_s + cell(more.join(u' ')) + u" |\n"_s;
        }
    }
    text += u"\n## Events of prerequisites\n\n| event | meaning |\n|---|---|\n"_s;
    for (const ReferenceEvent &event : reference.events()) {
        text += u"| "_s + code(event.name) + u" | "_s + cell(event.text) + u" |\n"_s;
    }
    text += u"\n## Variables of a task\n\n| variable | meaning | example |\n|---|---|---|\n"_s;
    for (const ReferenceVariable &variable : reference.variables()) {
        text += u"| "_s + code(variable.name) + u" | "_s + cell(variable.text)
            + (variable.old ? u" (Older name.)"_s : QString()) + u" | "_s
            + (variable.example.isEmpty() ? QString() : code(variable.example)) + u" |\n"_s;
    }
    return text.toUtf8();
}

} // namespace trainyard::cli
