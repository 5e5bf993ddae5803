// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmmodulecheck.h"

#include "engine/clusters/slurmrefusal.h"
#include "model/template/pluginsteps.h"

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

// Before what the script says: a profile prints, too. A step of a task reports its failures behind such a mark.
constexpr QLatin1StringView moduleMark{"trainyard-modules"}, loadedWord{"trainyard-modules loaded"},
    causeWord{"trainyard-modulesT0 trainyard [ERROR] STEP CAUSE "};

// What `module` has said, without what the script adds.
QByteArray wordsOfModule(const QByteArray &errors)
{
    QByteArrayList lines = errors.split('\n');
    lines.removeIf([](const QByteArray &line) { return line.startsWith("trainyard: "); });
    return lines.join('\n');
}

} // namespace

QStringList moduleCheckArguments(const QStringList &modules)
{
    const QString script = "__ty_mark="_L1 + moduleMark + "\nexec 99>&1\nset -o errexit\n"_L1
        + modulesStep(modules, QString()) + "\necho "_L1 + loadedWord + u'\n';
    return {u"-lc"_s, script};
}

Error moduleFault(const SlurmCommands::Answer &answer)
{
    const QString detail = refusal(wordsOfModule(answer.errors));
    const QList<QByteArray> lines = answer.out.split('\n');
    QString said;
    bool isLoaded = false;
    for (const QByteArray &line : lines) {
        const QString text = QString::fromUtf8(line);
        isLoaded = isLoaded || text == loadedWord;
        if (const qsizetype at = text.indexOf(causeWord); at >= 0) {
            said = text.sliced(at + causeWord.size());
        }
    }
    if (answer.isGood() && isLoaded) {
        return {};
    }
    const QString what = said.section(u' ', 0, 0), name = said.section(u' ', 1).section(u'\t', 0, 0);
    if (what == "module"_L1 && !name.isEmpty()) {
        return {u"slurm.module-unloaded"_s, {{u"module"_s, name}, {u"detail"_s, detail}}};
    }
    if (what == "module-command"_L1 && !name.isEmpty()) {
        return {u"slurm.module-no-command"_s, {{u"module"_s, name}}};
    }
    return {u"slurm.modules-unknown"_s, {{u"detail"_s, detail}}};
}

} // namespace trainyard::slurm
