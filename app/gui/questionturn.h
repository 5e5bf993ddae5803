// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard
{

// Of all that ask by themselves, whatever the user is doing: one at a time. The next one comes when the one before it
// is closed, so that it takes no keys that are meant for that.
class QuestionTurn final : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    bool isFree() const { return m_isFree; }
    void take() { m_isFree = false; }
    void give()
    {
        m_isFree = true;
        Q_EMIT freed();
    }

Q_SIGNALS:
    void freed();

private:
    bool m_isFree = true;
};

} // namespace trainyard
