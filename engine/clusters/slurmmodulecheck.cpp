// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmmodulecheck.h"

#include "engine/clusters/slurmrefusal.h"
#include "model/template/pluginsteps.h"

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1StringView moduleWord{"trainyard-modules "}; // before what the script says: a profile prints, too

} // namespace

QStringList moduleCheckArguments(const QStringList &modules)
{
    // The step of a task reports its failures by this function.
    const QString script = "__ty_fail() { printf '"_L1 + moduleWord + "%s\\n' \"$2\"; exit 3; }\nset -o errexit\n"_L1
        + modulesStep(modules, QString()) + "\nprintf '"_L1 + moduleWord + "loaded\\n'\n"_L1;
    return {u"-lc"_s, script};
}

Error moduleFault(const SlurmCommands::Answer &answer)
{
    const QString detail = refusal(answer.errors);
    const QList<QByteArray> lines = answer.out.split('\n');
    QString said;
    for (const QByteArray &line : lines) {
        if (const QString text = QString::fromUtf8(line); text.startsWith(moduleWord)) {
            said = text.sliced(moduleWord.size());
        }
    }
    if (answer.isGood() && said == "loaded"_L1) {
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
