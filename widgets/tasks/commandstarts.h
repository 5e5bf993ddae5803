// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>

namespace trainyard
{

// When the commands of tries began, according to their runtime logs, which are read for visible tries on other threads.
class CommandStarts : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    void want(const QStringList &folders); // of tries; what is known is not read again
    const QHash<QString, qint64> &known() const { return m_known; } // ms UTC, by folder

Q_SIGNALS:
    void changed();

private:
    QHash<QString, qint64> m_known;
    QSet<QString> m_without; // these tries are over and had no steps
    bool m_isReading = false;
};

} // namespace trainyard
