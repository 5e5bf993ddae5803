// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/secretmove.h"

#include "engine/client/secretmemory.h"
#include "model/base/utf8.h"
#include "widgets/form/formcontext.h"
#include "widgets/text/texts.h"

namespace trainyard
{
namespace
{

const QString masked = QStringLiteral("******");

QString listed(const SecretVault::Values &values) { return QStringList(values.keys()).join(QStringLiteral(", ")); }

} // namespace

SecretMove::SecretMove(FormContext *context, const YamlPath &secrets, QObject *parent)
    : QObject(parent), m_context(context), m_path(secrets)
{
}

// Values that are one text; `others` gets the names of maps and lists, which a keyring does not hold.
SecretVault::Values SecretMove::valuesInText(const QStringList &names, QStringList *others) const
{
    SecretVault::Values values;
    for (const QString &name : names) {
        const YamlNode *node = m_context->node(m_path.child(name));
        if (!node) {
            continue;
        }
        if (node->kind != YamlNode::Kind::Scalar) {
            others->append(name);
            continue;
        }
        const QString value = textFromUtf8(node->scalar);
        if (value != masked) {
            values.insert(name, node->isNull() ? QString() : value);
        }
    }
    return values;
}

void SecretMove::move(const QStringList &names, Purpose purpose)
{
    m_purpose = purpose;
    QStringList others;
    SecretVault::Values values = valuesInText(names, &others);
    if (!others.isEmpty()) {
        const QString sentence = tr("%1 is a map or a list, which a keyring cannot hold. It stays in the text.")
                                     .arg(others.join(QStringLiteral(", ")));
        m_context->tell({FormNotice::Kind::Waiting, values.isEmpty() ? withOutcome(sentence) : sentence, {}});
    }
    // Nothing is lost with an empty value, and the keyring has no use for it.
    const QStringList empty = values.keys(QString());
    for (const QString &name : empty) {
        values.remove(name);
    }
    mask(empty, values.isEmpty() && others.isEmpty());
    if (values.isEmpty()) {
        return;
    }
    const QString job = m_context->text({QStringLiteral("name")}).value_or(QString());
    if (job.isEmpty()) {
        sayWhyNot({QStringLiteral("keyring.no-job-name"), {}}, values);
        return;
    }
    SecretVault *vault = m_context->vault();
    if (!vault || !vault->isThere()) {
        sayWhyNot({QStringLiteral("keyring.none"), {{QStringLiteral("reason"), QString()}}}, values);
        return;
    }
    // Another document of the same name may have put another value there: it is not overwritten unasked.
    vault->find(job, values.keys(), this, [this, job, values](const Result<SecretVault::Values> &found) {
        if (!found) {
            sayWhyNot(found.error(), values);
            return;
        }
        SecretVault::Values different;
        for (auto it = found->cbegin(); it != found->cend(); ++it) {
            if (*it != values.value(it.key())) {
                different.insert(it.key(), *it);
            }
        }
        if (different.isEmpty()) {
            keep(job, values);
            return;
        }
        m_context->tell({FormNotice::Kind::Waiting,
            withOutcome(tr("The keyring has another value for %1 of a job named %2.").arg(listed(different), job)),
            {{tr("Replace it"), [this, job, values] { keep(job, values); }},
                {tr("Use the keyring's"), [this, job, values, different] {
                     mask(different.keys(), different.size() == values.size());
                     SecretVault::Values rest = values;
                     for (const QString &name : different.keys()) {
                         rest.remove(name);
                     }
                     if (!rest.isEmpty()) {
                         keep(job, rest);
                     }
                 }}}});
    });
}

void SecretMove::keep(const QString &job, const SecretVault::Values &values)
{
    SecretVault *vault = m_context->vault();
    if (!vault) {
        return;
    }
    vault->keep(job, values, this, [this, job, values](const Result<void> &kept) {
        if (kept) {
            check(job, values);
        } else {
            sayWhyNot(kept.error(), values);
        }
    });
}

void SecretMove::check(const QString &job, const SecretVault::Values &values)
{
    SecretVault *vault = m_context->vault();
    if (!vault) {
        return;
    }
    vault->find(job, values.keys(), this, [this, job, values](const Result<SecretVault::Values> &found) {
        if (found && *found == values) {
            takeOut(job, values);
        } else {
            sayWhyNot(found ? Error{QStringLiteral("keyring.refused"), {{QStringLiteral("reason"), QString()}}}
                            : found.error(),
                values);
        }
    });
}

void SecretMove::takeOut(const QString &job, const SecretVault::Values &values)
{
    // Text that was typed meanwhile is not in the keyring.
    QStringList others;
    const SecretVault::Values now = valuesInText(values.keys(), &others);
    QStringList same;
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        if (now.contains(it.key()) && now.value(it.key()) == *it) {
            same.append(it.key());
        }
    }
    if (same.isEmpty() || m_context->text({QStringLiteral("name")}) != job) {
        if (m_purpose == Purpose::Save) {
            m_context->tell({FormNotice::Kind::Waiting, withOutcome(tr("The text has changed meanwhile.")), {}});
        }
        return;
    }
    QList<edit::Op> ops;
    for (const QString &name : std::as_const(same)) {
        ops.append(edit::SetText{m_path.child(name), masked});
    }
    m_context->edit(ops, [this, same](const Result<void> &result) {
        if (result) {
            m_context->tell({FormNotice::Kind::Succeeded,
                tr("%1 is in this desktop's keyring now, and Run finds it there. Undo brings it back into the file.")
                    .arg(same.join(QStringLiteral(", "))),
                {}});
            Q_EMIT moved();
        }
    });
}

// `isAll`: there is nothing else to be moved, so that this was what the file waited for.
void SecretMove::mask(const QStringList &names, bool isAll)
{
    QList<edit::Op> ops;
    for (const QString &name : names) {
        ops.append(edit::SetText{m_path.child(name), masked});
    }
    m_context->edit(ops, [this, isAll](const Result<void> &result) {
        if (result && isAll) {
            Q_EMIT moved();
        }
    });
}

// A user who pressed Save must not believe that it is done.
QString SecretMove::withOutcome(const QString &sentence) const
{
    return m_purpose == Purpose::Save ? sentence + QLatin1Char(' ') + tr("The file is not saved.") : sentence;
}

void SecretMove::sayWhyNot(const Error &error, const SecretVault::Values &values)
{
    const QString where = m_purpose == Purpose::Save ? tr("The value of %1 is still in the text.")
                                                     : tr("The value of %1 is still in the file.");
    m_context->tell(
        {FormNotice::Kind::Waiting, errorText(error) + QLatin1Char(' ') + withOutcome(where.arg(listed(values))),
            {{m_purpose == Purpose::Save ? tr("Save without the value") : tr("Remove it anyway"),
                [this, names = values.keys()] {
                    remember(names);
                    mask(names, true);
                }}}});
}

// A user who has just typed a value is not asked for it again at once.
void SecretMove::remember(const QStringList &names) const
{
    QStringList others;
    const SecretVault::Values values = valuesInText(names, &others);
    const QString job = m_context->text({QStringLiteral("name")}).value_or(QString());
    if (SecretMemory *memory = m_context->secretMemory(); memory && !job.isEmpty() && !values.isEmpty()) {
        memory->remember(job, values);
    }
}

void SecretMove::follow(const QString &from, const QString &to)
{
    SecretVault *vault = m_context->vault();
    const QString job = m_context->text({QStringLiteral("name")}).value_or(QString());
    if (SecretMemory *memory = m_context->secretMemory()) {
        memory->rename(job, from, to);
    }
    if (!vault || !vault->isThere() || job.isEmpty() || m_context->text(m_path.child(from)) != masked) {
        return;
    }
    vault->find(job, {from, to}, this, [this, job, from, to](const Result<SecretVault::Values> &found) {
        if (found && found->contains(from) && !found->contains(to) && m_context->vault()) {
            m_context->vault()->keep(job, {{to, found->value(from)}}, this, [](const Result<void> &) {});
        }
    });
}

} // namespace trainyard
