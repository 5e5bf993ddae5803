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
    QByteArray text; // of a document that is not in its file as it is, secrets masked
    bool modified = false;
    bool masked = false; // text had secrets: they are gone
    QByteArray layout;
    QByteArray base; // digest of the file that a modified text was made from
    bool edited = true; // since it was made; a document without a file may be as it was given
};
struct Session {
    QList<SessionTab> tabs;
    int current = 0;
};

// In <state>/autosave. load() gives an empty session when there is none or it cannot be read.
Session loadSession();
void saveSession(const Session &session);

} // namespace trainyard
