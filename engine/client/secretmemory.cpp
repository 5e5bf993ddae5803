// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/secretmemory.h"

#include <cstring>

namespace trainyard
{
namespace
{
void overwrite(QByteArray &value) { ::explicit_bzero(value.data(), size_t(value.size())); }
} // namespace

SecretMemory::~SecretMemory()
{
    for (QByteArray &value : m_values) {
        overwrite(value);
    }
}

void SecretMemory::remember(const QString &document, const SecretVault::Values &values)
{
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        drop({document, it.key()});
        m_values.insert({document, it.key()}, it->toUtf8());
    }
    Q_EMIT changed();
}

SecretVault::Values SecretMemory::values(const QString &document, const QStringList &secrets) const
{
    SecretVault::Values known;
    for (const QString &secret : secrets) {
        if (const auto it = m_values.constFind({document, secret}); it != m_values.cend()) {
            known.insert(secret, QString::fromUtf8(*it));
        }
    }
    return known;
}

void SecretMemory::rename(const QString &document, const QString &from, const QString &to)
{
    if (const auto it = m_values.find({document, from}); it != m_values.end() && !m_values.contains({document, to})) {
        m_values.insert({document, to}, m_values.take({document, from}));
        Q_EMIT changed();
    }
}

void SecretMemory::copy(const QString &document, const QString &other)
{
    QMap<Name, QByteArray> copies;
    for (auto it = m_values.cbegin(); it != m_values.cend(); ++it) {
        if (it.key().first == document && !m_values.contains({other, it.key().second})) {
            copies.insert({other, it.key().second}, QByteArray(it->constData(), it->size())); // not shared
        }
    }
    const bool any = !copies.isEmpty();
    m_values.insert(std::move(copies));
    if (any) {
        Q_EMIT changed();
    }
}

void SecretMemory::forget(const QString &document, const QStringList &secrets)
{
    bool any = false;
    for (const QString &secret : secrets) {
        any = drop({document, secret}) || any;
    }
    if (any) {
        Q_EMIT changed();
    }
}

void SecretMemory::forgetAll()
{
    for (QByteArray &value : m_values) {
        overwrite(value);
    }
    m_values.clear();
    Q_EMIT changed();
}

bool SecretMemory::drop(const Name &name)
{
    const auto it = m_values.find(name);
    if (it == m_values.end()) {
        return false;
    }
    overwrite(*it);
    m_values.erase(it);
    return true;
}

} // namespace trainyard
