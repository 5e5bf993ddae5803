// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <functional>

namespace trainyard
{

class Page;
class Workbench;

// How pages come into being, by the id of their kind: one line for each kind of page, read by actions that open one and
// by the session that brings them back.
class PageRegistry : public QObject
{
    Q_OBJECT
public:
    explicit PageRegistry(Workbench *workbench, QObject *parent = nullptr);

    // A kind that may be open several times. `open` brings one to the front, or says why it cannot and gives null.
    void add(const QString &kind, const std::function<Page *(const SessionTab &place)> &open);
    // A kind that is open once at most. `make` makes it; the registry puts it into the workbench. `restore` brings it
    // to the place that a session has of it.
    void addSingle(const QString &kind, const std::function<Page *()> &make,
        const std::function<void(Page *page, const SessionTab &place)> &restore = {});

    // Null if it could not be opened, or if the kind is unknown: a session may come from another version.
    Page *open(const QString &kind, const SessionTab &place = {});
    // The same on request of the user: the page gets the focus, whatever had it before.
    Page *enter(const QString &kind);

private:
    Workbench *m_workbench;
    QHash<QString, std::function<Page *(const SessionTab &)>> m_kinds;
    QHash<QString, Page *> m_singles; // that are open
};

} // namespace trainyard
