// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariant>

namespace trainyard
{

// What is open, so that it comes back: written beside the state, secrets masked.
struct SessionTab {
    QString kind; // "document", "run", "welcome"
    QString path; // of a document, may be empty
    QString name; // shown name of an unsaved document
    QString uuid; // of a run
    QByteArray text; // of a modified document, secrets masked
    bool modified = false;
    bool masked = false; // text had secrets: they are gone
    QByteArray layout;
    QByteArray base; // digest of the file that a modified text was made from
};
struct Session {
    QList<SessionTab> tabs;
    int current = 0;
};

// In <state>/autosave. load() gives an empty session when there is none or it cannot be read.
Session loadSession();
void saveSession(const Session &session);

} // namespace trainyard
