// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/secrets.h"

#include "app/common/keyring.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/workbench/actionregistry.h"
#include "engine/client/secretmemory.h"

#include <QApplication>
#include <QPointer>
#include <QWidget>

#include <algorithm>
#include <memory>

namespace trainyard
{

Secrets::Secrets(QWidget *window)
    : QObject(window), m_window(window), m_vault(new Keyring(this)), m_memory(new SecretMemory(this))
{
}

void Secrets::setVault(SecretVault *vault)
{
    m_vault = vault;
    Q_EMIT vaultChanged(vault);
}

void Secrets::addActions(ActionRegistry *actions)
{
    actions->add({"forgetSecrets", QStringLiteral("lock"), tr("For&get the secrets of this window"),
                     tr("Forget the secrets that were to be remembered until Trainyard is closed")},
        this, [this] { m_memory->forgetAll(); });
    const auto update = [this, actions] {
        actions->setEnabled({"forgetSecrets"}, !m_memory->isEmpty(), tr("No secret is remembered."));
    };
    connect(m_memory, &SecretMemory::changed, this, update);
    update();
}

void Secrets::withValues(const QString &document, const QStringList &wanted, const Use &use, QWidget *over,
    const std::optional<FileOfRun> &ofRun)
{
    if (wanted.isEmpty()) {
        use({});
        return;
    }
    const QPointer<QWidget> parent = over ? over : m_window;
    const auto ask = [this, use, document, wanted, parent, ofRun](const SecretVault::Values &kept, bool isKeyring) {
        if (!parent) {
            return;
        }
        auto *dialog = new SecretsDialog(document, wanted, m_vault, kept, parent);
        dialog->setMemory(m_memory, !isKeyring);
        if (ofRun) {
            dialog->setStoredRun(ofRun->file, ofRun->values);
        }
        // What waits for the values is over as soon as the dialog is closed, not when it is deleted.
        const auto waiting = std::make_shared<Use>(use);
        connect(dialog, &SecretsDialog::valuesGiven, this,
            [waiting](const QMap<QString, QString> &values) { (*waiting)(values); });
        connect(dialog, &QDialog::finished, this, [waiting] { *waiting = {}; });
        // Not every window manager gives the keys back to the dialog below.
        connect(dialog, &QDialog::finished, parent, [parent] {
            const QWidget *modal = QApplication::activeModalWidget(); // what came of the values may ask, too
            if (!modal || modal == parent) {
                parent->activateWindow();
            }
        });
        dialog->open();
        dialog->activateWindow();
    };
    const auto go = [this, use, document, wanted, ask](const SecretVault::Values &kept, bool isKeyring) {
        SecretVault::Values known = m_memory->values(document, wanted); // an empty one was confirmed
        for (auto it = kept.cbegin(); it != kept.cend(); ++it) {
            if (!it->isEmpty()) {
                known.insert(it.key(), *it);
            }
        }
        const bool all = std::all_of(
            wanted.cbegin(), wanted.cend(), [&known](const QString &secret) { return known.contains(secret); });
        if (all) {
            use(known);
        } else {
            ask(kept, isKeyring);
        }
    };
    if (!m_vault || !m_vault->isThere()) {
        go({}, false);
        return;
    }
    m_vault->find(document, wanted, this, [go](const Result<SecretVault::Values> &found) {
        go(found.value_or(SecretVault::Values()), found.has_value());
    });
}

} // namespace trainyard
