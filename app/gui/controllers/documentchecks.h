// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/controllers/rundocument.h"

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>

#include <functional>
#include <optional>

namespace trainyard
{

// Looks on another thread whether the documents of runs have other texts, for one run after the other: a disk that does
// not answer holds up one thread, and no window.
class DocumentChecks : public QObject
{
    Q_OBJECT
public:
    using Tell = std::function<void(bool differs)>;
    using QObject::QObject;

    // Answers later, while `asker` lives; only what it has asked last.
    void ask(QObject *asker, const DocumentQuestion &question, const Tell &tell);
    void drop(const QObject *asker); // it needs no answer any more

private:
    struct Wish {
        QPointer<QObject> asker;
        DocumentQuestion question;
        Tell tell;
    };
    void lookForNext();
    void take(const DocumentAnswer &answer);

    QList<Wish> m_waiting;
    std::optional<Wish> m_current;
    QHash<QString, DocumentAnswer> m_answers; // by the UUIDs of the runs
};

} // namespace trainyard
