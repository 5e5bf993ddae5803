// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QWidget>

class QAction;
class QActionGroup;
class QScrollArea;

namespace trainyard
{

class ActionRow;
class ChoiceRow;
class EmptyState;
class InfoBar;
class PageHead;
class SearchField;
class SettingFamily;
class SettingRow;

// All settings of the engine in groups, each with its explanation, a control and its default. It knows neither the
// engine nor the file: it requests changes, and the values are set from outside.
class SettingsPage : public QWidget
{
    Q_OBJECT
public:
    explicit SettingsPage(const QJsonArray &table, QWidget *parent = nullptr); // Settings::table()
    // Adds a choice of the window itself, before those of the engine; it can be changed without an engine.
    void addWindowChoice(const QString &name, const QString &help, const QActionGroup *choices);
    void addWindowAction(const QString &name, const QString &help, QAction *action); // after a choice
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
        QList<ChoiceRow *> choices;
        QList<ActionRow *> actions = {};
        qsizetype size() const { return rows.size() + families.size() + choices.size() + actions.size(); }
    };
    Group &groupOf(const QString &key);
    static Group makeGroup(const QString &title);
    void filter();

    SearchField *m_search;
    PageHead *m_head;
    InfoBar *m_bar;
    QScrollArea *m_scroll;
    QWidget *m_body;
    EmptyState *m_empty;
    QList<Group> m_groups;
};

} // namespace trainyard
