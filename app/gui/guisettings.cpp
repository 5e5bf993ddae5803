// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guisettings.h"

#include "engine/client/paths.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qsizetype recentLimit = 12, usedLimit = 8;
const QString themeKey = QStringLiteral("look/theme");
const QString recentKey = QStringLiteral("files/recent");
const QString usedKey = QStringLiteral("palette/used");
const QString folderKey = QStringLiteral("files/lastFolder");
const QString geometryKey = QStringLiteral("window/geometry");
const QString stateKey = QStringLiteral("window/state");
const QString maximizedKey = QStringLiteral("window/maximized");
const QString targetKey = QStringLiteral("run/target");
const QString catalogueKey = QStringLiteral("templates/catalogue");
const QString wrapKey = QStringLiteral("look/wrapsLogs");
const QString foldHistoryKey = QStringLiteral("look/foldsRunHistory");
const QString historyTabKey = QStringLiteral("look/runHistoryTab");
const QString wrapTextKey = QStringLiteral("look/wrapsText");
const QString numbersKey = QStringLiteral("look/numbersLogs");
const QString codeZoomKey = QStringLiteral("look/codeZoom");
const QString logZoomKey = QStringLiteral("look/logZoom");
const QString codeEditorKey = QStringLiteral("code/editor");
const QString logRulesKey = QStringLiteral("log/rules");
const QString pinnedKey = QStringLiteral("metrics/pinned");
const QString tokensKey = QStringLiteral("clusters/tokensToForget");
const QString toldKey = QStringLiteral("told/jobsGoOn");

QStringList withNewest(QStringList list, const QString &newest, qsizetype most)
{
    list.removeAll(newest);
    list.prepend(newest);
    return list.first(std::min(list.size(), most));
}
} // namespace

GuiSettings::GuiSettings() : m_settings(paths::configFolder() + QStringLiteral("/gui.conf"), QSettings::IniFormat) { }

ThemeMode GuiSettings::themeMode() const
{
    const QString word = m_settings.value(themeKey).toString();
    return word == QLatin1String("light") ? ThemeMode::Light
        : word == QLatin1String("dark")   ? ThemeMode::Dark
                                          : ThemeMode::System;
}

void GuiSettings::setThemeMode(ThemeMode mode)
{
    switch (mode) {
    case ThemeMode::System:
        m_settings.remove(themeKey);
        break;
    case ThemeMode::Light:
        m_settings.setValue(themeKey, QStringLiteral("light"));
        break;
    case ThemeMode::Dark:
        m_settings.setValue(themeKey, QStringLiteral("dark"));
        break;
    }
}

QStringList GuiSettings::recentFiles() const { return m_settings.value(recentKey).toStringList(); }

void GuiSettings::addRecentFile(const QString &path)
{
    m_settings.setValue(recentKey, withNewest(recentFiles(), path, recentLimit));
}

QStringList GuiSettings::usedCommands() const { return m_settings.value(usedKey).toStringList(); }

void GuiSettings::addUsedCommand(const QString &key)
{
    m_settings.setValue(usedKey, withNewest(usedCommands(), key, usedLimit));
}

void GuiSettings::clearRecentFiles()
{
    m_settings.remove(recentKey);
    QStringList used = usedCommands(); // which name files as well
    used.removeIf([](const QString &key) { return key.startsWith(recentFileKey); });
    m_settings.setValue(usedKey, used);
}
QByteArray GuiSettings::windowGeometry() const { return m_settings.value(geometryKey).toByteArray(); }
QByteArray GuiSettings::windowState() const { return m_settings.value(stateKey).toByteArray(); }
bool GuiSettings::isWindowMaximized() const { return m_settings.value(maximizedKey).toBool(); }

void GuiSettings::setWindow(const QByteArray &geometry, const QByteArray &state, bool isMaximized)
{
    if (geometry == windowGeometry() && state == windowState() && isMaximized == isWindowMaximized()) {
        return; // it is asked for again and again, and each value would be written to the disk again
    }
    m_settings.setValue(maximizedKey, isMaximized);
    m_settings.setValue(geometryKey, geometry);
    m_settings.setValue(stateKey, state);
}

QString GuiSettings::target() const { return m_settings.value(targetKey, QStringLiteral("local")).toString(); }
void GuiSettings::setTarget(const QString &hostId) { m_settings.setValue(targetKey, hostId); }
QString GuiSettings::lastFolder() const { return m_settings.value(folderKey).toString(); }
void GuiSettings::setLastFolder(const QString &folder) { m_settings.setValue(folderKey, folder); }
QString GuiSettings::templateCatalogue() const { return m_settings.value(catalogueKey).toString(); }
void GuiSettings::setTemplateCatalogue(const QString &folder) { m_settings.setValue(catalogueKey, folder); }
bool GuiSettings::wrapsLogs() const { return m_settings.value(wrapKey, true).toBool(); }
void GuiSettings::setWrapsLogs(bool on) { m_settings.setValue(wrapKey, on); }

std::optional<bool> GuiSettings::foldsRunHistory() const
{
    const QVariant chosen = m_settings.value(foldHistoryKey);
    return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
}

void GuiSettings::setFoldsRunHistory(bool on) { m_settings.setValue(foldHistoryKey, on); }

std::optional<int> GuiSettings::runHistoryTab() const
{
    const QVariant chosen = m_settings.value(historyTabKey);
    return chosen.isValid() ? std::optional(chosen.toInt()) : std::nullopt;
}

void GuiSettings::setRunHistoryTab(int tab) { m_settings.setValue(historyTabKey, tab); }
bool GuiSettings::wrapsText() const { return m_settings.value(wrapTextKey, false).toBool(); }
void GuiSettings::setWrapsText(bool on) { m_settings.setValue(wrapTextKey, on); }
bool GuiSettings::numbersLogs() const { return m_settings.value(numbersKey, false).toBool(); }
void GuiSettings::setNumbersLogs(bool on) { m_settings.setValue(numbersKey, on); }
int GuiSettings::codeZoom() const { return m_settings.value(codeZoomKey).toInt(); }
void GuiSettings::setCodeZoom(int steps) { m_settings.setValue(codeZoomKey, steps); }
int GuiSettings::logZoom() const { return m_settings.value(logZoomKey).toInt(); }
void GuiSettings::setLogZoom(int steps) { m_settings.setValue(logZoomKey, steps); }

std::optional<QJsonArray> GuiSettings::logRules() const
{
    const QJsonDocument rules = QJsonDocument::fromJson(m_settings.value(logRulesKey).toString().toUtf8());
    return rules.isArray() ? std::optional(rules.array()) : std::nullopt;
}

void GuiSettings::setLogRules(const std::optional<QJsonArray> &rules)
{
    if (rules) {
        m_settings.setValue(logRulesKey, QString::fromUtf8(QJsonDocument(*rules).toJson(QJsonDocument::Compact)));
    } else {
        m_settings.remove(logRulesKey);
    }
}

QStringList GuiSettings::pinnedMetrics() const { return m_settings.value(pinnedKey).toStringList(); }
void GuiSettings::setPinnedMetrics(const QStringList &names) { m_settings.setValue(pinnedKey, names); }

QString GuiSettings::codeEditor() const { return m_settings.value(codeEditorKey).toString(); }
void GuiSettings::setCodeEditor(const QString &command) { m_settings.setValue(codeEditorKey, command); }

QStringList GuiSettings::tokensToForget() const { return m_settings.value(tokensKey).toStringList(); }
void GuiSettings::setTokensToForget(const QStringList &ids) { m_settings.setValue(tokensKey, ids); }

bool GuiSettings::wasToldJobsGoOn() const { return m_settings.value(toldKey).toBool(); }
void GuiSettings::setToldJobsGoOn() { m_settings.setValue(toldKey, true); }

} // namespace trainyard
