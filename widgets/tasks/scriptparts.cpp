// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/scriptparts.h"

#include "model/template/tags.h"

#include <algorithm>

namespace trainyard
{
namespace
{
const QByteArray stepCallBegin = "__ty_step ";
const QByteArray runnerEnd = "\nunset __ty_child\n";
const QByteArray commandsBegin = "    exec 97< <(printf '%s' ";
const QByteArray commandsFirst = "exec 97<&-; ";

// One word of a shell, as shellQuote() writes it; `at` is left behind it.
QByteArray wordAt(const QByteArray &text, qsizetype &at)
{
    QByteArray word;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text.at(at);
        if (c == '\'') {
            quoted = !quoted;
        } else if (quoted) {
            word += c;
        } else if (c == '\\' && at + 1 < text.size()) {
            word += text.at(++at);
        } else if (c == ' ' || c == '\n' || c == ')') {
            break;
        } else {
            word += c;
        }
    }
    return word;
}

// The commands of the role, without the trap of ours before them that tells how they ended.
QByteArray withoutTrap(const QByteArray &code)
{
    const QByteArray trapEnd = "' EXIT\n";
    const qsizetype end = code.indexOf(trapEnd);
    const bool isOurs = code.startsWith("trap '{\n") && code.first(std::max<qsizetype>(0, end)).contains("TRAINYARD_");
    return end > 0 && isOurs ? code.mid(end + trapEnd.size()) : code;
}
} // namespace

QList<ScriptPart> scriptParts(const QByteArray &script)
{
    QList<ScriptPart> parts;
    for (qsizetype at = 0; at >= 0 && at < script.size();) {
        const qsizetype lineEnd = script.indexOf('\n', at);
        if (QByteArrayView(script).sliced(at).startsWith(stepCallBegin)) {
            at += stepCallBegin.size();
            ScriptPart part;
            part.kind = wordAt(script, at) == "after" ? ScriptPart::Kind::After : ScriptPart::Kind::Before;
            part.name = wordAt(script, ++at);
            part.isIgnored = wordAt(script, ++at).endsWith("ignore");
            part.code = wordAt(script, ++at);
            parts.append(part);
            at = script.indexOf('\n', at);
        } else if (QByteArrayView(script).sliced(at).startsWith(commandsBegin)) {
            at += commandsBegin.size();
            ScriptPart part;
            part.code = wordAt(script, at);
            if (part.code.startsWith(commandsFirst)) {
                part.code.remove(0, commandsFirst.size());
            }
            part.code = withoutTrap(part.code);
            parts.append(part);
            at = script.indexOf('\n', at);
        } else {
            at = lineEnd;
        }
        if (at >= 0) {
            if (QByteArrayView(script).sliced(at).startsWith('\n')) {
                ++at;
            }
            // Nothing is left to do after the commands: they are the rest of the script.
            if (at >= runnerEnd.size() && QByteArrayView(script).first(at).endsWith(runnerEnd)) {
                parts.append({ScriptPart::Kind::Commands, {}, false, withoutTrap(script.mid(at))});
                return parts;
            }
        }
    }
    const bool hasCommands = std::any_of(
        parts.cbegin(), parts.cend(), [](const ScriptPart &part) { return part.kind == ScriptPart::Kind::Commands; });
    // Of a form that is not known here: nothing of it is left out.
    return hasCommands ? parts : QList<ScriptPart>{{ScriptPart::Kind::Commands, {}, false, script}};
}

QList<PartValue> partValues(const ScriptPart &part, const ComposedRole *composed)
{
    QList<PartValue> values;
    const auto add = [&](PartValue::Kind kind, const QString &text, qsizetype begin, qsizetype length, qsizetype at) {
        const qsizetype before = QStringView(text).first(begin).toUtf8().size();
        values.append({kind, at + before, QStringView(text).sliced(begin, length).toUtf8().size()});
    };
    const auto addFilled = [&](const QString &text, const QList<FilledValue> &filled) {
        const qsizetype at = part.code.indexOf(text.toUtf8()); // a header, or lines of ours, may stand before it
        for (const FilledValue &value : filled) {
            if (at >= 0 && !text.isEmpty()) {
                add(PartValue::Kind::Filled, text, value.begin, value.length, at);
            }
        }
    };
    if (composed && part.kind == ScriptPart::Kind::Commands) {
        addFilled(composed->userScript, composed->filled);
    } else if (composed) {
        const QList<PluginScript> &steps = part.kind == ScriptPart::Kind::Before ? composed->before : composed->after;
        const auto step = std::find_if(
            steps.cbegin(), steps.cend(), [&](const PluginScript &each) { return each.name.toUtf8() == part.name; });
        if (step != steps.cend()) {
            addFilled(step->script, step->filled);
        }
    }
    const QString code = QString::fromUtf8(part.code);
    const Result<QList<TemplateTag>> tags = templateTags(code);
    for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>()) {
        if (templateReference(tag.key).scope == QLatin1String("$secrets")) {
            add(PartValue::Kind::Secret, code, tag.begin, tag.end - tag.begin, 0);
        }
    }
    std::sort(values.begin(), values.end(), [](const PartValue &a, const PartValue &b) { return a.begin < b.begin; });
    return values;
}

} // namespace trainyard
