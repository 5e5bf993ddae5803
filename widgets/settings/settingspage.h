// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QWidget>

class QLabel;
class QScrollArea;

namespace trainyard
{

class EmptyState;
class InfoBar;
class SearchField;
class SettingFamily;
class SettingRow;

// All settings of the engine in groups, each with its explanation, a control and its default. It knows neither the
// engine nor the file: it asks for changes and is told the values.
class SettingsPage : public QWidget
{
    Q_OBJECT
public:
    explicit SettingsPage(const QJsonArray &table, QWidget *parent = nullptr); // Settings::table()
    void setValues(const QJsonObject &values); // every key with its effective value
    void setError(const QString &key, const QString &sentence); // why a value was refused
    void setUnavailable(const QString &sentence); // why nothing can be changed now; empty: it can
    SearchField *searchField() const { return m_search; }

Q_SIGNALS:
    void changeRequested(const QString &key, const QJsonValue &value); // null: the default
    void fileRequested(); // the settings as a file

private:
    struct Group {
        QWidget *widget;
        QString title;
        QList<SettingRow *> rows;
        QList<SettingFamily *> families;
    };
    Group &groupOf(const QString &key);
    void filter();

    SearchField *m_search;
    QLabel *m_count;
    InfoBar *m_bar;
    QScrollArea *m_scroll;
    QWidget *m_body;
    EmptyState *m_empty;
    QList<Group> m_groups;
};

} // namespace trainyard
