// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/secrets.h"

#include "app/common/keyring.h"
#include "app/gui/secretsdialog.h"
#include "model/protocol/jobdocument.h"

#include <QPointer>
#include <QWidget>

#include <algorithm>

namespace trainyard
{

QString documentNameOf(const JobDetail &detail)
{
    if (!detail.documentName.isEmpty()) {
        return detail.documentName;
    }
    // A job that was given a name leaves that of its text, and a rehearsal has a text beside that of the document.
    const ParseOutcome outcome = parseJob(detail.original.isEmpty() ? detail.yaml : detail.original);
    return outcome.spec && !outcome.spec->name.isEmpty() ? outcome.spec->name : detail.summary.name;
}

Secrets::Secrets(QWidget *window) : QObject(window), m_window(window), m_vault(new Keyring(this)) { }

void Secrets::setVault(SecretVault *vault)
{
    m_vault = vault;
    Q_EMIT vaultChanged(vault);
}

void Secrets::withValues(const QString &document, const QStringList &wanted, const Use &use, QWidget *over)
{
    if (wanted.isEmpty()) {
        use({});
        return;
    }
    const QPointer<QWidget> parent = over ? over : m_window;
    const auto ask = [this, use, document, wanted, parent](const SecretVault::Values &known) {
        if (!parent) {
            return;
        }
        auto *dialog = new SecretsDialog(document, wanted, m_vault, known, parent);
        connect(dialog, &SecretsDialog::valuesGiven, this, use);
        // Not every window manager gives the keys back to the dialog below.
        connect(dialog, &QDialog::finished, parent, [parent] { parent->activateWindow(); });
        dialog->open();
        dialog->activateWindow();
    };
    if (!m_vault || !m_vault->isThere()) {
        ask({});
        return;
    }
    m_vault->find(document, wanted, this, [use, wanted, ask](const Result<SecretVault::Values> &found) {
        const SecretVault::Values known = found.value_or(SecretVault::Values());
        const bool all = std::all_of(
            wanted.cbegin(), wanted.cend(), [&known](const QString &secret) { return !known.value(secret).isEmpty(); });
        if (all) {
            use(known);
        } else {
            ask(known);
        }
    });
}

} // namespace trainyard
