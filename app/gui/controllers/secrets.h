// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/secretvault.h"

#include <QMap>
#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>

namespace trainyard
{

class ActionRegistry;
class SecretMemory;

// What the file of a stored run has for the secrets that the run itself keeps no values of.
struct FileOfRun {
    QString file; // or the title of a document that was never saved
    QMap<QString, QString> values; // by the names of secrets
};

// The secrets that a document only names: taken from the keyring or from what is remembered while the window lives, and
// asked for where neither has them.
class Secrets : public QObject
{
    Q_OBJECT
public:
    using Use = std::function<void(const QMap<QString, QString> &values)>;

    explicit Secrets(QWidget *window); // with the desktop's keyring
    SecretVault *vault() const { return m_vault; }
    void setVault(SecretVault *vault); // not owned
    SecretMemory *memory() const { return m_memory; }
    void addActions(ActionRegistry *actions); // "forgetSecrets"
    // How long a keyring may take to answer, before the values are asked for without it.
    void setPatience(int ms) { m_patience = ms; }
    // `document`: its name. `over`: the dialog that asks for them; without one it is the window. Nothing happens if
    // there is no answer, or if the asking object is deleted. `ofRun`: it is a stored run.
    void withValues(const QString &document, const QStringList &wanted, const Use &use, QWidget *over = nullptr,
        const std::optional<FileOfRun> &ofRun = std::nullopt);

Q_SIGNALS:
    void vaultChanged(trainyard::SecretVault *vault);

private:
    QWidget *m_window;
    SecretVault *m_vault;
    SecretMemory *m_memory;
    int m_patience;
};

} // namespace trainyard
