// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/names.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/words.h"
#include "model/protocol/jobdocument.h"
#include "model/sweep/sweepaxis.h"

#include <cctype>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

QStringList namesIn(const Value &map)
{
    QStringList names;
    if (const Value::Map *entries = map.asMap()) {
        for (const auto &[name, value] : *entries) {
            names.append(name);
        }
    }
    return names;
}

// Whether the text has the reference, and not only the beginning of a longer one.
bool isUsed(const QByteArray &yaml, const QByteArray &reference)
{
    for (qsizetype at = yaml.indexOf(reference); at >= 0; at = yaml.indexOf(reference, at + 1)) {
        const qsizetype end = at + reference.size();
        const char next = end < yaml.size() ? yaml.at(end) : ' ';
        if (!std::isalnum(static_cast<unsigned char>(next)) && next != '_' && next != '-') {
            return true;
        }
    }
    return false;
}

QString unknownOf(const QStringList &wanted, const QStringList &defined, const QByteArray &yaml, const char *scope)
{
    for (const QString &name : wanted) {
        QByteArray use(scope);
        use.append(name.toUtf8());
        if (!defined.contains(name) && !isUsed(yaml, use)) {
            return name;
        }
    }
    return {};
}

} // namespace

int refuseUnknownNames(
    const QString &command, const QByteArray &yaml, const QStringList &parameters, const QStringList &secrets)
{
    if (parameters.isEmpty() && secrets.isEmpty()) {
        return exitOk;
    }
    const ParseOutcome outcome = parseJob(yaml);
    if (!outcome.spec || !outcome.document.isComplete()) { // what is wrong with the text is said later
        return exitOk;
    }
    const QStringList known = namesIn(outcome.spec->parameters);
    if (const QString name = unknownOf(parameters, known, yaml, "$parameters."); !name.isEmpty()) {
        return usageError(command,
            known.isEmpty() ? tr("The job has no parameter '%1'; it has no parameters at all.").arg(name)
                            : tr("The job has no parameter '%1'. It has: %2.").arg(name, known.join(u", "_s))
                    + didYouMean(name, known));
    }
    // With all of them masked, only what refers to them tells their names.
    const bool isMasked = outcome.spec->secretsMasked;
    const QStringList hidden = isMasked ? outcome.spec->askedSecrets : namesIn(outcome.spec->secrets);
    if (const QString name = unknownOf(secrets, hidden, yaml, "$secrets."); !name.isEmpty()) {
        return usageError(command,
            hidden.isEmpty() ? tr("The job has no secret '%1'; it has no secrets at all.").arg(name)
                             : (isMasked ? tr("The job has no secret '%1'. It uses: %2.")
                                         : tr("The job has no secret '%1'. It has: %2."))
                                   .arg(name, hidden.join(u", "_s))
                    + didYouMean(name, hidden));
    }
    return exitOk;
}

int refuseOtherTypes(const QByteArray &yaml, const QMap<QString, QString> &parameters)
{
    const ParseOutcome outcome = parameters.isEmpty() ? ParseOutcome() : parseJob(yaml);
    for (auto it = parameters.cbegin(); it != parameters.cend(); ++it) {
        const Value *known = outcome.spec ? outcome.spec->parameters.find(it.key()) : nullptr;
        if (const std::optional<Error> other = known ? otherType(it.key(), *known, *it) : std::nullopt) {
            failureLine(*other);
            return exitUnusable;
        }
    }
    return exitOk;
}

} // namespace trainyard::cli
