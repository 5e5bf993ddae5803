// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QWidget>

#include <functional>

class QLabel;
class QToolButton;

namespace trainyard
{

class ColourLabel;

// One setting: its name, what it means, a control for its type, and a button that restores its default. The engine's
// objection to a value is below it.
class SettingRow : public QWidget
{
    Q_OBJECT
public:
    explicit SettingRow(const QJsonObject &about, QWidget *parent = nullptr); // an entry of the table of settings
    const QString &key() const { return m_key; }
    bool fits(const QString &words) const; // some of the name and the explanation

    void setValue(const QJsonValue &value); // also takes an error away
    void setError(const QString &sentence); // empty: none

Q_SIGNALS:
    void changeRequested(const QString &key, const QJsonValue &value); // null: the default

private:
    QWidget *makeControl(const QJsonObject &about);
    QWidget *makeChecks(const QJsonArray &words);
    void request(const QJsonValue &value);
    QString m_key;
    QString m_title;
    QString m_help;
    QJsonValue m_default;
    QJsonValue m_value;
    std::function<void(const QJsonValue &value)> m_show; // in the control
    QToolButton *m_reset;
    ColourLabel *m_error;
};

} // namespace trainyard
