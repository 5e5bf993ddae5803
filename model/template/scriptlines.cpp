// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/scriptlines.h"

#include "model/template/tags.h"

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

class ScriptLinesOf
{
public:
    ScriptLinesOf(const JobSpec &job, const TaskRole &role)
    {
        const auto chosen = [&job](const QString &type, const QString &name) -> const Value * {
            const Prerequisite *item = name.isEmpty() ? nullptr : job.prerequisite(type, name);
            return item ? &item->all : nullptr;
        };
        m_scopes.parameters = &job.parameters;
        m_scopes.script = chosen(u"script"_s, role.script);
        m_scopes.output = chosen(u"output"_s, role.output);
        m_scopes.data = chosen(u"data"_s, role.data);
        m_secrets.secrets = &job.secrets;
    }

    void add(const QStringList &commands, const YamlPath &list, QList<ScriptLine> &lines) const
    {
        for (qsizetype i = 0; i < commands.size(); ++i) {
            const QString trimmed = trimmedAsServer(commands.at(i));
            const qsizetype cut = std::max<qsizetype>(0, commands.at(i).indexOf(trimmed));
            const auto first = int(QStringView(commands.at(i)).first(cut).count(u'\n'));
            add(trimmed, list.child(i), first, lines);
        }
    }

private:
    void add(const QString &command, const YamlPath &path, int first, QList<ScriptLine> &lines) const
    {
        QList<ScriptLine> own;
        const QStringList texts = command.split(u'\n');
        for (const QString &text : texts) {
            const std::optional<ScriptLine> line = filled(text, path, first + int(own.size()));
            if (!line) {
                if (const std::optional<ScriptLine> whole = filled(command, path, first)) {
                    lines.append(*whole);
                }
                return;
            }
            own.append(*line);
        }
        lines += own;
    }

    std::optional<ScriptLine> filled(const QString &text, const YamlPath &path, int number) const
    {
        ScriptLine line{path, number, text, text, {}, 1};
        if (hasTag(text)) {
            const Result<Rendered> rendered = renderTemplate(text, m_scopes);
            if (!rendered) {
                return std::nullopt;
            }
            line.filled = rendered->text;
            line.values = rendered->filled;
        }
        const Result<Rendered> whole = renderTemplate(line.filled, m_secrets);
        line.rows = 1 + int((whole ? whole->text : line.filled).count(u'\n'));
        return line;
    }

    TemplateScopes m_scopes;
    TemplateScopes m_secrets;
};

// The script has no blanks at its beginning, also where they are those of a value.
void cutBegin(QList<ScriptLine> &lines)
{
    for (ScriptLine &line : lines) {
        const auto text = std::find_if_not(line.filled.cbegin(), line.filled.cend(), isServerSpace);
        line.rows -= int(std::count(line.filled.cbegin(), text, u'\n'));
        if (text != line.filled.cend()) {
            return;
        }
        line.rows = 0;
    }
}

} // namespace

QList<ScriptLine> scriptLines(const JobSpec &job, const TaskRole &role)
{
    QList<ScriptLine> lines;
    const ScriptLinesOf in(job, role);
    const auto deployment = std::find_if(job.deployments.cbegin(), job.deployments.cend(),
        [&job](const Deployment &each) { return each.name == job.defaultDeployment; });
    const DeploymentCommands *around = job.activeDeployment(role.name);
    const YamlPath ofRole = around
        ? YamlPath{u"deployments"_s, deployment - job.deployments.cbegin()}.child(u"taskRoles"_s).child(role.name)
        : YamlPath();
    if (around) {
        in.add(around->preCommands, ofRole.child(u"preCommands"_s), lines);
    }
    in.add(role.commands, YamlPath{u"taskRoles"_s, role.name, u"commands"_s}, lines);
    if (around) {
        in.add(around->postCommands, ofRole.child(u"postCommands"_s), lines);
    }
    cutBegin(lines);
    return lines;
}

const ScriptLine *scriptLineAt(const QList<ScriptLine> &lines, int row)
{
    int before = 0;
    for (const ScriptLine &line : lines) {
        if (row > before && row <= before + line.rows) {
            return &line;
        }
        before += line.rows;
    }
    return nullptr;
}

} // namespace trainyard
