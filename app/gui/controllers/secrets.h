// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/secretvault.h"

#include <QMap>
#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

// The secrets that a document only names: taken from the keyring, and asked for where it does not have them.
class Secrets : public QObject
{
    Q_OBJECT
public:
    using Use = std::function<void(const QMap<QString, QString> &values)>;

    explicit Secrets(QWidget *window); // with the desktop's keyring
    SecretVault *vault() const { return m_vault; }
    void setVault(SecretVault *vault); // not owned
    // `document`: its name. Nothing happens when nobody answers, or `window` goes.
    void withValues(const QString &document, const QStringList &wanted, const Use &use);

Q_SIGNALS:
    void vaultChanged(trainyard::SecretVault *vault);

private:
    QWidget *m_window;
    SecretVault *m_vault;
};

} // namespace trainyard
