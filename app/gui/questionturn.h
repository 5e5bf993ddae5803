// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace trainyard
{

// Lets all that ask by themselves take turns, whatever the user is doing. The next one comes when the one before it is
// closed, so that it takes no keys that are meant for that one.
class QuestionTurn final : public QObject
{
    Q_OBJECT
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;
    explicit QuestionTurn(QObject *parent = nullptr, Clock now = std::chrono::steady_clock::now)
        : QObject(parent), m_now(std::move(now))
    {
    }
    bool isFree() const { return m_isFree; }
    void take() { m_isFree = false; }
    // The user has closed it: keys that come now are meant for the next one.
    void give() { free(std::nullopt); }
    // It was withdrawn. `isTypedFor`: while the user was typing.
    void withdraw(bool isTypedFor) { free(isTypedFor ? std::optional(m_now()) : m_typedUntil); }
    // Keys that come now are still meant for one that is gone.
    bool areKeysForAnother() const { return m_typedUntil && m_now() - *m_typedUntil < typesOn; }

Q_SIGNALS:
    void freed();

private:
    // Until a user who types sees that the question is gone.
    static constexpr std::chrono::seconds typesOn{2};
    void free(const std::optional<std::chrono::steady_clock::time_point> &typedUntil)
    {
        m_typedUntil = typedUntil;
        m_isFree = true;
        Q_EMIT freed();
    }
    Clock m_now;
    std::optional<std::chrono::steady_clock::time_point> m_typedUntil; // when it was withdrawn
    bool m_isFree = true;
};

} // namespace trainyard
