// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/codesync.h"
#include "engine/code/codeleftout.h"

#include <QJsonObject>

namespace trainyard::cli
{

// The output of 'sync' about a folder: what is copied, what stays, and the host's answer.
void printFolder(const CodeFiles &code); // its size, and the largest files or folders
void printLeftOut(const QList<LeftOut> &left);
void printSynced(const QString &host, const api::FolderSynced &synced, bool isDry);

QJsonObject syncJson(const CodeFiles &code, const QList<LeftOut> &left); // without what the host says
QJsonObject withHostJson(QJsonObject json, const QString &host, const api::FolderSynced &synced, bool isDry);

} // namespace trainyard::cli
