// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/secrets.h"

#include "app/common/keyring.h"
#include "app/gui/secretsdialog.h"

#include <QWidget>

#include <algorithm>

namespace trainyard
{

Secrets::Secrets(QWidget *window) : QObject(window), m_window(window), m_vault(new Keyring(this)) { }

void Secrets::setVault(SecretVault *vault)
{
    m_vault = vault;
    Q_EMIT vaultChanged(vault);
}

void Secrets::withValues(const QString &document, const QStringList &wanted, const Use &use)
{
    if (wanted.isEmpty()) {
        use({});
        return;
    }
    const auto ask = [this, use, document, wanted](const SecretVault::Values &known) {
        auto *dialog = new SecretsDialog(document, wanted, m_vault, known, m_window);
        connect(dialog, &SecretsDialog::valuesGiven, this, use);
        dialog->open();
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
