// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/style.h"

#include <QByteArray>
#include <QJsonArray>
#include <QSettings>
#include <QStringList>

#include <optional>

namespace trainyard
{

inline constexpr QLatin1StringView recentFileKey("file:"); // before the path, among the used commands

// The settings of the window ($XDG_CONFIG_HOME/trainyard/gui.conf). Only this file has the names of the keys. Large
// because each of many values has two simple functions.
class GuiSettings
{
public:
    GuiSettings();

    ThemeMode themeMode() const;
    void setThemeMode(ThemeMode mode);
    QStringList recentFiles() const;
    void addRecentFile(const QString &path); // newest first, at most 12
    void clearRecentFiles();
    QStringList usedCommands() const; // keys of what the palette has run, newest first, at most 8
    void addUsedCommand(const QString &key);
    QByteArray windowGeometry() const;
    QByteArray windowState() const;
    bool isWindowMaximized() const;
    void setWindow(const QByteArray &geometry, const QByteArray &state, bool isMaximized);
    QString target() const; // of new documents: "any" or "local", which it is until the other one is chosen
    void setTarget(const QString &hostId);
    QString lastFolder() const;
    void setLastFolder(const QString &folder);
    QString templateCatalogue() const; // folder, or empty
    void setTemplateCatalogue(const QString &folder);
    bool wrapsLogs() const;
    void setWrapsLogs(bool on);
    std::optional<bool> foldsRunHistory() const; // the pane below the tasks of a run; nothing: the user has not chosen
    void setFoldsRunHistory(bool on);
    std::optional<int> runHistoryTab() const; // of that pane, that was chosen last
    void setRunHistoryTab(int tab);
    bool wrapsText() const; // of documents
    void setWrapsText(bool on);
    bool numbersLogs() const; // their lines
    void setNumbersLogs(bool on);
    int codeZoom() const; // steps of a point, of TextSize::code()
    void setCodeZoom(int steps);
    int logZoom() const; // likewise, of TextSize::logs()
    void setLogZoom(int steps);
    std::optional<QJsonArray> logRules() const; // of the colours of lines; nothing: the built-in ones
    void setLogRules(const std::optional<QJsonArray> &rules);
    QStringList pinnedMetrics() const; // their curves come first in every run
    void setPinnedMetrics(const QStringList &names);
    QString codeEditor() const; // a command with {file} and {line}; empty: what is found
    void setCodeEditor(const QString &command);
    QStringList tokensToForget() const; // ids of removed clusters: once their jobs have ended, the keyring loses theirs
    void setTokensToForget(const QStringList &ids);
    bool wasToldJobsGoOn() const;
    void setToldJobsGoOn();

private:
    mutable QSettings m_settings;
};

} // namespace trainyard
