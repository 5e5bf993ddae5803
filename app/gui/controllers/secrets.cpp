// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/secrets.h"

#include "app/common/keyring.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/workbench/actionregistry.h"
#include "engine/client/secretmemory.h"

#include <QApplication>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <memory>
#include <utility>

namespace trainyard
{
namespace
{
constexpr int keyringPatienceMs = 30'000; // the password of the keyring may have to be typed

} // namespace

Secrets::Secrets(QWidget *window)
    : QObject(window), m_window(window), m_vault(new Keyring(this)), m_memory(new SecretMemory(this)),
      m_patience(keyringPatienceMs)
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
    enum class Answer { None, Late, Given }; // of the keyring
    const auto ask = [this, use, document, wanted, parent, ofRun](const SecretVault::Values &kept, Answer answer) {
        if (!parent) {
            return;
        }
        // Nothing can be kept where nothing answers.
        auto *dialog = new SecretsDialog(document, wanted, answer == Answer::Late ? nullptr : m_vault, kept, parent);
        dialog->setMemory(m_memory, answer != Answer::Given);
        if (answer == Answer::Late) {
            dialog->setKeyringSilent();
        }
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
    const auto go = [this, use, document, wanted, ask](const SecretVault::Values &kept, Answer answer) {
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
            ask(kept, answer);
        }
    };
    if (!m_vault || !m_vault->isThere()) {
        go({}, Answer::None);
        return;
    }
    // The first answer counts, and none may come: what waits for the values would be under way for ever.
    const auto waiting = std::make_shared<std::function<void(const SecretVault::Values &, Answer)>>(go);
    const auto take = [waiting](const SecretVault::Values &kept, Answer answer) {
        if (const auto first = std::exchange(*waiting, {})) {
            first(kept, answer);
        }
    };
    QTimer::singleShot(m_patience, this, [take] { take({}, Answer::Late); });
    m_vault->find(document, wanted, this, [take](const Result<SecretVault::Values> &found) {
        take(found.value_or(SecretVault::Values()), found ? Answer::Given : Answer::None);
    });
}

} // namespace trainyard
