// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/scriptparts.h"

#include "model/template/tags.h"

#include <algorithm>
#include <type_traits>

namespace trainyard
{
namespace
{
const QByteArray stepCallBegin = "__ty_step ";
const QByteArray runnerLastLine = "unset __ty_child"; // and what else only the runner uses
const QByteArray commandsBegin = "    exec 97< <(printf '%s' ";
const QByteArray commandsFirst = "exec 97<&-; ";
const QByteArray commandsOptions = "set -o errexit -o nounset -o pipefail";
const QByteArray stepFails = "set -o errexit\n";
const QByteArray stepGoesOn = "set +o errexit\n";

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

// The commands of the role, without what stands before them for every role.
ScriptPart commandsPart(QByteArray code)
{
    ScriptPart part;
    if (code.startsWith(commandsFirst)) {
        code.remove(0, commandsFirst.size());
    }
    code = withoutTrap(code);
    for (const QByteArray &end : {QByteArray("\n"), QByteArray("; ")}) {
        const QByteArray head = commandsOptions + end;
        if (code.startsWith(head)) {
            code.remove(0, head.size());
            part.isHeaded = true;
            break;
        }
    }
    part.code = code;
    return part;
}

// Whether a step's text begins with its option, which has no line of its own where bash runs it; one that goes on
// behind a failure ends with the other option.
template <typename Text> Text withoutOptions(Text code)
{
    const auto as = [](const QByteArray &bytes) {
        if constexpr (std::is_same_v<Text, QString>) {
            return QString::fromLatin1(bytes);
        } else {
            return bytes;
        }
    };
    if (code.startsWith(as(stepFails))) {
        return code.mid(stepFails.size());
    }
    if (!code.startsWith(as(stepGoesOn))) {
        return code;
    }
    code = code.mid(stepGoesOn.size());
    if (code.endsWith(as(stepFails))) {
        code.chop(stepFails.size());
    }
    return code;
}

bool isRunnersLastLine(const QByteArray &script, qsizetype end)
{
    const qsizetype begin = end > 1 ? script.lastIndexOf('\n', end - 2) + 1 : 0;
    return end > begin && script.at(end - 1) == '\n'
        && QByteArrayView(script).sliced(begin, end - begin).startsWith(runnerLastLine);
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
            part.code = withoutOptions(wordAt(script, ++at));
            parts.append(part);
            at = script.indexOf('\n', at);
        } else if (QByteArrayView(script).sliced(at).startsWith(commandsBegin)) {
            at += commandsBegin.size();
            parts.append(commandsPart(wordAt(script, at)));
            at = script.indexOf('\n', at);
        } else {
            at = lineEnd;
        }
        if (at >= 0) {
            if (QByteArrayView(script).sliced(at).startsWith('\n')) {
                ++at;
            }
            // Nothing is left to do after the commands: they are the rest of the script.
            if (isRunnersLastLine(script, at)) {
                parts.append(commandsPart(script.mid(at)));
                return parts;
            }
        }
    }
    const bool hasCommands = std::any_of(
        parts.cbegin(), parts.cend(), [](const ScriptPart &part) { return part.kind == ScriptPart::Kind::Commands; });
    // If the form is not known here, nothing of it is left out.
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
        const QString shown = withoutOptions(text);
        const qsizetype lead = shown.size() == text.size() ? 0 : stepFails.size(); // both options are as long
        const qsizetype at = part.code.indexOf(shown.toUtf8()); // a header, or lines of ours, may stand before it
        for (const FilledValue &value : filled) {
            if (at >= 0 && !shown.isEmpty() && value.begin >= lead) {
                add(PartValue::Kind::Filled, shown, value.begin - lead, value.length, at);
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
