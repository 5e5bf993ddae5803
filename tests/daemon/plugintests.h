// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QObject>

// What tests of the plugins of jobs share.
class PluginTests : public QObject
{
protected:
    // The extras of a job with these entries.
    static QByteArray plugins(const QByteArrayList &entries)
    {
        QByteArray text = "extras:\n  com.microsoft.pai.runtimeplugin:\n";
        for (const QByteArray &entry : entries) {
            text += "    - " + entry + '\n';
        }
        return text;
    }
};
