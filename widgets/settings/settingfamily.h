// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QMap>
#include <QWidget>

class QLineEdit;
class QVBoxLayout;

namespace trainyard
{

class ColourLabel;

// Settings whose names users choose ("storages.team_data"): the ones there are, each with its value and a way to remove
// it, and a line to add one.
class SettingFamily : public QWidget
{
    Q_OBJECT
public:
    explicit SettingFamily(const QJsonObject &about, QWidget *parent = nullptr); // the entry "storages.*"
    const QString &prefix() const { return m_prefix; } // "storages."
    bool fits(const QString &words) const;

    void setValues(const QJsonObject &values); // of all settings
    void setError(const QString &sentence);

Q_SIGNALS:
    void changeRequested(const QString &key, const QJsonValue &value); // null: remove it

private:
    void add();
    QWidget *makeRow(const QString &entry, const QString &text);
    QString m_prefix;
    QString m_title;
    QString m_help;
    QMap<QString, QString> m_values; // by name
    QMap<QString, QWidget *> m_rows; // likewise: a row stays while its entry does, and what is typed in it
    QVBoxLayout *m_entries;
    QLineEdit *m_name;
    QLineEdit *m_value;
    ColourLabel *m_error;
};

} // namespace trainyard
