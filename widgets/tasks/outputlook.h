// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard
{

// Whether there is an output in the folder of a try. It is looked for on another thread, as the folder may be on a disk
// that does not answer.
class OutputLook : public QObject
{
    Q_OBJECT
public:
    enum class Place { Unknown, Here, NoOutput, NoFolder };
    explicit OutputLook(QObject *parent) : QObject(parent) { }

    void look(const QString &folder); // again, if it is the same; what was known of it stays meanwhile
    Place place() const { return m_place; } // of the folder of the last look()

Q_SIGNALS:
    void changed(); // place()

private:
    QString m_folder;
    Place m_place = Place::Unknown;
    bool m_isLooking = false, m_isAsked = false; // for the same folder; again
};

} // namespace trainyard
